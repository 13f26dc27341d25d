package dev.connectorevents.emulator;

import dev.connectorevents.emulator.data.PathTrouble;
import dev.connectorevents.emulator.gateway.Exchange;
import dev.connectorevents.emulator.template.Template;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * What the emulator runs, and where.
 *
 * @param template the SAM template
 * @param port of the API. DynamoDB and Secrets Manager take the two ports above it. With 0, each
 *     takes any free port
 * @param data the directory that stores everything. Without it, everything stays in memory
 * @param parameters values for some of the template's parameters
 * @param elsewhere DynamoDB and Secrets Manager in another process; without it, the emulator starts
 *     its own
 * @param lambda calls the functions of event source mappings; without it, the emulator does
 * @param limits what becomes of the template's route limits
 * @param traffic receives each request to the API with its answer
 * @param log receives each line that a function logs
 */
public record EmulatorOptions(
    Path template,
    int port,
    Optional<Path> data,
    Map<String, String> parameters,
    Optional<Elsewhere> elsewhere,
    Optional<URI> lambda,
    Limits limits,
    Consumer<Exchange> traffic,
    Consumer<String> log) {

  /** What becomes of the template's route limits. */
  public enum Limits {
    ENFORCED,
    LIFTED
  }

  /**
   * DynamoDB and Secrets Manager in another process: LocalStack, moto.
   *
   * @param prefix of the names of all tables and secrets that the emulator creates there
   * @param atStop what becomes of them when the emulator stops
   */
  public record Elsewhere(URI endpoint, String prefix, AtStop atStop) {

    public enum AtStop {
      KEPT,
      DELETED
    }

    /** Under unique names, deleted at the end. */
    public static Elsewhere temporary(URI endpoint) {
      return new Elsewhere(endpoint, "emulator-" + UUID.randomUUID() + "-", AtStop.DELETED);
    }

    /** Under names that a later start finds again. */
    public static Elsewhere kept(URI endpoint, String prefix) {
      return new Elsewhere(endpoint, prefix, AtStop.KEPT);
    }

    boolean isTemporary() {
      return atStop == AtStop.DELETED;
    }
  }

  public EmulatorOptions {
    parameters = Map.copyOf(parameters);
  }

  /** Applies the route limits, and prints the log. */
  public EmulatorOptions(
      Path template,
      int port,
      Optional<Path> data,
      Map<String, String> parameters,
      Optional<Elsewhere> elsewhere) {
    this(
        template,
        port,
        data,
        parameters,
        elsewhere,
        Optional.empty(),
        Limits.ENFORCED,
        exchange -> {},
        line -> System.out.println(line));
  }

  /** Starts its own DynamoDB and Secrets Manager, and applies the route limits. */
  public EmulatorOptions(
      Path template, int port, Optional<Path> data, Map<String, String> parameters) {
    this(template, port, data, parameters, Optional.empty());
  }

  /** In memory, on free ports, with the template's own defaults. */
  public static EmulatorOptions inMemory(Path template) {
    return new EmulatorOptions(template, 0, Optional.empty(), Map.of());
  }

  /** The same, and shows each exchange of the API to an observer. */
  public EmulatorOptions observed(Consumer<Exchange> observer) {
    return new EmulatorOptions(
        template, port, data, parameters, elsewhere, lambda, limits, observer, log);
  }

  /** The same, but a consumer receives the log. */
  public EmulatorOptions logged(Consumer<String> lines) {
    return new EmulatorOptions(
        template, port, data, parameters, elsewhere, lambda, limits, traffic, lines);
  }

  /** The same without the template's route limits. */
  public EmulatorOptions unthrottled() {
    return new EmulatorOptions(
        template, port, data, parameters, elsewhere, lambda, Limits.LIFTED, traffic, log);
  }

  /** The same, but a Lambda at this endpoint calls the functions of event source mappings. */
  public EmulatorOptions mappedBy(URI endpoint) {
    return new EmulatorOptions(
        template, port, data, parameters, elsewhere, Optional.of(endpoint), limits, traffic, log);
  }

  /**
   * Reads the template.
   *
   * @throws IOException with the template's path, when it cannot be read
   */
  Template readTemplate() throws IOException {
    try {
      return Template.read(template, parameters, prefix());
    } catch (IOException e) {
      throw new IOException(
          "the template " + template + " cannot be read: " + PathTrouble.of(e), e);
    }
  }

  String prefix() {
    return elsewhere.map(Elsewhere::prefix).orElse("");
  }

  int dynamoDbPort() {
    return port == 0 ? 0 : port + 1;
  }

  int secretsManagerPort() {
    return port == 0 ? 0 : port + 2;
  }
}
