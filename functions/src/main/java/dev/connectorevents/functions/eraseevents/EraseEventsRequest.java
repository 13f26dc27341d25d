package dev.connectorevents.functions.eraseevents;

import dev.connectorevents.event.Erasure;
import dev.connectorevents.event.ErasureSelector;
import dev.connectorevents.event.EventTypes;
import dev.connectorevents.eventformat.PayloadConditions;
import dev.connectorevents.json.Body;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** The function's event, checked. */
sealed interface EraseEventsRequest {

  /**
   * Events to erase.
   *
   * @param from only events that were created at this time or later; only of a dry run, as {@code
   *     to}. In whole milliseconds
   * @param to only events that were created before this time
   * @param where conditions on the payload, of which one suffices; empty if the selector suffices
   * @param isDryRun whether to change nothing
   * @param reason why, for the proof
   * @param progress where the call before this one ended; empty for the first call
   * @param digest of all members but {@code next}: each call of an erasure must have the same
   */
  record Erase(
      ErasureSelector selector,
      Optional<Instant> from,
      Optional<Instant> to,
      PayloadConditions where,
      boolean isDryRun,
      Optional<String> reason,
      Optional<ErasureProgress> progress,
      String digest)
      implements EraseEventsRequest {

    /** Whether conditions or event types narrow the selector: it alone would select more. */
    boolean isNarrowed() {
      return switch (selector) {
        case ErasureSelector.All _ -> false;
        case ErasureSelector.Sender(_, _, _, Optional<EventTypes> types) ->
            types.isPresent() || !where.isEmpty();
        case ErasureSelector.Brand _, ErasureSelector.Ids _ -> !where.isEmpty();
      };
    }

    /**
     * Whether what the proof of an erasure says is true of this request. An operator may have made
     * up its {@code next}.
     */
    boolean fits(Erasure erasure) {
      return erasure.selectorKind().equals(selector.kind())
          && erasure.isNarrowed() == isNarrowed()
          && erasure.reason().equals(reason)
          && erasure.brand().map(this::isOf).orElse(true);
    }

    private boolean isOf(Erasure.SaltedBrand salted) {
      return selector instanceof ErasureSelector.Brand(String brand) && salted.isOf(brand);
    }
  }

  /** Asks for a proof. */
  record Show(UUID erasureId) implements EraseEventsRequest {}

  /**
   * Asks for all proofs.
   *
   * @param after where the page before ended
   */
  record ListProofs(Optional<String> after) implements EraseEventsRequest {}

  /**
   * Asks for the events of a restored table.
   *
   * @param place where to go on
   */
  record Restore(String table, RestorePlace place) implements EraseEventsRequest {}

  /**
   * Asks for new positions of what the feed lacks of a time.
   *
   * @param from included; in whole milliseconds, as {@code to}
   * @param to excluded
   * @param place where to go on; empty for the first call
   */
  record Fill(Instant from, Instant to, Optional<FillPlace> place) implements EraseEventsRequest {}

  /** Asks how far the feed is. */
  record ShowFeed() implements EraseEventsRequest {}

  /**
   * Reads an event.
   *
   * @throws IllegalStateException if the event came through an API
   */
  static Body<EraseEventsRequest> of(byte[] event) {
    return EraseEventsReader.read(event);
  }
}
