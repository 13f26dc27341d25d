package dev.connectorevents.functions.snapshot;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.connectorevents.DependencyUnavailableException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;

/**
 * Sends the requests of a {@link RehearsalScript} to a function, round after round, and reads over
 * the network between them.
 *
 * <p>Lambda allows 130 s for the whole initialization, or the function's timeout if that is longer.
 * {@link #TIME} and {@link #RETRY_PERIOD} together stay below.
 *
 * @see <a
 *     href="https://docs.aws.amazon.com/lambda/latest/dg/snapstart-runtime-hooks-java.html">Lambda
 *     SnapStart runtime hooks for Java</a>
 */
final class RehearsalRounds {

  /**
   * How long after its start a rehearsal still begins a round. The pauses between failed reads do
   * not count.
   */
  static final Duration TIME = Duration.ofSeconds(45);

  // Without some reads over the network, the JVM would compile only for answers from memory.
  static final int ROUNDS_PER_READ = 100;

  /**
   * How long after the first failure reads are retried: in a first deploy the function's role is
   * seconds old, and IAM takes some time to replicate it.
   *
   * @see <a
   *     href="https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot.html#troubleshoot_general_eventual-consistency">Changes
   *     that I make are not always immediately visible</a>
   */
  static final Duration RETRY_PERIOD = Duration.ofMinutes(1);

  static final Duration PAUSE = Duration.ofSeconds(3);

  private final RequestStreamHandler function;
  private final Runnable read;
  private final Clock clock;
  private final Consumer<Duration> waiting;

  /** The first of the whole rehearsal: all its reads share one period. */
  private @Nullable Instant firstFailure;

  /** No further read takes place: DynamoDB was down for the whole period. */
  private boolean isDown;

  /**
   * @param read reads what is not there, over the network
   * @param waiting waits for the given time
   */
  RehearsalRounds(
      RequestStreamHandler function, Runnable read, Clock clock, Consumer<Duration> waiting) {
    this.function = function;
    this.read = read;
    this.clock = clock;
    this.waiting = waiting;
  }

  /**
   * Runs all rounds, or as many as begin within {@link #TIME}.
   *
   * @param token authorizes the requests
   * @throws IllegalStateException if a request does not succeed
   * @throws DependencyUnavailableException if reads are still refused when {@link #RETRY_PERIOD} is
   *     over
   */
  void run(RehearsalScript script, String token) {
    Instant end = clock.instant().plus(TIME);
    for (int round = 0; round < script.rounds() && clock.instant().isBefore(end); round++) {
      for (String event : script.events().apply(token)) {
        send(event, script.answer());
      }
      if (round % ROUNDS_PER_READ == 0) {
        end = end.plus(read());
      }
    }
  }

  private void send(String event, String expected) {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    try {
      function.handleRequest(
          new ByteArrayInputStream(event.getBytes(UTF_8)), output, new RehearsalContext());
    } catch (IOException e) {
      throw new IllegalStateException("the rehearsal's event cannot be read", e);
    }
    String answer = output.toString(UTF_8);
    if (!answer.contains(expected)) {
      throw new IllegalStateException("a rehearsed request got the answer " + answer);
    }
  }

  /**
   * Reads, and retries after a pause.
   *
   * @return the total of the pauses
   */
  private Duration read() {
    Duration paused = Duration.ZERO;
    while (!isDown && !tryToRead()) {
      waiting.accept(PAUSE);
      paused = paused.plus(PAUSE);
    }
    return paused;
  }

  private boolean tryToRead() {
    try {
      read.run();
      return true;
    } catch (DependencyUnavailableException e) {
      Instant now = clock.instant();
      if (firstFailure == null) {
        firstFailure = now;
      }
      if (now.isBefore(firstFailure.plus(RETRY_PERIOD))) {
        return false;
      }
      if (isRefusal(e)) {
        throw e;
      }
      isDown = true;
      return true;
    }
  }

  /**
   * Whether a right or the table is missing. Any other failure passes, and Lambda also makes
   * snapshots anew at times of its choice: then it must not take a healthy function down.
   *
   * @see <a
   *     href="https://docs.aws.amazon.com/botocore/latest/reference/services/lambda/client/exceptions/SnapStartRegenerationFailureException.html">SnapStartRegenerationFailureException</a>
   */
  private static boolean isRefusal(DependencyUnavailableException failure) {
    return failure.getCause() instanceof AwsServiceException answer
        && answer.statusCode() < 500
        && !answer.isThrottlingException();
  }
}
