package dev.connectorevents.user;

import java.time.Duration;
import java.util.Optional;

/**
 * Slows password guessing down without locking out the connector whose address is guessed at:
 * failures are counted by address and source.
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
   * The wait before the next try, whether or not the address belongs to a user; empty if it may be
   * tried now.
   *
   * @param source the address that the connection comes from
   */
  Optional<Duration> toWait(Email email, String source);

  /**
   * Counts a failure.
   *
   * @return how long to wait, if others that ran meanwhile have used up what is allowed: nobody is
   *     then told how this attempt ended
   */
  Optional<Duration> failed(Email email, String source);

  /**
   * Clears the count of that source at that address.
   *
   * @return as of {@link #failed}; nothing is cleared then
   */
  Optional<Duration> succeeded(Email email, String source);
}
