package dev.connectorevents.local.inspector;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.local.inspector.Resender.EditedRequest;
import dev.connectorevents.user.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A connector's request in API Gateway's format, as the files of {@code events/} have it.
 *
 * @param path a stranger's template may come without this file
 */
record ExampleFile(Path path) {

  /** HTTP clients set the others themselves. */
  private static final Set<String> HEADERS = Set.of("content-type", "idempotency-key");

  EditedRequest request() throws NotSendableException, IOException {
    if (!Files.exists(path)) {
      throw new NotSendableException("There is no " + path + ".");
    }
    JsonNode event = new ObjectMapper().readTree(path.toFile());
    Map<String, String> headers = new TreeMap<>();
    event.path("headers").properties().stream()
        .filter(header -> HEADERS.contains(header.getKey()))
        .forEach(header -> headers.put(header.getKey(), header.getValue().asText()));
    return new EditedRequest(
        event.at("/requestContext/http/method").asText(),
        event.path("rawPath").asText(),
        headers,
        event.path("body").asText(),
        Role.CONNECTOR);
  }
}
