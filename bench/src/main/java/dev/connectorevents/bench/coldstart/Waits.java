package dev.connectorevents.bench.coldstart;

import java.time.Duration;

/**
 * How long the stub of AWS waits before it answers.
 *
 * @param secret before the answer to a call of Secrets Manager
 * @param dynamoDb before the answer to a call of DynamoDB
 */
record Waits(Duration secret, Duration dynamoDb) {

  /** No waits: to measure the function's own time only. */
  static final Waits NONE = new Waits(Duration.ZERO, Duration.ZERO);

  /** Guesses, since AWS publishes no times. 5 ms is about the time of a write to DynamoDB. */
  static final Waits USUAL = new Waits(Duration.ofMillis(30), Duration.ofMillis(5));
}
