package dev.connectorevents.user;

import java.time.Duration;
import java.util.Optional;

/**
 * Slows down whoever guesses passwords, without locking out the connector whose address is guessed
 * at: attempts are counted by address and source.
 */
public interface LoginAttempts {

  /** Attempts from one source at one address, without a success, before it has to wait. */
  int MAX_PER_SOURCE = 10;

  /** The same over all sources that have not logged in lately. */
  int MAX_PER_ADDRESS = 100;

  /** How long attempts count after the last one, and so how long somebody has to wait. */
  Duration WINDOW = Duration.ofMinutes(15);

  /** How long a source that has logged in is spared what others do to its address. */
  Duration FAMILIAR = Duration.ofDays(30);

  /**
   * Counts an attempt, before its password is looked at, whether or not the address is a user's.
   *
   * @param source the address that the connection comes from
   * @return how long to wait if there were too many; such an attempt is not counted
   */
  Optional<Duration> begin(Email email, String source);

  /** Clears the count of that source at that address, after it knew the password. */
  void succeeded(Email email, String source);
}
