package dev.connectorevents.functions.snapshot;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.Users;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes the rehearsal's reads over the network, and retries a failed one for a while: in a first
 * deploy the function's role is seconds old, and IAM takes some time to replicate it.
 *
 * @see <a
 *     href="https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot.html#troubleshoot_general_eventual-consistency">Changes
 *     that I make are not always immediately visible</a>
 */
final class RehearsalReads {

  /**
   * How long after the first failure reads are retried. Lambda allows 130 s for the whole
   * initialization, or the function's timeout if that is longer.
   *
   * @see <a
   *     href="https://docs.aws.amazon.com/lambda/latest/dg/snapstart-runtime-hooks-java.html">Lambda
   *     SnapStart runtime hooks for Java</a>
   */
  static final Duration RETRY_PERIOD = Duration.ofMinutes(1);

  static final Duration PAUSE = Duration.ofSeconds(3);

  private final Users users;
  private final Email email;
  private final Clock clock;
  private final Consumer<Duration> waiting;

  /** The first of the whole rehearsal: all its reads share one period. */
  private @Nullable Instant firstFailure;

  /**
   * @param email the address to look for; no user has it
   * @param waiting waits for the given time
   */
  RehearsalReads(Users users, Email email, Clock clock, Consumer<Duration> waiting) {
    this.users = users;
    this.email = email;
    this.clock = clock;
    this.waiting = waiting;
  }

  /**
   * Looks for the user, and retries after a pause.
   *
   * @return the total of the pauses
   * @throws DependencyUnavailableException if reads still fail when {@link #RETRY_PERIOD} is over
   */
  Duration read() {
    Duration paused = Duration.ZERO;
    while (!tryToRead()) {
      waiting.accept(PAUSE);
      paused = paused.plus(PAUSE);
    }
    return paused;
  }

  private boolean tryToRead() {
    try {
      users.find(email);
      return true;
    } catch (DependencyUnavailableException e) {
      Instant now = clock.instant();
      if (firstFailure == null) {
        firstFailure = now;
      }
      if (!now.isBefore(firstFailure.plus(RETRY_PERIOD))) {
        throw e;
      }
      return false;
    }
  }
}
