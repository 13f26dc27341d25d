package dev.connectorevents.acceptance.examples;

import com.sun.net.httpserver.HttpExchange;
import dev.connectorevents.emulator.http.HttpAnswer;
import dev.connectorevents.emulator.http.LoopbackServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/**
 * A stand-in for Stripe's list of events. As Stripe documents, the newest event comes first. To get
 * the next page of {@code /v1/events}, a client sends the last id of a page as {@code
 * starting_after}.
 */
final class StandInStripe implements AutoCloseable {

  private record Event(String id, String body, long created) {}

  private final LoopbackServer server = LoopbackServer.answering(this::handle);
  private final List<Event> newestFirst = new CopyOnWriteArrayList<>();

  /** The settings with which {@code complete.py} calls this API. */
  Map<String, String> settings() {
    return Map.of(
        "STRIPE_API_URL", server.endpoint().toString(), "STRIPE_API_KEY", "key", "EVENTS", "*");
  }

  /** Adds an event. It must be newer than all events so far. */
  void created(String id, String body, long created) {
    newestFirst.addFirst(new Event(id, body, created));
  }

  private void handle(HttpExchange exchange) throws IOException {
    exchange.getRequestBody().readAllBytes();
    list(exchange.getRequestURI().getQuery()).send(exchange);
  }

  private HttpAnswer list(String query) {
    Map<String, String> parameters =
        Arrays.stream(query.split("&"))
            .map(parameter -> parameter.split("=", 2))
            .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
    List<Event> events = new ArrayList<>(newestFirst);
    events.removeIf(event -> event.created() < Long.parseLong(parameters.get("created[gte]")));
    events.removeIf(event -> event.created() >= Long.parseLong(parameters.get("created[lt]")));
    String last = parameters.getOrDefault("starting_after", "");
    int begin = events.stream().map(Event::id).toList().indexOf(last) + 1;
    int end = Math.min(begin + Integer.parseInt(parameters.get("limit")), events.size());
    String page =
        events.subList(begin, end).stream().map(Event::body).collect(Collectors.joining(","));
    return HttpAnswer.json(
        200,
        "{\"object\":\"list\",\"has_more\":" + (end < events.size()) + ",\"data\":[" + page + "]}");
  }

  @Override
  public void close() {
    server.close();
  }
}
