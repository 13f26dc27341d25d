package dev.connectorevents.acceptance.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.connectorevents.acceptance.service.AwsFault;
import dev.connectorevents.acceptance.service.Proxy;
import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.World;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The template's metric filters find their metrics' values in the log lines of requests. */
class MetricFiltersTest {

  private static final String EVENT = "{\"event_type\":\"a.b\",\"payload\":{}}";

  private final ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();

  @AutoClose private final World service = World.start(new Setup().logged(lines::add));

  private final String[] bearer = {"Authorization", "Bearer " + service.client().token()};

  /**
   * The metric of one filter of the template.
   *
   * @param isOfAllRoutes true: one metric for all routes; false: one for each route
   * @param matched the log lines that match the filter's pattern
   */
  private record Metric(String name, boolean isOfAllRoutes, List<JsonNode> matched) {}

  @Test
  void each_filter_finds_its_number_in_the_lines_that_have_it() throws IOException {
    lines.clear();
    service.client().post("/api/webhook-events", EVENT, bearer);
    service.client().post("/api/webhook-events", "{}", bearer);
    service
        .client()
        .post("/api/webhook-events/batch", "{\"events\":[" + EVENT + ",{},{}]}", bearer);
    service.fail(this::slow);
    service.client().post("/api/webhook-events", EVENT, bearer);
    service.dynamoDb().deleteTable(delete -> delete.tableName(service.name("EventsTable")));
    service.client().post("/api/webhook-events", EVENT, bearer);

    assertThat(metrics())
        .extracting(Metric::name, Metric::isOfAllRoutes, metric -> values(metric))
        .contains(
            tuple("client_errors", false, List.of(1, 2)),
            tuple("server_errors", false, List.of(1)),
            tuple("server_errors", true, List.of(1)),
            tuple("times_off", true, List.of(1)));
    assertThat(metrics())
        .filteredOn(metric -> metric.name().equals("duration_ms"))
        .singleElement()
        .satisfies(metric -> assertThat(metric.matched()).hasSize(5));
  }

  /** Lets a write end ten seconds after its beginning. */
  private AwsFault slow(Proxy.Call call) {
    if (call.name().equals("PutItem EventsTable") && service.countEvents() == 2) {
      service.clock().pass(Duration.ofSeconds(10));
    }
    return AwsFault.NONE;
  }

  @Test
  void the_filter_for_throttled_requests_names_what_the_access_log_has() throws IOException {
    JsonNode resources = template().path("Resources");
    JsonNode lines =
        new ObjectMapper()
            .readTree(resources.at("/Api/Properties/AccessLogSettings/Format").asText());
    JsonNode filter = resources.at("/ThrottledMetric/Properties");
    String pattern = filter.path("FilterPattern").asText();

    assertThat(filter.path("LogGroupName").asText()).isEqualTo("AccessLogs");
    assertThat(pattern).isEqualTo("{ $.status = \"429\" && $.route != \"POST /api/auth/login\" }");
    assertThat(lines.path("status").asText()).isEqualTo("$context.status");
    assertThat(lines.path("route").asText()).isEqualTo("$context.routeKey");
    assertThat(resources.at("/Api/Properties/RouteSettings").has("POST /api/auth/login")).isTrue();
  }

  private static List<Object> values(Metric metric) {
    return metric.matched().stream()
        .<Object>map(line -> line.get(metric.name()).intValue())
        .toList();
  }

  /** Reads the metrics of all filters, and checks each filter. */
  private List<Metric> metrics() throws IOException {
    List<Metric> metrics = new ArrayList<>();
    for (JsonNode resource : template().path("Resources")) {
      if (resource.at("/Properties/FilterPattern").isTextual()
          && resource.at("/Properties/LogGroupName").asText().equals("FunctionLogs")) {
        JsonNode metric = resource.at("/Properties/MetricTransformations/0");
        String name = metric.path("MetricName").asText();
        assertThat(metric.path("MetricValue").asText()).isEqualTo("$." + name);
        String route = metric.at("/Dimensions/0/Value").asText("none");
        assertThat(route).isIn("$.route", "none");
        String[] pattern = resource.at("/Properties/FilterPattern").asText().split(" ", -1);
        assertThat(pattern[1]).isEqualTo("$." + name);
        metrics.add(new Metric(name, route.equals("none"), matched(name, pattern[2])));
      }
    }
    assertThat(metrics).hasSize(5); // a new filter needs a line in a test
    return metrics;
  }

  /**
   * The log lines whose value of this member is in the given relation to 0.
   *
   * @param comparison {@code >} or {@code >=}
   */
  private List<JsonNode> matched(String member, String comparison) throws IOException {
    List<JsonNode> matched = new ArrayList<>();
    for (String line : lines) {
      JsonNode json = new ObjectMapper().readTree(line);
      if (matches(json.path(member), comparison)) {
        assertThat(json.path("route").asText()).startsWith("POST /api/");
        matched.add(json);
      }
    }
    return matched;
  }

  private static boolean matches(JsonNode value, String comparison) {
    return switch (comparison) {
      case ">" -> value.isNumber() && value.doubleValue() > 0;
      case ">=" -> value.isNumber() && value.doubleValue() >= 0;
      default -> throw new AssertionError(comparison);
    };
  }

  private static JsonNode template() throws IOException {
    return new YAMLMapper().readTree(Path.of("../template.yaml").toFile());
  }
}
