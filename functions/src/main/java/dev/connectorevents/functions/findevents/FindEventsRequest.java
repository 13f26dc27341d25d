package dev.connectorevents.functions.findevents;

import static dev.connectorevents.functions.lambda.OperatorEvent.text;

import dev.connectorevents.event.EventIds;
import dev.connectorevents.eventformat.EventSelection;
import dev.connectorevents.functions.lambda.OperatorEvent;
import dev.connectorevents.functions.lambda.RequestNext;
import dev.connectorevents.functions.lambda.SelectionReader;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** The function's event, checked. */
sealed interface FindEventsRequest {

  /**
   * Asks for events.
   *
   * @param next empty for the first call
   * @param digest of all members but {@code next}: each call of a search must have the same
   */
  record Find(EventSelection selection, Optional<Place> next, String digest)
      implements FindEventsRequest {

    /**
     * Where the search goes on.
     *
     * @param begun when it began
     */
    record Place(Instant begun, String page) {

      private static Optional<Place> of(RequestNext next) {
        try {
          return Optional.of(new Place(Instant.parse(next.run()), next.place()));
        } catch (DateTimeException e) {
          return Optional.empty();
        }
      }

      String text(String requestDigest) {
        return new RequestNext(begun.toString(), page).text(requestDigest);
      }
    }

    private static Supplier<Find> read(OperatorEvent event) {
      Supplier<EventSelection> selection = SelectionReader.read(event, true);
      event.has("next");
      event.refuseOthers("a search");
      String digest = SelectionReader.digest(event);
      Optional<Place> next = SelectionReader.next(event, digest, Place::of);
      return () -> new Find(selection.get(), next, digest);
    }
  }

  /** Asks for a proof. */
  record Show(UUID erasureId) implements FindEventsRequest {

    private static Supplier<Show> read(OperatorEvent event) {
      Optional<UUID> id = event.required("show", SelectionReader.ID_RULE, text(EventIds::parse));
      event.refuseOthers("this event");
      return () -> new Show(id.orElseThrow());
    }
  }

  /**
   * Asks for all proofs.
   *
   * @param after where the page before ended
   */
  record ListProofs(Optional<String> after) implements FindEventsRequest {

    /** What a page may begin after: the key of any item of the ledger. */
    private static final Pattern PLACE = Pattern.compile("[0-9a-f-]{36}(#[0-9]{1,9})?");

    private static Supplier<ListProofs> read(OperatorEvent event) {
      event.checkIsTrue("list");
      Optional<String> after =
          event.optionalNotNull(
              "next",
              "the next of the page before",
              text(place -> Optional.of(place).filter(PLACE.asMatchPredicate())));
      event.refuseOthers("this event");
      return () -> new ListProofs(after);
    }
  }

  /** Asks how far the feed is. */
  record ShowFeed() implements FindEventsRequest {

    private static Supplier<ShowFeed> read(OperatorEvent event) {
      event.checkIsTrue("feed");
      event.refuseOthers("this event");
      return ShowFeed::new;
    }
  }

  /** Reads an event. */
  static Supplier<? extends FindEventsRequest> read(OperatorEvent event) {
    if (event.isOf("show")) {
      return Show.read(event);
    }
    if (event.isOf("list")) {
      return ListProofs.read(event);
    }
    return event.isOf("feed") ? ShowFeed.read(event) : Find.read(event);
  }
}
