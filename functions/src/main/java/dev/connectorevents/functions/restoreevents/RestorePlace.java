package dev.connectorevents.functions.restoreevents;

import java.util.Optional;
import java.util.UUID;

/** Where a call of a restore begins. */
sealed interface RestorePlace {

  /**
   * A step of the ledger.
   *
   * @param erasureId empty for the first erasure
   * @param step from 1
   */
  record InLedger(Optional<UUID> erasureId, int step) implements RestorePlace {

    static final InLedger FIRST = new InLedger(Optional.empty(), 1);
  }

  /**
   * A page of the restored table.
   *
   * @param after the last id of the page before
   */
  record InTable(Optional<String> after) implements RestorePlace {}

  /** As the ledger keeps it. */
  default String text() {
    return switch (this) {
      case InLedger(Optional<UUID> id, int step) -> "ledger:" + id.orElseThrow() + ":" + step;
      case InTable(Optional<String> after) -> "table:" + after.orElse("");
    };
  }

  static RestorePlace of(String text) {
    String[] parts = text.split(":", 3);
    return parts[0].equals("ledger")
        ? new InLedger(Optional.of(UUID.fromString(parts[1])), Integer.parseInt(parts[2]))
        : new InTable(Optional.of(parts[1]).filter(id -> !id.isEmpty()));
  }
}
