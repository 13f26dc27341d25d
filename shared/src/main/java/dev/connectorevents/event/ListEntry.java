package dev.connectorevents.event;

import dev.connectorevents.Json;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** What a list shows at one place. */
public sealed interface ListEntry {

  /** The most bytes that an entry takes without its texts, with the names of all members. */
  int MOST_BYTES_OF_MEMBERS = 700;

  /**
   * How many bytes it takes in the answer at most, as Lambda counts them: the answer is the text of
   * a JSON string, whose escapes count too.
   */
  long size();

  /**
   * An event and its sender.
   *
   * @param position in the feed; empty in a list that is not of the feed
   * @param userId the user whose connector sent it
   * @param payload the stored text, byte for byte; empty if it was not asked for, or can be in no
   *     page
   */
  record OfEvent(
      Optional<FeedPosition> position, WebhookEvent event, UUID userId, Optional<String> payload)
      implements ListEntry {

    /** The same with its payload, if that can be in a page. */
    public OfEvent with(String text) {
      OfEvent whole = new OfEvent(position, event, userId, Optional.of(text));
      return whole.size() <= PageRoom.BYTES ? whole : this;
    }

    @Override
    public long size() {
      String status = event.delivery().status();
      return MOST_BYTES_OF_MEMBERS
          + event.type().value().length()
          // An escape may have a backslash, which is escaped once more.
          + (status == null ? 0 : 2 * Json.sizeInString(status))
          + payload.map(Json::sizeInString).orElse(0L);
    }
  }

  /** At this position, the event with this id was erased. */
  record OfErasure(FeedPosition position, UUID id, Instant erasedAt) implements ListEntry {

    @Override
    public long size() {
      return MOST_BYTES_OF_MEMBERS;
    }
  }
}
