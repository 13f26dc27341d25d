package dev.connectorevents.emulator.function;

import dev.connectorevents.emulator.dynamodb.WriteObserver.Write;
import java.util.List;

/**
 * A call of a function.
 *
 * @param log the lines that it logged
 * @param writes what it put into tables
 */
public record RecordedInvocation(Invocation outcome, List<String> log, List<Write> writes) {
  public RecordedInvocation {
    log = List.copyOf(log);
    writes = List.copyOf(writes);
  }
}
