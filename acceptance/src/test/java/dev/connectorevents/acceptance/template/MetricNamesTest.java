package dev.connectorevents.acceptance.template;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Alarms and the dashboard look at metrics that exist. CloudWatch accepts any other name, and shows
 * nothing.
 */
class MetricNamesTest {

  private final TemplateText template = TemplateText.ofTheService();

  private static final String NAMESPACE = "ConnectorEvents/";

  /** A search of the dashboard: the dimensions, and the metric's name. */
  private static final Pattern SEARCH =
      Pattern.compile(
          "SEARCH\\('\\{\"ConnectorEvents/[^\"]+\",([^}]+)} MetricName=\"(\\w+)\"',"
              + " '(?:Sum', 300|Maximum', 60)\\)");

  @Test
  void alarms_and_the_dashboard_look_at_metrics_that_filters_make() {
    List<List<String>> made =
        template.resources("AWS::Logs::MetricFilter").values().stream()
            .map(filter -> named(filter.at("/MetricTransformations/0"), "Key"))
            .toList();
    assertThat(inAlarms(template)).isNotEmpty().isSubsetOf(made);
    assertThat(inDashboard(template)).isNotEmpty().isSubsetOf(made);
  }

  private static List<List<String>> inAlarms(TemplateText template) {
    return template.resources("AWS::CloudWatch::Alarm").values().stream()
        .flatMap(alarm -> alarm.findParents("Namespace").stream())
        .filter(metric -> metric.at("/Namespace/Fn::Sub").asText().startsWith(NAMESPACE))
        .map(metric -> named(metric, "Name"))
        .toList();
  }

  private static List<List<String>> inDashboard(TemplateText template) {
    List<List<String>> names = new ArrayList<>();
    for (JsonNode metrics : dashboard(template).findValues("metrics")) {
      for (JsonNode metric : metrics) {
        String search = metric.at("/0/expression").asText();
        if (!search.isEmpty()) {
          Matcher parts = SEARCH.matcher(search);
          assertThat(parts.matches()).as(search).isTrue();
          String dimensions = parts.group(1).replace("\"", "");
          names.add(List.of((parts.group(2) + "," + dimensions).split(",", -1)));
        } else if (metric.at("/0").asText().startsWith(NAMESPACE)) {
          // The metric's name and its dimension's, before what the widget makes of them.
          names.add(
              metric
                  .valueStream()
                  .skip(1)
                  .limit(2)
                  .filter(JsonNode::isTextual)
                  .map(JsonNode::asText)
                  .toList());
        }
      }
    }
    return names;
  }

  private static JsonNode dashboard(TemplateText template) {
    String body = template.properties("Dashboard").at("/DashboardBody/Fn::Sub").asText();
    try {
      return new ObjectMapper().readTree(body);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A metric's name and those of its dimensions. */
  private static List<String> named(JsonNode metric, String dimensionName) {
    List<String> names = new ArrayList<>(List.of(metric.path("MetricName").asText()));
    metric.path("Dimensions").forEach(it -> names.add(it.path(dimensionName).asText()));
    return names;
  }

  @Test
  void the_filter_for_throttled_requests_names_what_the_access_log_has() throws IOException {
    JsonNode resources = template.root().path("Resources");
    JsonNode lines =
        new ObjectMapper()
            .readTree(resources.at("/Api/Properties/AccessLogSettings/Format").asText());
    JsonNode filter = resources.at("/ThrottledMetric/Properties");
    String pattern = filter.path("FilterPattern").asText();

    assertThat(filter.at("/LogGroupName/Ref").asText()).isEqualTo("AccessLogs");
    assertThat(pattern).isEqualTo("{ $.status = \"429\" && $.route != \"POST /api/auth/login\" }");
    assertThat(lines.path("status").asText()).isEqualTo("$context.status");
    assertThat(lines.path("route").asText()).isEqualTo("$context.routeKey");
    assertThat(resources.at("/Api/Properties/RouteSettings").has("POST /api/auth/login")).isTrue();
  }
}
