package dev.connectorevents.local.history;

import dev.connectorevents.functions.wiring.Sleep;
import java.time.Duration;
import java.util.Random;
import java.util.function.Consumer;

/** Changes the weather, restarts the service and sets its clocks. */
final class Nemesis implements Worker {

  private static final Duration JUMP = Duration.ofSeconds(60);

  private final Weather weather;
  private final Runnable restart;
  private final Consumer<Duration> jump;
  private final boolean mayJump;
  private final Random random;

  /**
   * @param mayJump whether it sets clocks: tokens cannot be judged for some time after that
   */
  Nemesis(
      Weather weather, Runnable restart, Consumer<Duration> jump, boolean mayJump, Random random) {
    this.weather = weather;
    this.restart = restart;
    this.jump = jump;
    this.mayJump = mayJump;
    this.random = random;
  }

  @Override
  public void step() {
    Sleep.of(Duration.ofMillis(random.nextInt(30, 300)));
    switch (random.nextInt(25)) {
      case 0 -> restart.run();
      case 1, 2 -> {
        if (mayJump) {
          jump.accept(random.nextBoolean() ? JUMP : JUMP.negated());
        }
      }
      default -> weather.change(random);
    }
  }
}
