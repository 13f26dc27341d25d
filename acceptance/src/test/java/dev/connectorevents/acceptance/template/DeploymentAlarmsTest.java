package dev.connectorevents.acceptance.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Only failures of functions that are deployed gradually roll a deployment back, and no single
 * failure does.
 */
class DeploymentAlarmsTest {

  /**
   * A function without an alias is not deployed gradually. So no alarm of a deployment may count
   * its failures.
   */
  @ParameterizedTest
  @MethodSource("deploymentAlarms")
  void an_alarm_that_stops_a_deployment_minds_its_functions_only_and_no_single_failure(
      String alarm, JsonNode properties) throws IOException {
    TemplateText template = TemplateText.ofTheService();
    boolean countsRoutes =
        properties.findValuesAsText("MetricName").equals(List.of("server_errors"));
    List<String> counted =
        properties.path("Metrics").findValues("Ref").stream().map(JsonNode::asText).toList();

    template
        .functions()
        .forEach((id, function) ->
            assertThat(
                    countsRoutes
                        ? function.path("Events").findValuesAsText("Type").contains("HttpApi")
                        : counted.contains(id))
                .as("%s counts %s", alarm, id)
                .isEqualTo(
                    function
                        .at("/DeploymentPreference/Alarms")
                        .findValuesAsText("Ref")
                        .contains(alarm)));
    int failures =
        properties.path("Threshold").intValue()
            * properties
                .path("DatapointsToAlarm")
                .asInt(properties.path("EvaluationPeriods").intValue());
    assertThat(failures).as("failures that set off %s", alarm).isGreaterThan(1);
  }

  static Stream<Arguments> deploymentAlarms() throws IOException {
    TemplateText template = TemplateText.ofTheService();
    return template.functions().values().stream()
        .flatMap(function -> function.at("/DeploymentPreference/Alarms").valueStream())
        .map(alarm -> alarm.path("Ref").asText())
        .distinct()
        .map(alarm -> arguments(alarm, template.properties(alarm)));
  }
}
