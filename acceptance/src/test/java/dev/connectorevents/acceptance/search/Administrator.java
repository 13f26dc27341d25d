package dev.connectorevents.acceptance.search;

import dev.connectorevents.functions.wiring.Sleep;
import java.time.Duration;
import java.util.Random;

/** Revokes the tokens of a user, and rotates the signing key. */
final class Administrator implements Worker {

  private final Client client;
  private final Account victim;
  private final Runnable rotate;
  private final Random random;

  Administrator(Client client, Account victim, Runnable rotate, Random random) {
    this.client = client;
    this.victim = victim;
    this.rotate = rotate;
    this.random = random;
  }

  @Override
  public void step() {
    Sleep.of(Duration.ofMillis(random.nextInt(100, 600)));
    if (random.nextInt(4) == 0) {
      rotate.run();
    } else {
      client.change(victim, CallHistory.Change.Kind.REVOCATION);
    }
  }
}
