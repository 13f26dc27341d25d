package dev.connectorevents.acceptance.examples;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import dev.connectorevents.emulator.http.HttpAnswer;
import dev.connectorevents.emulator.http.LoopbackServer;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A stand-in for GitHub's REST API for the deliveries of a repository's webhook. As GitHub
 * documents, {@code Link} leads to the next page, a request to redeliver gets 202, and a redelivery
 * has the GUID of the first delivery.
 */
final class StandInGitHub implements AutoCloseable {

  private static final String TOKEN = "token-of-an-administrator";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern DELIVERIES =
      Pattern.compile("/repos/octo/hub/hooks/7/deliveries(?:/(\\d+)/attempts)?");
  private static final Pattern CURSOR = Pattern.compile("per_page=100&cursor=v1_(\\d+)");

  private record Delivery(
      long id,
      String guid,
      String event,
      Instant deliveredAt,
      boolean isRedelivery,
      int statusCode) {}

  private final LoopbackServer server;
  private final ToIntFunction<String> connector;
  private final List<Delivery> deliveries = new ArrayList<>();

  /** The connector gets the GUID of each redelivery, and returns a status. */
  StandInGitHub(ToIntFunction<String> connector) {
    this.connector = connector;
    server = LoopbackServer.answering(this::handle);
  }

  Map<String, String> settings() {
    return Map.of(
        "GITHUB_API_URL",
        server.endpoint().toString(),
        "GITHUB_TOKEN",
        TOKEN,
        "GITHUB_HOOK",
        "repos/octo/hub/hooks/7");
  }

  /** Adds a delivery. It is a redelivery if an earlier delivery has the same GUID. */
  synchronized void delivered(String guid, String event, int statusCode) {
    boolean isRedelivery = deliveries.stream().anyMatch(each -> each.guid().equals(guid));
    Instant at = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    long id = 12_345_678_901_000L + deliveries.size();
    deliveries.add(new Delivery(id, guid, event, at, isRedelivery, statusCode));
  }

  private synchronized void handle(HttpExchange exchange) throws IOException {
    exchange.getRequestBody().readAllBytes();
    Matcher path = DELIVERIES.matcher(exchange.getRequestURI().getPath());
    if (!path.matches()) {
      HttpAnswer.json(404, "{\"message\":\"Not Found\"}").send(exchange);
    } else if (path.group(1) == null) {
      list(exchange).send(exchange);
    } else {
      redeliver(Long.parseLong(path.group(1)));
      HttpAnswer.json(202, "{}").send(exchange);
    }
  }

  private HttpAnswer list(HttpExchange exchange) {
    List<Delivery> newestFirst = new ArrayList<>(deliveries);
    newestFirst.sort(
        Comparator.comparing(Delivery::deliveredAt).thenComparingLong(Delivery::id).reversed());
    Matcher cursor = CURSOR.matcher(exchange.getRequestURI().getQuery());
    int begin = cursor.matches() ? Integer.parseInt(cursor.group(1)) : 0;
    int end = Math.min(begin + 100, newestFirst.size());
    ArrayNode page = JSON.createArrayNode();
    newestFirst.subList(begin, end).forEach(each -> page.add(json(each)));
    HttpAnswer answer = HttpAnswer.json(200, page.toString());
    return end == newestFirst.size() ? answer : answer.with("Link", links(exchange, begin, end));
  }

  private String links(HttpExchange exchange, int begin, int next) {
    String link =
        "<" + server.endpoint() + exchange.getRequestURI().getPath() + "?per_page=100&cursor=v1_";
    String previous = link + Math.max(0, begin - 100) + ">; rel=\"prev\", ";
    return (begin == 0 ? "" : previous) + link + next + ">; rel=\"next\"";
  }

  private static ObjectNode json(Delivery delivery) {
    return JSON.createObjectNode()
        .put("id", delivery.id())
        .put("guid", delivery.guid())
        .put("delivered_at", delivery.deliveredAt().toString())
        .put("redelivery", delivery.isRedelivery())
        .put("duration", 0.27)
        .put("status", delivery.statusCode() == 200 ? "OK" : "Service Unavailable")
        .put("status_code", delivery.statusCode())
        .put("event", delivery.event())
        .putNull("action")
        .putNull("installation_id")
        .put("repository_id", 17);
  }

  private void redeliver(long id) {
    Delivery delivery =
        deliveries.stream().filter(each -> each.id() == id).findFirst().orElseThrow();
    int status = connector.applyAsInt(delivery.guid());
    delivered(delivery.guid(), delivery.event(), status);
  }

  @Override
  public void close() {
    server.close();
  }
}
