package dev.connectorevents.local;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * How the service is to run.
 *
 * @param port of the API; DynamoDB and Secrets Manager take the two above it. 0 lets each of them
 *     have any free one
 * @param data where everything is stored; in memory without it
 * @param parameters values for some of the template's parameters
 */
public record LocalOptions(
    Path template, int port, Optional<Path> data, Map<String, String> parameters) {
  public LocalOptions {
    if (port < 0 || port > 65_533) {
      throw new IllegalArgumentException("a port is 0 to 65533, not " + port);
    }
    parameters = Map.copyOf(parameters);
  }

  /** In memory, on free ports, with the template's own defaults. */
  public static LocalOptions inMemory(Path template) {
    return new LocalOptions(template, 0, Optional.empty(), Map.of());
  }

  int dynamoDbPort() {
    return port == 0 ? 0 : port + 1;
  }

  int secretsManagerPort() {
    return port == 0 ? 0 : port + 2;
  }
}
