package dev.connectorevents.local;

import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * How the service is to run.
 *
 * @param port of the API; DynamoDB and Secrets Manager take the two above it. 0 lets each of them
 *     have any free one
 * @param data where everything is stored; in memory without it
 * @param parameters values for some of the template's parameters
 * @param elsewhere what stands in for DynamoDB and Secrets Manager, unless it is to run in here
 * @param isThrottled whether the API's routes have the template's limits
 */
public record LocalOptions(
    Path template,
    int port,
    Optional<Path> data,
    Map<String, String> parameters,
    Optional<Elsewhere> elsewhere,
    boolean isThrottled) {
  /** There are two ports above it. */
  static final int MAX_PORT = 65_533;

  /**
   * DynamoDB and Secrets Manager in another process: LocalStack, moto.
   *
   * @param prefix of the names of all that is made there
   * @param isTemporary whether that is deleted again when the service stops
   */
  public record Elsewhere(URI endpoint, String prefix, boolean isTemporary) {
    public Elsewhere {
      if (endpoint.getHost() == null || !isHttp(endpoint)) {
        throw new IllegalArgumentException(
            "an endpoint is a URL such as http://localhost:4566, not " + endpoint);
      }
    }

    private static boolean isHttp(URI endpoint) {
      return "http".equalsIgnoreCase(endpoint.getScheme())
          || "https".equalsIgnoreCase(endpoint.getScheme());
    }

    /** Under the same names each time, so that others find them: functions under `sam local`. */
    public static Elsewhere kept(URI endpoint) {
      return new Elsewhere(endpoint, "connector-events-local-", false);
    }

    /** Under names that nobody else has. */
    public static Elsewhere temporary(URI endpoint) {
      return new Elsewhere(endpoint, "connector-events-" + UUID.randomUUID() + "-", true);
    }
  }

  public LocalOptions {
    if (port < 0 || port > MAX_PORT) {
      throw new IllegalArgumentException("a port is 0 to " + MAX_PORT + ", not " + port);
    }
    parameters = Map.copyOf(parameters);
  }

  /** With DynamoDB and Secrets Manager in here, and the template's limits. */
  public LocalOptions(
      Path template, int port, Optional<Path> data, Map<String, String> parameters) {
    this(template, port, data, parameters, Optional.empty(), true);
  }

  /** In memory, on free ports, with the template's own defaults. */
  public static LocalOptions inMemory(Path template) {
    return new LocalOptions(template, 0, Optional.empty(), Map.of());
  }

  /** For more requests than the template lets through. */
  public LocalOptions unthrottled() {
    return new LocalOptions(template, port, data, parameters, elsewhere, false);
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
