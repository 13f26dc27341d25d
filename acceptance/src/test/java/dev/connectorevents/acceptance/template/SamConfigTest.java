package dev.connectorevents.acceptance.template;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.emulator.template.FunctionDefinition;
import dev.connectorevents.emulator.template.Template;
import dev.connectorevents.emulator.template.TemplateMistake;
import dev.connectorevents.event.RetentionRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The settings with which samconfig.toml deploys each stage. */
class SamConfigTest {

  private static final Pattern OVERRIDES =
      Pattern.compile(
          "\\[(\\w+)\\.deploy\\.parameters][^\\[]*\nparameter_overrides = \"([^\"]*)\"");

  private static final String DELETE = "sam delete --config-env ";

  @ParameterizedTest
  @ValueSource(strings = {"default", "staging", "prod"})
  void a_stage_gives_the_templates_parameters_values_that_are_allowed(String stage)
      throws IOException {
    Map<String, String> stages = stages(read());

    assertThat(stages).hasSize(3).containsKey(stage);
    assertThat(deployed(stages.getOrDefault(stage, "")).functions()).hasSize(15);
  }

  @ParameterizedTest
  @ValueSource(strings = {"default", "staging", "prod"})
  void a_stage_deploys_the_template_itself_and_shares_no_uploaded_code(String stage)
      throws IOException {
    String name = stage.equals("default") ? "dev" : stage;

    assertThat(read())
        .contains("[%s.global.parameters]\ntemplate_file = \"template.yaml\"\n".formatted(stage))
        .containsPattern(
            "\\[%1$s\\.deploy\\.parameters]\nstack_name = \"(\\S+-%2$s)\"\n[^\\[]*s3_prefix = \"\\1\"\n"
                .formatted(stage, name));
  }

  @Test
  void the_dev_stage_deploys_into_a_new_account_which_can_reserve_no_concurrency()
      throws IOException {
    Template dev = deployed(stages(read()).getOrDefault("default", ""));

    assertThat(dev.functions())
        .allSatisfy(function -> assertThat(function.reservedConcurrency()).isEmpty());
    assertThat(dev.functions().stream().flatMap(function -> function.routes().stream()))
        .filteredOn(route -> route.path().equals("/api/auth/login"))
        .extracting(route -> dev.throttling().of(route).orElseThrow())
        .as("a new account may run 10 instances, and a slow login takes a second")
        .allSatisfy(limit -> assertThat(limit.burst() + limit.perSecond()).isLessThanOrEqualTo(10));
  }

  @Test
  void the_page_on_privacy_says_for_how_long_each_stage_keeps_its_logs() throws IOException {
    Map<String, String> stages = stages(read());
    String standard =
        TemplateText.ofTheService().root().at("/Parameters/LogRetentionDays/Default").asText();
    String days =
        Stream.of("prod", "staging", "default")
            .map(stage ->
                Pattern.compile("LogRetentionDays=(\\d+)")
                    .matcher(stages.getOrDefault(stage, ""))
                    .results()
                    .map(it -> it.group(1))
                    .findFirst()
                    .orElse(standard))
            .collect(joining(" "));

    assertThat(days.split(" ")).hasSize(3);
    assertThat(Files.readString(Path.of("../docs/privacy.md")))
        .contains(
            "`LogRetentionDays`: %s days in `prod`, %s in `staging`, %s in `dev`"
                .formatted((Object[]) days.split(" ")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          ''                                       | true  | -
          shopify.customers/*=30,github.*=90       | true  | -
          *=0,a_b-1.C:d/e.f*=3650,a.b=1            | true  | -
          stripe.v2.core.account[requirements].updated=1,wise.transfers#*=2,posthog.$*=0 | true | -
          gitlab.Push Hook=30,gitlab.Tag *=30,gitlab.P*=1,a.b c/d e*=1 | true | -
          a.b=1=2,a.b==3,a.!#$%&()+-.:;<=>?@[]^_`{}~*=4 | true | -
          a.b c  *=1                               | true  | -
          a.b/ *=1                                 | false | the rule a.b/ *=1 is wrong
          a.b /*=1                                 | false | the rule a.b /*=1 is wrong
          a. *=1                                   | false | the rule a. *=1 is wrong
          a.b =1                                   | false | the rule a.b =1 is wrong
          a.b= 1                                   | false | the rule a.b= 1 is wrong
          a.b"=1                                   | false | the rule a.b"=1 is wrong
          a.b\\=1                                  | false | the rule a.b\\=1 is wrong
          a.é=1                                    | false | the rule a.é=1 is wrong
          a.*=1,a.*=2                              | true  | the rule a.*=2 is wrong: there are two rules
          a.*=3651                                 | true  | the rule a.*=3651 is wrong: days are 0 to 3650
          a.*=-1                                   | false | the rule a.*=-1 is wrong
          a.*=01                                   | false | the rule a.*=01 is wrong
          a.*=1,                                   | false | the rule  is wrong
          a.*=1, b.*=1                             | false | the rule  b.*=1 is wrong
          a.*=                                     | false | the rule a.*= is wrong
          A.*=1                                    | false | the rule A.*=1 is wrong
          a*=1                                     | false | the rule a*=1 is wrong
          a./*=1                                   | false | the rule a./*=1 is wrong
          a.b/=1                                   | false | the rule a.b/=1 is wrong
          a.b//*=1                                 | false | the rule a.b//*=1 is wrong
          a.b**=1                                  | false | the rule a.b**=1 is wrong
          a.=1                                     | false | the rule a.=1 is wrong
          """)
  @Promise("CloudFormation refuses a malformed value before it changes anything.")
  void a_malformed_retention_rule_is_refused_before_a_deploy_and_any_wrong_one_at_the_start(
      String rules, boolean isAllowed, @Nullable String mistake) {
    Optional<Throwable> refused =
        Optional.ofNullable(
            catchThrowable(() -> Template.read(World.TEMPLATE, Map.of("RetentionRules", rules))));
    assertThat(refused.isEmpty()).isEqualTo(isAllowed);
    refused.ifPresent(it -> assertThat(it).hasMessageContaining(" does not match "));

    Throwable wrong = catchThrowable(() -> RetentionRules.parse(rules, Duration.ZERO));
    if (mistake == null) {
      assertThat(wrong).isNull();
    } else {
      assertThat(wrong).hasMessageStartingWith(mistake);
    }
  }

  @Test
  void twenty_retention_rules_with_200_characters_are_allowed_and_no_more() throws IOException {
    String twenty = IntStream.range(0, 20).mapToObj(i -> "a.b" + i + "=1").collect(joining(","));
    String longest = "a." + "b".repeat(196) + "=1";

    for (String allowed : List.of(twenty, longest)) {
      assertThat(deployed("RetentionRules=" + allowed).functions())
          .filteredOn(function -> function.environment().containsValue(allowed))
          .extracting(FunctionDefinition::id)
          .containsExactlyInAnyOrder("CreateEventFunction", "CreateBatchFunction");
    }
    for (String refused : List.of(twenty + ",a.c=1", longest + "0")) {
      assertThatExceptionOfType(TemplateMistake.class)
          .isThrownBy(() -> deployed("RetentionRules=" + refused))
          .withMessageStartingWith("Parameters.RetentionRules: ");
    }
  }

  /** With {@code --stack-name}, {@code sam delete} would read the settings of the dev stage. */
  @Test
  void a_stack_is_deleted_by_the_name_of_its_stage() throws IOException {
    Set<String> stages = stages(read()).keySet();
    List<String> deleted =
        Files.readString(Path.of("../docs/deploying.md"))
            .lines()
            .map(String::strip)
            .filter(line -> line.startsWith("sam delete"))
            .toList();

    assertThat(deleted)
        .hasSize(2)
        .allSatisfy(command -> assertThat(command).startsWith(DELETE))
        .allSatisfy(command -> assertThat(stages).contains(command.substring(DELETE.length())));
  }

  private static String read() throws IOException {
    return Files.readString(Path.of("../samconfig.toml"));
  }

  private static Map<String, String> stages(String toml) {
    return OVERRIDES
        .matcher(toml)
        .results()
        .collect(Collectors.toMap(stage -> stage.group(1), stage -> stage.group(2)));
  }

  private static Template deployed(String overrides) throws IOException {
    return Template.read(
        World.TEMPLATE,
        Arrays.stream(overrides.split(" ", -1))
            .map(each -> each.split("=", 2))
            .collect(Collectors.toMap(each -> each[0], each -> each[1])));
  }
}
