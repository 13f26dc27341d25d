package dev.connectorevents.acceptance.storm;

import dev.connectorevents.functions.wiring.Sleep;
import java.time.Duration;
import java.util.Random;

/**
 * Changes which calls to AWS fail, restarts the service, sets its clocks, and rotates the signing
 * key once, so that each token of the storm stays valid.
 */
final class Nemesis implements Worker {

  private static final Duration MINUTE = Duration.ofSeconds(60);

  private final Deployment deployment;
  private final boolean mayJump;
  private final Random random;

  /**
   * The error of the clocks after a jump to a wrong time; negative if they are then behind. It
   * stays the same during a storm: otherwise two jumps could set the clocks back by two minutes in
   * all.
   */
  private final Duration wrong;

  private Duration offset = Duration.ZERO;

  /** How many steps come before the rotation. */
  private int untilRotation;

  /**
   * @param mayJump whether the nemesis sets the clocks; in a storm with jumps, the rules check less
   */
  Nemesis(Deployment deployment, boolean mayJump, Random random) {
    this.deployment = deployment;
    this.mayJump = mayJump;
    this.random = random;
    this.untilRotation = random.nextInt(6);
    this.wrong = random.nextBoolean() ? MINUTE : MINUTE.negated();
  }

  @Override
  public void step() {
    Sleep.of(untilNextChange());
    if (untilRotation-- == 0) {
      deployment.rotateKey();
    }
    switch (random.nextInt(25)) {
      case 0 -> deployment.killAndRestart();
      case 1, 2 -> {
        if (mayJump) {
          jump();
        }
      }
      default -> deployment.weather().change(random);
    }
  }

  /**
   * How long the current weather lasts. This is usually shorter than a call with its retries, so
   * that a retry can succeed. Sometimes it is longer, so that the call fails.
   */
  private Duration untilNextChange() {
    boolean isLong = random.nextInt(6) == 0;
    return Duration.ofMillis(isLong ? random.nextInt(1_000, 2_000) : random.nextInt(30, 300));
  }

  /** Sets the clocks to a wrong time, or from a wrong time back to the right time. */
  private void jump() {
    Duration by = offset.isZero() ? wrong : offset.negated();
    deployment.jump(by);
    offset = offset.plus(by);
  }
}
