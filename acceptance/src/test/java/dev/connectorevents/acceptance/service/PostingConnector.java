package dev.connectorevents.acceptance.service;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.acceptance.service.ApiClient.Answer;
import java.util.ArrayList;
import java.util.List;

/** A connector that has logged in and posts events. It starts a service of its own. */
public final class PostingConnector implements AutoCloseable {

  public static final String EVENTS = "/api/webhook-events";

  private final World service = World.start();
  private final String token = service.client().token();

  public World service() {
    return service;
  }

  public String token() {
    return token;
  }

  /** The body of a request that creates an event with this payload. */
  public static String body(String payload) {
    return "{\"event_type\":\"shopify.orders/create\",\"payload\":" + payload + "}";
  }

  public Answer post(String body) {
    return post(body.getBytes(UTF_8));
  }

  /**
   * Posts an event, as JSON unless the headers have a {@code Content-Type}.
   *
   * @param headers a name, its value, the next name, its value, and so on
   */
  public Answer post(byte[] body, String... headers) {
    List<String> all = new ArrayList<>(List.of("Authorization", "Bearer " + token));
    all.addAll(List.of(headers));
    if (!all.contains("Content-Type")) {
      all.addAll(List.of("Content-Type", "application/json"));
    }
    return service.client().post(EVENTS, body, all.toArray(String[]::new));
  }

  @Override
  public void close() {
    service.close();
  }
}
