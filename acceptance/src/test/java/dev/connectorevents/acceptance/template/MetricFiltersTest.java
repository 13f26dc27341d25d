package dev.connectorevents.acceptance.template;

import static org.assertj.core.api.Assertions.assertThat;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.World;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The template's metric filters make metrics of the log lines of requests. */
class MetricFiltersTest {

  private static final String EVENT = "{\"event_type\":\"a.b\",\"payload\":{}}";

  /** A condition of a filter's pattern. */
  private static final Pattern CONDITION = Pattern.compile("\\$\\.(\\w+) (>|>=|=) (0|\"\\*\")");

  /** The most dimensions of a filter. */
  private static final int MAX_DIMENSIONS = 3;

  private final ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();

  @AutoClose private final World service = World.start(new Setup().logged(lines::add));

  private final String token = service.client().token();

  /** What a filter adds to a metric for a line. */
  private record Point(String metric, Map<String, String> dimensions, double value) {}

  @Test
  @Promise("and `unreadable` what the feed left out.")
  void each_filter_finds_its_number_in_the_lines_that_have_it() throws IOException {
    lines.clear();
    post("/api/webhook-events", EVENT, token);
    post("/api/webhook-events", "{}", token);
    post("/api/webhook-events/batch", "{\"events\":[" + EVENT + ",{},{}]}", token);
    post("/api/webhook-events", EVENT, token);
    service
        .dynamoDb()
        .putItem(put ->
            put.tableName(service.name("EventsTable"))
                .item(Map.of("id", fromS("foreign"), "event_type", fromS("a.b"))));
    service.number();
    service.beat();
    service.client().get("/api/webhook-events?order=asc", service.operator().consumerToken());
    service.dynamoDb().deleteTable(delete -> delete.tableName(service.name("EventsTable")));
    post("/api/webhook-events", EVENT, token);

    String single = "POST /api/webhook-events";
    String batch = single + "/batch";
    List<Point> points = points();
    assertThat(sum(points, "client_errors", Map.of("route", single))).isEqualTo(1);
    assertThat(sum(points, "client_errors", Map.of("route", batch))).isEqualTo(2);
    assertThat(sum(points, "server_errors", Map.of("route", single))).isEqualTo(1);
    assertThat(sum(points, "server_errors", Map.of())).isEqualTo(1);
    assertThat(sum(points, "feed_lost", Map.of())).isZero();
    assertThat(sum(points, "refused", Map.of())).isEqualTo(3);
    assertThat(points).filteredOn(it -> it.metric().equals("duration_ms")).hasSize(6);
    assertThat(points)
        .filteredOn(it -> it.metric().equals("behind_seconds"))
        .singleElement()
        .satisfies(it -> assertThat(it.dimensions()).containsOnlyKeys("user_id"));
    assertThat(sum(points, "numbered", Map.of())).isEqualTo(3);
    assertThat(points)
        .filteredOn(it -> it.metric().equals("feed_behind_seconds"))
        .singleElement()
        .satisfies(it -> assertThat(it.dimensions()).isEmpty());
    assertThat(sum(points, "unreadable", Map.of())).isEqualTo(1);
    assertThat(points.stream().map(Point::metric).distinct()).hasSize(10);
  }

  /** Senders choose providers. So only those that an operator has named make metrics. */
  @Test
  @Promise("**Events count by user, and by provider only where the user's scope names it**")
  void new_events_count_by_user_and_by_the_providers_of_its_scope_and_replays_do_not()
      throws IOException {
    String scoped = connector("'shopify.orders/*','github.push','*'");
    String keyed = "{\"event_type\":\"%s\",\"idempotency_key\":\"%s\",\"payload\":{}}";
    lines.clear();
    for (int i = 0; i < 2; i++) { // the second time, all are replays
      post("/api/webhook-events", keyed.formatted("shopify.orders/paid", "1"), scoped);
      String shopify = keyed.formatted("shopify.orders/paid", "2");
      String github =
          keyed.formatted("github.push", "3") + "," + keyed.formatted("github.push", "4");
      String others = keyed.formatted("a.b", "5") + "," + keyed.formatted("c.d", "6");
      String batch = "{\"events\":[" + String.join(",", shopify, github, others) + "]}";
      post("/api/webhook-events/batch", batch, scoped);
    }
    for (String provider : List.of("github", "shopify", "p1", "p2")) {
      post("/api/webhook-events", EVENT.replace("a.b", provider + ".b"), token);
    }

    List<Point> stored =
        points().stream()
            .filter(it -> it.metric().equals("stored") && !it.dimensions().isEmpty())
            .toList();
    assertThat(stored).extracting(it -> it.dimensions().get("user_id")).doesNotContainNull();
    Map<String, Double> sums = new TreeMap<>();
    for (Point point : stored) {
      boolean isScoped = !point.dimensions().containsValue(userId());
      sums.merge(isScoped + " " + point.dimensions().get("provider"), point.value(), Double::sum);
    }
    assertThat(sums)
        .isEqualTo(
            Map.of("true shopify", 2.0, "true github", 2.0, "true other", 2.0, "false other", 4.0));
  }

  @Test
  @Promise("`refused` refused ones by user and code")
  void refused_events_count_by_user_and_code_and_all_together() throws IOException {
    String scoped = connector("'shopify.*'");
    lines.clear();
    post("/api/webhook-events", EVENT, scoped);
    post("/api/webhook-events", "{", scoped);
    post("/api/webhook-events/batch", "{\"events\":[{},{}," + EVENT + "]}", scoped);
    post("/api/webhook-events", EVENT, "none");
    service.client().post("/api/webhook-events", EVENT);

    List<Point> points = points();
    Map<String, Double> sums = new TreeMap<>();
    points.stream()
        .filter(it -> it.metric().equals("refused") && !it.dimensions().isEmpty())
        .forEach(
            it -> sums.merge(it.dimensions().getOrDefault("code", "-"), it.value(), Double::sum));
    assertThat(sums)
        .isEqualTo(Map.of("forbidden", 2.0, "malformed_json", 1.0, "validation_failed", 2.0));
    assertThat(sum(points, "refused", Map.of())).as("without what had no good token").isEqualTo(5);
  }

  /** Creates a connector with these event types, and returns a token of it. */
  private String connector(String eventTypes) {
    String user =
        "{'action':'create','email':'scoped@example.com','event_types':[%s]}".formatted(eventTypes);
    String password =
        service
            .operator()
            .invoke("ManageUsersFunction", user.replace('\'', '"'))
            .get("password")
            .textValue();
    return service.client().login("scoped@example.com", password).accessToken();
  }

  private String userId() {
    return service.client().get("/api/auth/me", token).body().get("id").textValue();
  }

  private void post(String path, String body, String bearer) {
    service.client().post(path, body, bearer);
  }

  private static double sum(List<Point> points, String metric, Map<String, String> dimensions) {
    return points.stream()
        .filter(it -> it.metric().equals(metric) && it.dimensions().equals(dimensions))
        .mapToDouble(Point::value)
        .sum();
  }

  /**
   * What the filters make of the lines. Checks each filter by the rules of CloudWatch.
   *
   * @see <a
   *     href="https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntaxForMetricFilters.html">Filter
   *     pattern syntax for metric filters</a>
   */
  private List<Point> points() throws IOException {
    List<Point> points = new ArrayList<>();
    for (JsonNode filter :
        TemplateText.ofTheService().resources("AWS::Logs::MetricFilter").values()) {
      if (filter.at("/LogGroupName/Ref").asText().equals("FunctionLogs")) {
        JsonNode metric = filter.at("/MetricTransformations/0");
        String pattern = filter.path("FilterPattern").asText();
        String value = metric.path("MetricValue").asText();
        assertThat(value).isEqualTo("$." + metric.path("MetricName").asText());
        assertThat(pattern).startsWith("{ " + value + " >").endsWith(" }");
        assertThat(metric.path("Dimensions").size()).isLessThanOrEqualTo(MAX_DIMENSIONS);
        assertThat(metric.has("DefaultValue")).as("not allowed with dimensions").isFalse();
        for (JsonNode line : matched(pattern.substring(2, pattern.length() - 2))) {
          points.add(point(metric, line));
        }
      }
    }
    return points;
  }

  private static Point point(JsonNode metric, JsonNode line) {
    Map<String, String> dimensions = new TreeMap<>();
    for (JsonNode dimension : metric.path("Dimensions")) {
      JsonNode value = line.path(dimension.path("Value").asText().substring("$.".length()));
      assertThat(value.isTextual()).as("%s in %s", dimension, line).isTrue();
      dimensions.put(dimension.path("Key").asText(), value.textValue());
    }
    String name = metric.path("MetricName").asText();
    return new Point(name, dimensions, line.path(name).doubleValue());
  }

  /** The log lines that meet all conditions of a pattern. */
  private List<JsonNode> matched(String conditions) throws IOException {
    List<JsonNode> matched = new ArrayList<>();
    for (String line : lines) {
      JsonNode json = new ObjectMapper().readTree(line);
      if (Stream.of(conditions.split(" && ", -1)).allMatch(it -> matches(json, it))) {
        matched.add(json);
      }
    }
    return matched;
  }

  private static boolean matches(JsonNode line, String text) {
    Matcher condition = CONDITION.matcher(text);
    assertThat(condition.matches()).as(text).isTrue();
    JsonNode value = line.path(condition.group(1));
    return switch (condition.group(2)) {
      case ">" -> value.isNumber() && value.doubleValue() > 0;
      case ">=" -> value.isNumber() && value.doubleValue() >= 0;
      default -> value.isTextual();
    };
  }
}
