package dev.connectorevents.acceptance.runbooks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.acceptance.service.RunningService;
import dev.connectorevents.functions.eraseevents.EraseEventsFunction;
import dev.connectorevents.functions.lambda.OperatorFunction;
import dev.connectorevents.functions.wiring.AwsClients;
import dev.connectorevents.functions.wiring.Sleep;
import dev.connectorevents.functions.wiring.Wiring;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Map;

/**
 * The function {@code eraseevents} with a clock that runs {@value #SPEED} times as fast as real
 * time. An erasure waits 17 s and more, until it can find all events that it must erase.
 */
public final class FastErasure extends OperatorFunction {

  static final int SPEED = 100;

  public FastErasure(Map<String, String> environment) {
    super(
        EraseEventsFunction.handler(
            new Wiring(
                environment, AwsClients.overTheNetwork(environment), fastClock(), Sleep::of)));
  }

  private static Clock fastClock() {
    Instant begun = Instant.now();
    long start = System.nanoTime();
    InstantSource source = () -> begun.plusNanos((System.nanoTime() - start) * SPEED);
    return source.withZone(ZoneOffset.UTC);
  }

  /** Writes a copy of the template with this function, and returns its path. */
  static Path plantedIn(Path folder) throws IOException {
    String template = Files.readString(RunningService.TEMPLATE);
    String planted =
        template.replace(
            "Handler: " + EraseEventsFunction.class.getName(),
            "Handler: " + FastErasure.class.getName());
    assertThat(planted).isNotEqualTo(template);
    return Files.writeString(folder.resolve("template.yaml"), planted);
  }
}
