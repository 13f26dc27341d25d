package dev.connectorevents.bench.coldstart;

import java.time.Duration;

/**
 * How long the stub waits before it answers.
 *
 * @param secret for each call of Secrets Manager
 * @param dynamoDb for each other call, unless it has several statements
 * @param batch for a call with several statements
 */
record Waits(Duration secret, Duration dynamoDb, Duration batch) {

  /** No waits: to measure the function's own time only. */
  static final Waits NONE = new Waits(Duration.ZERO, Duration.ZERO, Duration.ZERO);

  /** Guesses, since AWS publishes no times. 5 ms is about the time of a write to DynamoDB. */
  static final Waits USUAL =
      new Waits(Duration.ofMillis(30), Duration.ofMillis(5), Duration.ofMillis(5));

  Waits withBatch(Duration wait) {
    return new Waits(secret, dynamoDb, wait);
  }
}
