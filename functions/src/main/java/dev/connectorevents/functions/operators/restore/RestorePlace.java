package dev.connectorevents.functions.operators.restore;

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
      case InLedger(Optional<UUID> id, int step) -> id.orElseThrow() + " " + step;
      case InTable(Optional<String> after) -> after.orElse("");
    };
  }

  static RestorePlace of(String text) {
    String[] parts = text.split(" ", 2);
    return parts.length == 2
        ? new InLedger(Optional.of(UUID.fromString(parts[0])), Integer.parseInt(parts[1]))
        : new InTable(Optional.of(text).filter(id -> !id.isEmpty()));
  }
}
