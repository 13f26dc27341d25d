package dev.connectorevents.acceptance.template;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.Promise;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** CloudWatch accepts the alarms, and each returns to OK, however late or rare its data is. */
class AlarmsTest {

  private final TemplateText template = TemplateText.ofTheService();

  private static final Pattern FILLED = Pattern.compile("FILL\\((\\w+), 0\\)");

  /** A row of the table of alarms in {@code docs/alarms.md}. */
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\|");

  private static final Pattern EXPRESSION =
      Pattern.compile(
          "#( \\+ #)*"
              .replace("#", "(@|IF\\(@( > \\d+( AND @ == 0)?| \\* 0\\.9 > @ \\+ \\d+), 1, 0\\))")
              .replace("@", "FILL\\(\\w+, 0\\)"));

  private static final Pattern QUERY =
      Pattern.compile(
          "SELECT (AVG|COUNT|MAX|MIN|SUM)\\(\\w+\\)"
              + " FROM SCHEMA\\(\"[^\"]+\"(, \\w+)*\\)"
              + "( WHERE \\w+ !?= '[^']+'( AND \\w+ !?= '[^']+')*)?");

  /**
   * Allows only queries and expressions that CloudWatch understands. If CloudWatch refuses one,
   * CloudFormation cannot create the stack.
   *
   * @see <a
   *     href="https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch-metrics-insights-querylanguage.html">The
   *     clauses and operators of a query</a>
   */
  @Test
  void every_alarm_has_a_query_or_an_expression_of_its_metrics() {
    template
        .resources("AWS::CloudWatch::Alarm")
        .forEach((id, alarm) -> {
          JsonNode metrics = alarm.path("Metrics");
          if (metrics.size() == 1) {
            assertThat(metrics.at("/0/Expression/Fn::Sub").asText()).as(id).matches(QUERY);
          } else if (metrics.size() > 1) {
            assertThat(expression(alarm)).as(id).matches(EXPRESSION);
            assertThat(metrics).as("metrics of %s", id).hasSizeLessThanOrEqualTo(1 + 10);
          }
        });
  }

  /**
   * If a metric has no data, CloudWatch evaluates older points again, or keeps the alarm's state.
   * {@code FILL} supplies a 0 instead, but also while a point is late. So {@code EvaluationPeriods}
   * must exceed {@code DatapointsToAlarm}.
   *
   * @see <a
   *     href="https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html">FILL
   *     in alarms</a>
   */
  @Test
  void every_expression_fills_each_metric_and_waits_for_late_data() {
    template
        .resources("AWS::CloudWatch::Alarm")
        .forEach((id, alarm) -> {
          List<String> metrics =
              alarm.path("Metrics").findValuesAsText("Id").stream().skip(1).toList();
          if (!metrics.isEmpty()) {
            assertThat(FILLED.matcher(expression(alarm)).results())
                .as("what %s fills", id)
                .extracting(filled -> filled.group(1))
                .isEqualTo(metrics);
            assertThat(alarm.path("EvaluationPeriods").intValue())
                .as("periods of %s", id)
                .isGreaterThan(alarm.path("DatapointsToAlarm").asInt(Integer.MAX_VALUE));
          }
        });
  }

  /**
   * An alarm on a metric of DynamoDB itself, without an expression, ignores missing data. So it may
   * never return to OK. One AWS page says that this is the default, another that it is always so.
   *
   * @see <a
   *     href="https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html">by
   *     default</a>
   * @see <a
   *     href="https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm.html">always</a>
   */
  @Test
  void every_metric_of_DynamoDB_is_in_an_expression() {
    template
        .resources("AWS::CloudWatch::Alarm")
        .forEach((id, alarm) -> {
          assertThat(alarm.path("Namespace").asText()).as(id).isNotEqualTo("AWS/DynamoDB");
          assertThat(expression(alarm)).as(id).doesNotContain("AWS/DynamoDB");
        });
  }

  /** {@code DeploymentAlarmsTest} says the same of {@code FunctionsFailing}. */
  @Test
  void the_alarm_on_throttled_functions_counts_each_function_that_others_call() {
    List<String> called =
        template.functions().entrySet().stream()
            .filter(function -> function.getValue().has("AutoPublishAlias"))
            .map(Map.Entry::getKey)
            .toList();

    assertThat(template.properties("FunctionsThrottled").path("Metrics").findValuesAsText("Ref"))
        .containsExactlyInAnyOrderElementsOf(called);
  }

  @Test
  @Promise("The alarm `FeedBehind` tells the operators.")
  void each_alarm_has_its_row_on_the_operators_page() throws IOException {
    Set<String> alarms = new TreeSet<>(template.resources("AWS::CloudWatch::Alarm").keySet());
    alarms.addAll(template.resources("AWS::CloudWatch::CompositeAlarm").keySet());

    String page = Files.readString(Path.of("../docs/alarms.md"));
    String table = page.split("\\| alarm \\|", 2)[1].split("\n\n", 2)[0];

    assertThat(ROW.matcher(table).results().map(row -> row.group(1)))
        .containsExactlyInAnyOrderElementsOf(alarms);
  }

  /** The expression that the alarm watches; empty if it has none. */
  private static String expression(JsonNode alarm) {
    JsonNode expression = alarm.at("/Metrics/0/Expression");
    return expression.has("Fn::Sub") ? expression.path("Fn::Sub").asText() : expression.asText();
  }
}
