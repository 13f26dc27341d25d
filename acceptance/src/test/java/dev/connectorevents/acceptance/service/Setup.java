package dev.connectorevents.acceptance.service;

import dev.connectorevents.emulator.EmulatorOptions;
import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.emulator.gateway.Exchange;
import dev.connectorevents.local.CheapHashes;
import dev.connectorevents.local.contract.Traffic;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The settings with which a test starts a {@link World}. Without changes: the service's template,
 * in real time, without route limits, with the AWS endpoint of this test run.
 */
public final class Setup {

  Product product = Product.SOUND;
  WorldClock clock = WorldClock.fromNow();
  boolean isThrottled;
  private Path template = World.TEMPLATE;
  private Map<String, String> parameters = Map.of();
  private boolean isInProcess;
  Consumer<String> log = line -> System.out.println(line);
  Consumer<Exchange> traffic = Traffic.RECORDED;

  public Setup template(Path other) {
    template = other;
    return this;
  }

  public Setup parameters(Map<String, String> values) {
    parameters = Map.copyOf(values);
    return this;
  }

  /**
   * Runs DynamoDB and Secrets Manager in this process, even if this test run has another AWS
   * endpoint.
   */
  public Setup inProcess() {
    isInProcess = true;
    return this;
  }

  public Setup throttled() {
    isThrottled = true;
    return this;
  }

  /** Gives each line that a function logs to this consumer, instead of printing it. */
  public Setup logged(Consumer<String> lines) {
    log = lines;
    return this;
  }

  /** Keeps the exchanges of the API out of what is judged by the published contract. */
  public Setup unrecorded() {
    traffic = exchange -> {};
    return this;
  }

  /** Runs this product, which may have a planted defect. */
  public Setup product(Product other) {
    product = other;
    return this;
  }

  public Setup clock(WorldClock other) {
    clock = other;
    return this;
  }

  EmulatorOptions options() {
    Map<String, String> all = new HashMap<>(CheapHashes.PARAMETERS);
    all.putAll(parameters);
    Path cheap = CheapHashes.allowedIn(template);
    return isInProcess
        ? new EmulatorOptions(cheap, 0, Optional.empty(), all)
        : Endpoint.options(cheap, all);
  }
}
