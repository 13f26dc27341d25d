package dev.connectorevents.acceptance.oracle;

import java.util.List;
import java.util.Random;

/**
 * A call to AWS that waits just before it gets there, while the next steps of the walk are made.
 * What a step does to events comes after the call that waits. So its answer is judged by what is
 * true when it goes on; only its token was checked before.
 *
 * @param calls the first such call of the step waits; empty if none does
 * @param steps how many steps are made meanwhile
 */
record Hold(List<String> calls, int steps) {

  static final Hold NONE = new Hold(List.of(), 0);

  /** The write that stores an event, alone or in a batch. */
  static final List<String> OF_AN_EVENT =
      List.of("PutItem EventsTable", "TransactWriteItems EventsTable");

  /** The further items of an event, after its head. */
  static final List<String> OF_A_READ = List.of("BatchGetItem EventsTable");

  static final List<String> OF_AN_ERASURE = List.of("TransactWriteItems EventsTable");

  static final List<String> OF_A_NUMBERING = List.of("TransactWriteItems FeedTable");

  private static final int MOST_STEPS = 2;

  static Hold draw(Random random, List<String> calls) {
    return !calls.isEmpty() && random.nextInt(4) == 0
        ? new Hold(calls, 1 + random.nextInt(MOST_STEPS))
        : NONE;
  }

  boolean isNone() {
    return calls.isEmpty();
  }

  @Override
  public String toString() {
    return isNone() ? "" : " waits at %s for %d steps".formatted(String.join(" or ", calls), steps);
  }
}
