package dev.connectorevents.acceptance.service;

import dev.connectorevents.emulator.EmulatorOptions;
import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.local.CheapHashes;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The settings with which a test starts the service.
 *
 * @param parameters values for parameters of the template
 * @param isInProcess whether DynamoDB and Secrets Manager must run in this process, even if this
 *     test run has another AWS endpoint
 * @param isThrottled whether the template's route limits apply
 * @param log receives each line that a function logs
 */
public record Setup(
    Path template,
    Map<String, String> parameters,
    boolean isInProcess,
    boolean isThrottled,
    Consumer<String> log) {

  /** The settings with the AWS endpoint of this test run, and without route limits. */
  public static final Setup DEFAULT =
      new Setup(RunningService.TEMPLATE, Map.of(), false, false, line -> System.out.println(line));

  public Setup {
    parameters = Map.copyOf(parameters);
  }

  public Setup template(Path other) {
    return new Setup(other, parameters, isInProcess, isThrottled, log);
  }

  public Setup parameters(Map<String, String> values) {
    return new Setup(template, values, isInProcess, isThrottled, log);
  }

  public Setup inProcess() {
    return new Setup(template, parameters, true, isThrottled, log);
  }

  public Setup throttled() {
    return new Setup(template, parameters, isInProcess, true, log);
  }

  public Setup logged(Consumer<String> lines) {
    return new Setup(template, parameters, isInProcess, isThrottled, lines);
  }

  EmulatorOptions options() {
    Map<String, String> all = new HashMap<>(CheapHashes.PARAMETERS);
    all.putAll(parameters);
    Path cheap = CheapHashes.allowedIn(template);
    EmulatorOptions options =
        isInProcess
            ? new EmulatorOptions(cheap, 0, Optional.empty(), all)
            : Endpoint.options(cheap, all);
    return (isThrottled ? options : options.unthrottled()).logged(log);
  }
}
