package dev.connectorevents.emulator.lambda;

import dev.connectorevents.emulator.dynamodb.CapacityMeter.Write;
import java.util.List;

/**
 * A call of a function.
 *
 * @param log the lines that it logged
 * @param writes what it put into tables
 */
public record Call(Invocation outcome, List<String> log, List<Write> writes) {
  public Call {
    log = List.copyOf(log);
    writes = List.copyOf(writes);
  }
}
