package dev.connectorevents.acceptance.attacks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.acceptance.service.RunningService;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Routes that accept a connector's token. The tests call their functions directly, as Lambda does,
 * because an HTTP client refuses to send some forged tokens.
 */
enum ProtectedRoute {
  CREATE_EVENT("CreateEventFunction", "create-webhook-event.shopify", 201),
  CREATE_BATCH("CreateBatchFunction", "create-webhook-event-batch", 200),
  FIND_MISSING("FindMissingFunction", "find-missing-webhook-events", 200),
  ME("MeFunction", "me", 200),
  REFRESH("RefreshFunction", "refresh", 200);

  private static final ObjectMapper JSON = new ObjectMapper();

  private final String function;
  private final String event;
  private final int success;

  ProtectedRoute(String function, String event, int success) {
    this.function = function;
    this.event = event;
    this.success = success;
  }

  String function() {
    return function;
  }

  int success() {
    return success;
  }

  /**
   * Invokes the route's function with this token, and returns its answer in the format for API
   * Gateway.
   */
  JsonNode call(RunningService service, String token) throws IOException {
    ObjectNode sent = (ObjectNode) JSON.readTree(Path.of("../events", event + ".json").toFile());
    ((ObjectNode) sent.get("headers")).put("authorization", "Bearer " + token);
    return service.operator().invoke(function, sent.toString());
  }
}
