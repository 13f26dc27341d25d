package dev.connectorevents.event;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.event.RestoredEvents.NotCopied;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The events of an erasure that is taken back. They are stored anew from a restored table, each
 * under {@link EventIds#takenBack}. Every method may be repeated.
 *
 * <p>Every method throws {@link DependencyUnavailableException} if the store does not answer.
 */
public interface TakenBackEvents {

  /** The most ids of a call. */
  int MAX_IDS = 100;

  /** What stays erased, whatever is taken back. */
  interface OtherErasures {

    /** Whether one of them names this event. */
    boolean name(UUID id);

    /** Whether one of them would have erased the event, if it had been there. */
    boolean wouldHaveErased(String brand, Instant createdAt);
  }

  /**
   * What became of some events.
   *
   * @param takenBack how many are there, by this call or an earlier one
   * @param stayErased how many other erasures keep away
   * @param expired how many are past their retention
   * @param notCopied those that cannot be copied
   */
  record Page(int takenBack, int stayErased, int expired, List<NotCopied> notCopied) {
    public Page {
      notCopied = List.copyOf(notCopied);
    }
  }

  /**
   * Stores events anew, with their parts, {@code created_at} and {@code expires_at}, and without a
   * key. The feed shows them at its end.
   *
   * @param table a restored table
   * @param erasureId the erasure that is taken back
   * @param ids of events that it has erased; at most {@value #MAX_IDS}
   * @param others the other erasures
   * @return empty, and nothing is stored, if the table is not older than the erasure
   */
  Optional<Page> takeBack(String table, UUID erasureId, List<UUID> ids, OtherErasures others);
}
