package dev.connectorevents.dynamodb;

import java.util.function.Supplier;

/** The time by which calls must have ended. A try that could end later does not begin. */
public interface Deadline {

  /** Makes calls of this thread within the deadline. */
  <T> T bound(Supplier<T> calls);
}
