package dev.connectorevents.local.inspector;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.local.ServedLocally;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;

/**
 * The service with its inspector. All test classes of a process share one service, because a start
 * takes a second. JUnit closes the service at the end.
 */
@SuppressWarnings("NullAway.Init")
final class InspectedService implements BeforeAllCallback {

  private ServedLocally service;
  private String token;

  @Override
  public void beforeAll(ExtensionContext context) {
    service =
        context
            .getStore(StoreScope.LAUNCHER_SESSION, Namespace.create(InspectedService.class))
            .computeIfAbsent(
                ServedLocally.class, key -> ServedLocally.start(), ServedLocally.class);
    token = service.token(); // a test of another class may have revoked the user's tokens
  }

  ServedLocally service() {
    return service;
  }

  String token() {
    return token;
  }

  static String order(String payload) {
    return "{\"event_type\":\"shopify.orders/create\",\"payload\":%s}".formatted(payload);
  }

  /** Sends an event, and returns API Gateway's id of the request. */
  String sendEvent(String body, String... headers) {
    return service.sendEvent(token, body, headers);
  }

  /** What the inspector shows of a request. */
  JsonNode shown(String id) {
    return service.json("/_inspector/requests/" + id);
  }
}
