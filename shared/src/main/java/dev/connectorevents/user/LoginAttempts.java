package dev.connectorevents.user;

import dev.connectorevents.DependencyUnavailableException;
import java.time.Duration;
import java.util.Optional;

/**
 * Counts failed logins by address and source. That slows password guessing down, but does not lock
 * out the connector whose address somebody guesses at.
 *
 * <p>Every method throws {@link DependencyUnavailableException} if the store does not answer.
 */
public interface LoginAttempts {

  /** Failures from one source at one address before it has to wait. */
  int MAX_FAILURES = 10;

  /** Failures at one address, over all sources that have not logged in with it lately. */
  int MAX_FAILURES_AT_ADDRESS = 100;

  /** Failures from one source, over all addresses with which it has not logged in lately. */
  int MAX_FAILURES_FROM_SOURCE = 100;

  /** How long failures count after the last one: the longest wait. */
  Duration WINDOW = Duration.ofMinutes(15);

  /** How long after a success a source is exempt from the wider limits. */
  Duration FAMILIAR = Duration.ofDays(30);

  /**
   * How long to wait before the next try; empty if a try is allowed now. An unknown address gets
   * the same answer as a user's.
   *
   * @param source the IP address that the connection comes from
   */
  Optional<Duration> toWait(Email email, String source);

  /**
   * Counts a failure.
   *
   * @return how long to wait, if concurrent attempts have reached the limit meanwhile. The answer
   *     must then not reveal how this attempt ended.
   */
  Optional<Duration> failed(Email email, String source);

  /**
   * Clears the count of this source at this address.
   *
   * @return as {@link #failed}; if there is a wait, nothing was cleared
   */
  Optional<Duration> succeeded(Email email, String source);
}
