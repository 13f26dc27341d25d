package dev.connectorevents.functions.restoreevents;

import dev.connectorevents.event.EventIds;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

  Pattern IN_LEDGER = Pattern.compile("ledger:([0-9a-f-]{36}):([1-9][0-9]{0,8})");
  Pattern IN_TABLE = Pattern.compile("table:([0-9a-f-]{36}(?:#(?:mark)?[0-9]{1,9})?)?");

  /** What the next call sends. */
  default String text() {
    return switch (this) {
      case InLedger(Optional<UUID> id, int step) -> "ledger:" + id.orElseThrow() + ":" + step;
      case InTable(Optional<String> after) -> "table:" + after.orElse("");
    };
  }

  static Optional<RestorePlace> parse(String text) {
    Matcher ledger = IN_LEDGER.matcher(text);
    if (ledger.matches()) {
      return EventIds.parse(ledger.group(1))
          .map(id -> new InLedger(Optional.of(id), Integer.parseInt(ledger.group(2))));
    }
    Matcher table = IN_TABLE.matcher(text);
    return table.matches()
        ? Optional.of(new InTable(Optional.ofNullable(table.group(1))))
        : Optional.empty();
  }
}
