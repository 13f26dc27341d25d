package dev.connectorevents.acceptance.examples;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import dev.connectorevents.emulator.http.HttpAnswer;
import dev.connectorevents.emulator.http.LoopbackServer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/**
 * A stand-in for Stripe's lists of events. As Stripe documents, the newest event comes first. To
 * get the next page of {@code /v1/events}, a client sends the last id of a page as {@code
 * starting_after}. A page of {@code /v2/core/events}, the list of thin events, has the URL of the
 * next one.
 */
final class StandInStripe implements AutoCloseable {

  private static final String KEY = "key-that-reads-events";

  private static final ObjectMapper JSON = new ObjectMapper();

  private record Event(String id, String type, Instant created) {}

  private final LoopbackServer server;
  private final List<Event> newestFirst = new CopyOnWriteArrayList<>();
  private final List<Event> newestThinFirst = new CopyOnWriteArrayList<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();

  StandInStripe() {
    server = LoopbackServer.answering(this::handle);
  }

  /** The settings with which a backfill calls this API. */
  Map<String, String> settings() {
    return Map.of("STRIPE_API_URL", server.endpoint().toString(), "STRIPE_API_KEY", KEY);
  }

  /** Adds an event. It must be newer than all events so far. */
  void created(String id, String type, Duration age) {
    newestFirst.addFirst(new Event(id, type, Instant.now().minus(age)));
  }

  /** As the other, to the list of thin events. */
  void createdThin(String id, String type, Duration age) {
    newestThinFirst.addFirst(new Event(id, type, Instant.now().minus(age)));
  }

  List<String> requests() {
    return List.copyOf(requests);
  }

  private void handle(HttpExchange exchange) throws IOException {
    exchange.getRequestBody().readAllBytes();
    requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath());
    String authorization = exchange.getRequestHeaders().getFirst("Authorization");
    if (authorization.equals("Bearer " + KEY)) {
      boolean isThin = exchange.getRequestURI().getPath().equals("/v2/core/events");
      (isThin ? thinList(exchange) : list(exchange.getRequestURI().getQuery())).send(exchange);
    } else {
      HttpAnswer.json(401, "{\"error\":{\"message\":\"Invalid API Key provided\"}}").send(exchange);
    }
  }

  private static Map<String, String> parameters(String query) {
    return Arrays.stream(query.split("&"))
        .map(parameter -> parameter.split("=", 2))
        .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
  }

  /** Stripe asks for a version on each request of its API v2. */
  private HttpAnswer thinList(HttpExchange exchange) {
    if (!exchange.getRequestHeaders().containsKey("Stripe-Version")) {
      return HttpAnswer.json(400, "{\"error\":{\"message\":\"Stripe-Version is missing\"}}");
    }
    Map<String, String> parameters = parameters(exchange.getRequestURI().getQuery());
    Instant from = Instant.parse(parameters.get("created[gte]"));
    List<Event> events = new ArrayList<>(newestThinFirst);
    events.removeIf(event -> event.created().isBefore(from));
    int begin = Integer.parseInt(parameters.getOrDefault("page", "0"));
    int end = Math.min(begin + Integer.parseInt(parameters.get("limit")), events.size());
    ObjectNode page = JSON.createObjectNode().putNull("previous_page_url");
    String next =
        "/v2/core/events?created%%5Bgte%%5D=%s&limit=%s&page=%d"
            .formatted(parameters.get("created[gte]"), parameters.get("limit"), end);
    page.put("next_page_url", end < events.size() ? next : null).putArray("data");
    for (Event event : events.subList(begin, end)) {
      page.withArray("data")
          .addObject()
          .put("id", event.id())
          .put("object", "v2.core.event")
          .put("created", event.created().truncatedTo(ChronoUnit.MILLIS).toString())
          .put("type", event.type());
    }
    return HttpAnswer.json(200, page.toString());
  }

  private HttpAnswer list(String query) {
    Map<String, String> parameters = parameters(query);
    Instant from = Instant.ofEpochSecond(Long.parseLong(parameters.get("created[gte]")));
    List<Event> events = new ArrayList<>(newestFirst);
    events.removeIf(event -> event.created().isBefore(from));
    String last = parameters.getOrDefault("starting_after", "");
    int begin = events.stream().map(Event::id).toList().indexOf(last) + 1;
    int end = Math.min(begin + Integer.parseInt(parameters.get("limit")), events.size());
    ObjectNode page = JSON.createObjectNode().put("object", "list").put("url", "/v1/events");
    page.put("has_more", end < events.size()).putArray("data");
    events.subList(begin, end).forEach(event -> page.withArray("data").add(json(event)));
    return HttpAnswer.json(200, page.toString());
  }

  private static ObjectNode json(Event event) {
    return JSON.createObjectNode()
        .put("id", event.id())
        .put("object", "event")
        .put("created", event.created().getEpochSecond())
        .put("livemode", false)
        .put("pending_webhooks", 1)
        .put("type", event.type());
  }

  @Override
  public void close() {
    server.close();
  }
}
