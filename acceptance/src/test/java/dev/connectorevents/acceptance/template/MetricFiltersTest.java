package dev.connectorevents.acceptance.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.connectorevents.acceptance.service.RunningService;
import dev.connectorevents.acceptance.service.Setup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The template's metric filters find their metrics' values in the log lines of requests. */
class MetricFiltersTest {

  /** Bytes that CloudWatch Logs adds to each line (PutLogEvents, API Reference). */
  private static final int OVERHEAD = 26;

  private static final String EVENT = "{\"event_type\":\"a.b\",\"payload\":{}}";

  private final ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();

  @AutoClose
  private final RunningService service = RunningService.start(Setup.DEFAULT.logged(lines::add));

  private final String[] bearer = {"Authorization", "Bearer " + service.client().token()};

  /**
   * A metric filter of the template.
   *
   * @param isOfAllRoutes true: one metric for all routes; false: one for each route
   * @param lines the log lines that match the filter's pattern
   */
  private record Metric(String name, boolean isOfAllRoutes, List<JsonNode> lines) {}

  @Test
  void each_filter_finds_its_number_in_the_lines_that_have_it() throws IOException {
    lines.clear();
    service.client().post("/api/webhook-events", EVENT, bearer);
    service.client().post("/api/webhook-events", "{}", bearer);
    service
        .client()
        .post("/api/webhook-events/batch", "{\"events\":[" + EVENT + ",{},{}]}", bearer);
    service
        .emulator()
        .dynamoDb()
        .deleteTable(delete -> delete.tableName(service.name("EventsTable")));
    service.client().post("/api/webhook-events", EVENT, bearer);

    assertThat(metrics())
        .extracting(Metric::name, Metric::isOfAllRoutes, metric -> values(metric))
        .contains(
            tuple("client_errors", false, List.of(1, 2)),
            tuple("server_errors", false, List.of(1)),
            tuple("server_errors", true, List.of(1)));
    assertThat(metrics())
        .filteredOn(metric -> metric.name().equals("duration_ms"))
        .singleElement()
        .satisfies(metric -> assertThat(metric.lines()).hasSize(4));
  }

  @Test
  void a_stored_event_takes_at_most_450_bytes_of_both_logs() throws IOException {
    service
        .client()
        .post("/api/webhook-events", EVENT, bearer); // an instance's first line is longer
    lines.clear();
    service.client().post("/api/webhook-events", EVENT, bearer);

    String line = lines.element().replaceFirst("\"duration_ms\":[0-9.]+", "\"duration_ms\":12.345");
    String access = template().at("/Resources/Api/Properties/AccessLogSettings/Format").asText();
    Map<String, String> values =
        Map.of(
            "$context.requestId", "UEZ0hgQ0joEEJ14=",
            "$context.routeKey", "POST /api/webhook-events",
            "$context.status", "201",
            "$context.identity.sourceIp", "203.0.113.100",
            "$context.responseLatency", "12",
            "$context.error.message", "-",
            "$context.integrationErrorMessage", "-");
    for (Map.Entry<String, String> value : values.entrySet()) {
      access = access.replace(value.getKey(), value.getValue());
    }

    assertThat(access).doesNotContain("$");
    assertThat(line).contains("\"duration_ms\":12.345");
    assertThat(line.length() + access.length() + 2 * OVERHEAD).isLessThanOrEqualTo(450);
  }

  private static List<Object> values(Metric metric) {
    return metric.lines().stream().<Object>map(line -> line.get(metric.name()).intValue()).toList();
  }

  /**
   * The metrics of all filters. The pattern of a filter compares one member of a log line with 0,
   * by {@code >} or {@code >=}.
   */
  private List<Metric> metrics() throws IOException {
    List<Metric> metrics = new ArrayList<>();
    for (JsonNode resource : template().path("Resources")) {
      if (resource.path("Type").asText().equals("AWS::Logs::MetricFilter")) {
        String[] pattern = resource.at("/Properties/FilterPattern").asText().split(" ", -1);
        JsonNode metric = resource.at("/Properties/MetricTransformations/0");
        String name = metric.path("MetricName").asText();
        assertThat(pattern[1]).isEqualTo("$." + name);
        assertThat(metric.path("MetricValue").asText()).isEqualTo("$." + name);
        String route = metric.at("/Dimensions/0/Value").asText("none");
        assertThat(route).isIn("$.route", "none");
        List<JsonNode> found = new ArrayList<>();
        for (String line : lines) {
          JsonNode json = new ObjectMapper().readTree(line);
          JsonNode value = json.path(name);
          boolean matches =
              switch (pattern[2]) {
                case ">" -> value.isNumber() && value.doubleValue() > 0;
                case ">=" -> value.isNumber() && value.doubleValue() >= 0;
                default -> throw new AssertionError(pattern[2]);
              };
          if (matches) {
            assertThat(json.path("route").asText()).startsWith("POST /api/");
            found.add(json);
          }
        }
        metrics.add(new Metric(name, route.equals("none"), found));
      }
    }
    return metrics;
  }

  private static JsonNode template() throws IOException {
    return new YAMLMapper().readTree(Path.of("../template.yaml").toFile());
  }
}
