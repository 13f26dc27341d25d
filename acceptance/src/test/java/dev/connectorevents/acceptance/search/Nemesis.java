package dev.connectorevents.acceptance.search;

import dev.connectorevents.functions.wiring.Sleep;
import java.time.Duration;
import java.util.Random;

/** Changes the weather, restarts the service and sets its clocks. */
final class Nemesis implements Worker {

  private static final Duration MINUTE = Duration.ofSeconds(60);

  private final Deployment deployment;
  private final boolean mayJump;
  private final Random random;

  /** One direction for the whole run. With both, the clocks could be set back by two minutes. */
  private final Duration wrong;

  private Duration offset = Duration.ZERO;

  /**
   * @param mayJump whether it sets clocks: tokens cannot be judged for some time after that
   */
  Nemesis(Deployment deployment, boolean mayJump, Random random) {
    this.deployment = deployment;
    this.mayJump = mayJump;
    this.random = random;
    this.wrong = random.nextBoolean() ? MINUTE : MINUTE.negated();
  }

  @Override
  public void step() {
    Sleep.of(Duration.ofMillis(random.nextInt(30, 300)));
    switch (random.nextInt(25)) {
      case 0 -> deployment.restart();
      case 1, 2 -> {
        if (mayJump) {
          jump();
        }
      }
      default -> deployment.weather().change(random);
    }
  }

  /** Away from the right time, or back to it. */
  private void jump() {
    Duration by = offset.isZero() ? wrong : offset.negated();
    deployment.jump(by);
    offset = offset.plus(by);
  }
}
