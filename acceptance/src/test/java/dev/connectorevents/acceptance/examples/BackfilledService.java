package dev.connectorevents.acceptance.examples;

import static dev.connectorevents.acceptance.examples.ConnectedService.await;

import dev.connectorevents.acceptance.service.Batches;
import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.World;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A service that has missed events. Backfill scripts look for them. */
final class BackfilledService implements AutoCloseable {

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

  /** With a proxy at which nobody answers: a script that used it would give it the tokens. */
  Map<String, String> settings(Map<String, String> api) {
    Map<String, String> settings = new HashMap<>(api);
    settings.put("CONNECTOR_API_URL", service.baseUrl() + "/");
    settings.put("CONNECTOR_API_TOKEN", token);
    settings.put("PAUSE", "0.1");
    settings.put("http_proxy", "http://127.0.0.1:9");
    return settings;
  }

  /** Acts as a connector: returns the status for the provider. */
  int receive(String key) {
    return areStored(List.of(key)) ? 200 : 503;
  }

  void store(List<String> keys) throws Exception {
    for (int begin = 0; begin < keys.size(); begin += 100) {
      List<String> some = keys.subList(begin, Math.min(begin + 100, keys.size()));
      await(() -> areStored(some));
    }
  }

  private boolean areStored(List<String> keys) {
    List<String> events = keys.stream().map(key -> Batches.event(key, "{}")).toList();
    return Batches.results(Batches.send(service, token, events))
        .valueStream()
        .allMatch(result -> result.get("status").intValue() == 201);
  }

  /** The service's error message for an invalid token. */
  String refusal(String wrongToken) {
    return service
        .client()
        .post("/api/webhook-events/missing", "{}", wrongToken)
        .body()
        .get("detail")
        .textValue();
  }

  @Override
  public void close() {
    service.close();
  }
}
