package dev.connectorevents.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What AWS and SAM make of the template, where nothing on this machine acts on it. */
@SuppressWarnings("NullAway.Init")
class TemplateTextTest {

  @TempDir private Path directory;

  enum Rule {
    /**
     * `sam build` writes a copy of the template elsewhere, and mends the paths of functions only.
     */
    EVERY_FUNCTION_NAMES_ITS_CODE {
      @Override
      void check(TemplateText template) {
        assertThat(template.globals().has("CodeUri")).as("Globals have a CodeUri").isFalse();
        template
            .functions()
            .forEach((id, function) ->
                assertThat(function.path("CodeUri").asText())
                    .as("CodeUri of %s", id)
                    .isEqualTo("functions/target/functions.zip"));
      }
    },

    /** A changed value publishes a new version only where it changes the version's description. */
    EVERY_PARAMETER_IN_AN_ENVIRONMENT_IS_IN_THE_VERSION_DESCRIPTION {
      @Override
      void check(TemplateText template) {
        template
            .functions()
            .forEach((id, function) -> {
              if (function.has("AutoPublishAlias")) {
                assertThat(template.parametersIn(function.path("VersionDescription")))
                    .as("parameters in the VersionDescription of %s", id)
                    .containsAll(environmentParameters(template, function));
              }
            });
      }
    },

    /**
     * CloudWatch refuses an alarm with another expression, and then CloudFormation creates no
     * stack.
     *
     * @see <a
     *     href="https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch-metrics-insights-querylanguage.html">The
     *     clauses and operators of a query</a>
     */
    EVERY_ALARM_HAS_A_QUERY_OR_THE_SUM_OF_ITS_METRICS {
      @Override
      void check(TemplateText template) {
        template
            .resources("AWS::CloudWatch::Alarm")
            .forEach((id, alarm) -> {
              JsonNode metrics = alarm.path("Metrics");
              if (metrics.size() == 1) {
                assertThat(metrics.at("/0/Expression/Fn::Sub").asText()).as(id).matches(QUERY);
              } else if (metrics.size() > 1) {
                List<String> summed = metrics.findValuesAsText("Id").stream().skip(1).toList();
                assertThat(metrics.at("/0/Expression").asText())
                    .as(id)
                    .isEqualTo(String.join(" + ", summed));
                assertThat(summed).as("what %s sums", id).hasSizeLessThanOrEqualTo(10);
              }
            });
      }
    };

    private static final Pattern QUERY =
        Pattern.compile(
            "SELECT (AVG|COUNT|MAX|MIN|SUM)\\(\\w+\\)"
                + " FROM SCHEMA\\(\"[^\"]+\"(, \\w+)*\\)"
                + "( WHERE \\w+ !?= '[^']+'( AND \\w+ !?= '[^']+')*)?");

    abstract void check(TemplateText template);

    private static Set<String> environmentParameters(TemplateText template, JsonNode function) {
      Set<String> parameters =
          new TreeSet<>(template.parametersIn(template.globals().path("Environment")));
      parameters.addAll(template.parametersIn(function.path("Environment")));
      return parameters;
    }
  }

  @ParameterizedTest
  @EnumSource
  void the_services_template_keeps_the_rule(Rule rule) throws IOException {
    rule.check(TemplateText.read(Mistake.TEMPLATE));
  }

  static Stream<Arguments> mistakes() {
    Rule version = Rule.EVERY_PARAMETER_IN_AN_ENVIRONMENT_IS_IN_THE_VERSION_DESCRIPTION;
    return Stream.of(
        arguments(
            Rule.EVERY_FUNCTION_NAMES_ITS_CODE,
            new Mistake(
                "MeFunction", "CodeUri: functions/target/functions.zip", "", "CodeUri of MeFunc")),
        arguments(
            Rule.EVERY_FUNCTION_NAMES_ITS_CODE,
            new Mistake(
                "Function",
                "Runtime: java25",
                "Runtime: java25\n    CodeUri: functions/target/functions.zip",
                "Globals have a CodeUri")),
        arguments(
            version,
            new Mistake("LoginFunction", "bcrypt ${BcryptCost}", "bcrypt", "of LoginFunction")),
        arguments(
            version,
            new Mistake(
                "MeFunction",
                "Events:",
                "Environment: { Variables: { MODE: !Sub 'is ${Deployment}' } }\n      Events:",
                "of MeFunction")),
        arguments(
            version,
            new Mistake(
                "Function",
                "ENDPOINT_URL: \"\"",
                "ENDPOINT_URL: !If [HasKmsKey, a, b]",
                "of CreateBatchFunction")),
        arguments(
            Rule.EVERY_ALARM_HAS_A_QUERY_OR_THE_SUM_OF_ITS_METRICS,
            new Mistake(
                "IndexesThrottled",
                "'${EventsTable}'",
                "'${EventsTable}' OR TableName = '${UsersTable}'",
                "IndexesThrottled")),
        arguments(
            Rule.EVERY_ALARM_HAS_A_QUERY_OR_THE_SUM_OF_ITS_METRICS,
            new Mistake("TablesThrottled", "usersReads + ", "", "TablesThrottled")));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void a_mistake_is_found_and_its_place_named(Rule rule, Mistake mistake) throws IOException {
    TemplateText template = TemplateText.read(mistake.plantedIn(directory));

    assertThatThrownBy(() -> rule.check(template))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining(mistake.message());
  }

  @Test
  void the_access_log_needs_no_entry_of_its_own_in_the_resource_policy_and_is_the_stacks_own()
      throws IOException {
    assertThat(
            TemplateText.read(Mistake.TEMPLATE)
                .properties("AccessLogs")
                .at("/LogGroupName/Fn::Sub")
                .asText())
        .startsWith("/aws/vendedlogs/")
        .contains("${AWS::StackName}");
  }

  /** They take a gradual deployment back, in which the functions without an alias have no part. */
  @ParameterizedTest
  @MethodSource("deploymentAlarms")
  void an_alarm_that_stops_a_deployment_minds_its_functions_only_and_no_single_failure(
      String alarm, JsonNode properties) throws IOException {
    TemplateText template = TemplateText.read(Mistake.TEMPLATE);
    String query = properties.at("/Metrics/0/Expression/Fn::Sub").asText();
    boolean countsRoutes = query.contains("\"ConnectorEvents/${AWS::StackName}\", route");
    List<String> counted =
        properties.path("Metrics").findValues("Ref").stream().map(JsonNode::asText).toList();

    template
        .functions()
        .forEach((id, function) ->
            assertThat(countsRoutes ? function.has("Events") : counted.contains(id))
                .as("%s counts %s", alarm, id)
                .isEqualTo(function.has("DeploymentPreference")));
    int failures =
        properties.path("Threshold").intValue()
            * properties
                .path("DatapointsToAlarm")
                .asInt(properties.path("EvaluationPeriods").intValue());
    assertThat(failures).as("failures that set off %s", alarm).isGreaterThan(1);
  }

  static Stream<Arguments> deploymentAlarms() throws IOException {
    TemplateText template = TemplateText.read(Mistake.TEMPLATE);
    return template.functions().values().stream()
        .flatMap(function -> function.at("/DeploymentPreference/Alarms").valueStream())
        .map(alarm -> alarm.path("Ref").asText())
        .distinct()
        .map(alarm -> arguments(alarm, template.properties(alarm)));
  }
}
