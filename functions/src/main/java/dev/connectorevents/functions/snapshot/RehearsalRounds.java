package dev.connectorevents.functions.snapshot;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.functions.lambda.ApiGatewayFunction;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** Sends the requests of a {@link RehearsalScript} to a function, round after round. */
final class RehearsalRounds {

  /**
   * How long after its start a rehearsal still begins a round. The pauses between failed reads do
   * not count: they may take {@link RehearsalReads#RETRY_PERIOD}, and Lambda allows 130 s for both.
   */
  static final Duration TIME = Duration.ofSeconds(45);

  // Without some reads over the network, the JVM would compile only for answers from memory.
  static final int ROUNDS_PER_READ = 100;

  private final ApiGatewayFunction function;
  private final RehearsalReads reads;
  private final Clock clock;

  RehearsalRounds(ApiGatewayFunction function, RehearsalReads reads, Clock clock) {
    this.function = function;
    this.reads = reads;
    this.clock = clock;
  }

  /**
   * Runs all rounds, or as many as begin within {@link #TIME}.
   *
   * @param token authorizes the requests
   * @throws IllegalStateException if a request does not succeed
   * @throws DependencyUnavailableException if the users cannot be read for {@link
   *     RehearsalReads#RETRY_PERIOD}
   */
  void run(RehearsalScript script, String token) {
    Instant end = clock.instant().plus(TIME);
    for (int round = 0; round < script.rounds() && clock.instant().isBefore(end); round++) {
      for (String event : script.events(token)) {
        send(event);
      }
      if (round % ROUNDS_PER_READ == 0) {
        end = end.plus(reads.read());
      }
    }
  }

  private void send(String event) {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    try {
      function.handleRequest(
          new ByteArrayInputStream(event.getBytes(UTF_8)), output, new RehearsalContext());
    } catch (IOException e) {
      throw new IllegalStateException("the rehearsal's event cannot be read", e);
    }
    String answer = output.toString(UTF_8);
    if (!answer.contains("\"statusCode\":20")) {
      throw new IllegalStateException("a rehearsed request got the answer " + answer);
    }
  }
}
