package dev.connectorevents.acceptance.search;

import dev.connectorevents.functions.wiring.Sleep;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Revokes the tokens of a user, rotates the signing key, and changes the scopes of other users. */
final class Administrator implements Worker {

  private final Client client;
  private final Account victim;
  private final List<Account> scoped;
  private final Runnable rotation;
  private final Random random;
  private final Set<Account> lifted = new HashSet<>();

  /**
   * @param victim the user whose tokens the administrator revokes
   * @param scoped the users whose scopes the administrator changes
   */
  Administrator(
      Client client, Account victim, List<Account> scoped, Runnable rotation, Random random) {
    this.client = client;
    this.victim = victim;
    this.scoped = List.copyOf(scoped);
    this.rotation = rotation;
    this.random = random;
  }

  @Override
  public void step() {
    Sleep.of(Duration.ofMillis(random.nextInt(100, 600)));
    if (random.nextInt(4) == 0) {
      rotation.run();
    } else {
      client.change(victim, CallHistory.Change.Kind.REVOCATION);
    }
    Account account = scoped.get(random.nextInt(scoped.size()));
    client.give(account, scope(account));
  }

  /**
   * Returns a random scope, but {@link GivenScope#NONE} at most once for an account. Scopes must be
   * unique (see {@link Client#give}), and a second {@code NONE} would equal the first.
   */
  private GivenScope scope(Account account) {
    GivenScope[] scopes = GivenScope.values();
    GivenScope scope = scopes[random.nextInt(scopes.length)];
    return scope == GivenScope.NONE && !lifted.add(account) ? GivenScope.ALL : scope;
  }
}
