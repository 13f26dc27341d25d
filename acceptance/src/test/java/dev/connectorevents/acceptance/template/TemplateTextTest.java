package dev.connectorevents.acceptance.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.acceptance.service.RunningService;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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
     * CloudWatch refuses an alarm with another query, and then CloudFormation creates no stack.
     *
     * @see <a
     *     href="https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch-metrics-insights-querylanguage.html">The
     *     clauses and operators of a query</a>
     */
    EVERY_ALARM_HAS_A_QUERY_OR_AN_EXPRESSION_OF_ITS_METRICS {
      @Override
      void check(TemplateText template) {
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
    },

    /**
     * Without data CloudWatch judges older points again, or keeps an alarm's state. Where a point
     * is late, FILL puts a 0 in its place until it arrives.
     *
     * @see <a
     *     href="https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html">FILL
     *     in alarms</a>
     */
    EVERY_EXPRESSION_FILLS_EACH_METRIC_AND_WAITS_FOR_LATE_DATA {
      @Override
      void check(TemplateText template) {
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
    },

    /**
     * One page says that alarms on these metrics ignore missing data by default, the other that
     * they always do.
     *
     * @see <a
     *     href="https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html">by
     *     default</a>
     * @see <a
     *     href="https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm.html">always</a>
     */
    EVERY_METRIC_OF_DYNAMODB_IS_IN_AN_EXPRESSION {
      @Override
      void check(TemplateText template) {
        template
            .resources("AWS::CloudWatch::Alarm")
            .forEach((id, alarm) -> {
              assertThat(alarm.path("Namespace").asText()).as(id).isNotEqualTo("AWS/DynamoDB");
              assertThat(expression(alarm)).as(id).doesNotContain("AWS/DynamoDB");
            });
      }
    },

    /**
     * An account's burst, which nobody can raise.
     *
     * @see <a href="https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html">API
     *     Gateway's quotas</a>
     */
    NO_BURST_MAY_EXCEED_5000 {
      @Override
      void check(TemplateText template) {
        List<JsonNode> bursts = template.properties("Api").findValues("ThrottlingBurstLimit");
        assertThat(bursts).isNotEmpty();
        for (JsonNode burst : bursts) {
          String parameter = burst.path("Ref").asText();
          JsonNode most =
              burst.isInt() ? burst : template.root().at("/Parameters/" + parameter + "/MaxValue");
          assertThat(most.intValue()).as("the most of %s", burst).isBetween(1, 5000);
        }
      }
    },

    /** A stream keeps a record for a day. A smaller limit drops what waits for a stopped pipe. */
    NO_PIPE_DROPS_WHAT_ITS_STREAM_STILL_HOLDS {
      @Override
      void check(TemplateText template) {
        Map<String, JsonNode> pipes = template.resources("AWS::Pipes::Pipe");
        assertThat(pipes).isNotEmpty();
        pipes.forEach((id, pipe) ->
            assertThat(pipe.findValue("MaximumRecordAgeInSeconds").intValue())
                .as("oldest record of %s", id)
                .isEqualTo(-1));
      }
    },

    /** AWS names no service for streams. The asterisk covers whatever begins its name. */
    A_PIPE_USES_THE_KEY_ONLY_THROUGH_DYNAMODB {
      @Override
      void check(TemplateText template) {
        assertThat(template.properties("EventsPipeRole").findValues("kms:ViaService"))
            .as("services through which EventsPipeRole uses the key")
            .extracting(service -> service.path("Fn::Sub").asText())
            .containsExactly("*dynamodb.${AWS::Region}.amazonaws.com");
      }
    };

    private static final Pattern FILLED = Pattern.compile("FILL\\((\\w+), 0\\)");

    private static final Pattern EXPRESSION =
        Pattern.compile(
            "(@( \\+ @)*|IF\\(@ > 0 AND @ == 0, 1, 0\\))".replace("@", "(FILL\\(\\w+, 0\\)|\\w+)"));

    private static final Pattern QUERY =
        Pattern.compile(
            "SELECT (AVG|COUNT|MAX|MIN|SUM)\\(\\w+\\)"
                + " FROM SCHEMA\\(\"[^\"]+\"(, \\w+)*\\)"
                + "( WHERE \\w+ !?= '[^']+'( AND \\w+ !?= '[^']+')*)?");

    abstract void check(TemplateText template);

    /** Of the first metric, which is the alarm's own; empty if it has none. */
    private static String expression(JsonNode alarm) {
      JsonNode expression = alarm.at("/Metrics/0/Expression");
      return expression.has("Fn::Sub") ? expression.path("Fn::Sub").asText() : expression.asText();
    }

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
    rule.check(TemplateText.read(RunningService.TEMPLATE));
  }

  static Stream<Arguments> mistakes() {
    Rule version = Rule.EVERY_PARAMETER_IN_AN_ENVIRONMENT_IS_IN_THE_VERSION_DESCRIPTION;
    Rule alarms = Rule.EVERY_ALARM_HAS_A_QUERY_OR_AN_EXPRESSION_OF_ITS_METRICS;
    Rule filled = Rule.EVERY_EXPRESSION_FILLS_EACH_METRIC_AND_WAITS_FOR_LATE_DATA;
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
            alarms,
            new Mistake(
                "FunctionsSlow", "route)", "route) WHERE a = 'b' OR c = 'd'", "FunctionsSl")),
        arguments(
            alarms,
            new Mistake("TablesThrottled", "FILL(usersReads, 0) +", "0 *", "TablesThrottled")),
        arguments(
            filled,
            new Mistake(
                "TablesThrottled", "FILL(usersReads, 0)", "usersReads", "what TablesThrottled fi")),
        arguments(
            filled,
            new Mistake(
                "EventsPipeStopped", "FILL(taken, 0)", "taken", "what EventsPipeStopped fills")),
        arguments(
            filled,
            new Mistake(
                "IndexesThrottled", " + FILL(byEventTypeWrites, 0)", "", "IndexesThrottled fills")),
        arguments(
            filled,
            new Mistake("AnswersFailing", "Periods: 5", "Periods: 2", "periods of AnswersFailing")),
        arguments(
            filled,
            new Mistake(
                "TablesThrottled", "DatapointsToAlarm: 1", "", "periods of TablesThrottled")),
        arguments(
            Rule.EVERY_METRIC_OF_DYNAMODB_IS_IN_AN_EXPRESSION,
            new Mistake("FunctionsSlow", "ConnectorEvents/", "AWS/DynamoDB", "FunctionsSlow")),
        arguments(
            Rule.EVERY_METRIC_OF_DYNAMODB_IS_IN_AN_EXPRESSION,
            new Mistake("RotationFailing", "AWS/Lambda", "AWS/DynamoDB", "RotationFailing")),
        arguments(
            Rule.NO_BURST_MAY_EXCEED_5000,
            new Mistake("BatchesPerSecond", "5000", "10000", "{\"Ref\":\"BatchesPerSecond\"}")),
        arguments(
            Rule.NO_BURST_MAY_EXCEED_5000,
            new Mistake("Api", "BurstLimit: 400", "BurstLimit: 5001", "the most of 5001")),
        arguments(
            Rule.NO_PIPE_DROPS_WHAT_ITS_STREAM_STILL_HOLDS,
            new Mistake(
                "EventsPipe",
                "MaximumRecordAgeInSeconds: -1",
                "MaximumRecordAgeInSeconds: 3600",
                "oldest record of EventsPipe")),
        arguments(
            Rule.A_PIPE_USES_THE_KEY_ONLY_THROUGH_DYNAMODB,
            new Mistake(
                "EventsPipeRole",
                "\"*dynamodb.",
                "\"*secretsmanager.",
                "which EventsPipeRole uses")));
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
            TemplateText.read(RunningService.TEMPLATE)
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
    TemplateText template = TemplateText.read(RunningService.TEMPLATE);
    boolean countsRoutes =
        properties.findValuesAsText("MetricName").equals(List.of("server_errors"));
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
    TemplateText template = TemplateText.read(RunningService.TEMPLATE);
    return template.functions().values().stream()
        .flatMap(function -> function.at("/DeploymentPreference/Alarms").valueStream())
        .map(alarm -> alarm.path("Ref").asText())
        .distinct()
        .map(alarm -> arguments(alarm, template.properties(alarm)));
  }
}
