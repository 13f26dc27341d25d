package dev.connectorevents.functions.operators.restore;

import dev.connectorevents.erasure.Erasure;
import dev.connectorevents.erasure.ErasureLedger;
import dev.connectorevents.erasure.RestoredEvents;
import java.util.Optional;

/**
 * A restored table of which nothing is copied.
 *
 * @param name of the only table that is there
 */
record UncopiedTable(String name) implements RestoredEvents {

  @Override
  public boolean isThere(String table) {
    return table.equals(name);
  }

  @Override
  public String rule() {
    return "the name of a restored table";
  }

  @Override
  public Copied copy(String table, Optional<String> after) {
    throw new IllegalStateException(table);
  }

  @Override
  public int erase(String table, Erasure erasure, ErasureLedger.Step step) {
    throw new IllegalStateException(table);
  }
}
