package dev.connectorevents.acceptance.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.acceptance.service.ApiClient;
import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.World;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/** A service that has missed events. Backfill scripts look for them. */
final class BackfilledService implements AutoCloseable {

  private static final String EVENTS = "/api/webhook-events";

  private final World service;
  private final String token;

  BackfilledService(Setup setup) {
    service = World.start(setup);
    token = service.client().token();
  }

  /** Returns a random beginning for a test's ids, so that no other test has the same ids. */
  static String prefix() {
    return UUID.randomUUID().toString().substring(0, 8);
  }

  /** The settings with which a script calls the service and a provider's API. */
  Map<String, String> settings(Map<String, String> api) {
    Map<String, String> settings = new HashMap<>(api);
    settings.put("CONNECTOR_API_URL", service.baseUrl() + "/");
    settings.put("CONNECTOR_API_TOKEN", token);
    settings.put("PAUSE", "0.1");
    return settings;
  }

  /**
   * Acts as a connector: stores the event of a webhook, and returns the status for the provider.
   */
  int receive(String key) {
    return post(EVENTS, event(key)).status() == 201 ? 200 : 503;
  }

  void store(List<String> keys) {
    for (int begin = 0; begin < keys.size(); begin += 100) {
      List<String> some = keys.subList(begin, Math.min(begin + 100, keys.size()));
      String events = some.stream().map(BackfilledService::event).collect(Collectors.joining(","));
      ApiClient.Answer answer = post(EVENTS + "/batch", "{\"events\":[" + events + "]}");
      assertThat(answer.body().findValuesAsText("status")).hasSameSizeAs(some).containsOnly("201");
    }
  }

  private static String event(String key) {
    return "{\"idempotency_key\":\"" + key + "\",\"event_type\":\"github.push\",\"payload\":{}}";
  }

  List<String> missing(List<String> keys) {
    String body = "{\"idempotency_keys\":[\"" + String.join("\",\"", keys) + "\"]}";
    ApiClient.Answer answer = post(EVENTS + "/missing", body);
    return answer.body().get("missing").valueStream().map(JsonNode::textValue).toList();
  }

  private ApiClient.Answer post(String path, String body) {
    return service.client().post(path, body, "Authorization", "Bearer " + token);
  }

  /** The service's error message for an invalid token. */
  String refusal(String wrongToken) {
    return service
        .client()
        .post(EVENTS + "/missing", "{}", "Authorization", "Bearer " + wrongToken)
        .body()
        .get("detail")
        .textValue();
  }

  @Override
  public void close() {
    service.close();
  }
}
