package dev.connectorevents.local.inspector;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.local.ServedLocally;
import dev.connectorevents.local.SharedService;
import java.io.IOException;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The {@link SharedService} with its inspector. */
@SuppressWarnings("NullAway.Init")
final class InspectedService implements BeforeAllCallback {

  private final SharedService shared = new SharedService();
  private String token;

  @Override
  public void beforeAll(ExtensionContext context) {
    shared.beforeAll(context);
    token = service().token(); // a test of another class may have revoked the user's tokens
  }

  ServedLocally service() {
    return shared.service();
  }

  String token() {
    return token;
  }

  static String order(String payload) {
    return "{\"event_type\":\"shopify.orders/create\",\"payload\":%s}".formatted(payload);
  }

  /** Sends an event, and returns API Gateway's id of the request. */
  String sendEvent(String body, String... headers) {
    return service().sendEvent(token, body, headers);
  }

  /** What the inspector shows of a request. */
  JsonNode shown(String id) {
    return service().json("/_inspector/requests/" + id);
  }

  /** The rows that a page gets first: all that are kept. */
  JsonNode rows() throws IOException {
    try (RowStreamTest.Stream stream =
        new RowStreamTest.Stream(service().url("/_inspector/stream"))) {
      return stream.next();
    }
  }
}
