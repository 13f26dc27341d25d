package dev.connectorevents.acceptance.template;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.emulator.CommandOnPath;
import dev.connectorevents.emulator.CommandOnPath.Result;
import dev.connectorevents.emulator.template.FunctionDefinition;
import dev.connectorevents.emulator.template.Route;
import dev.connectorevents.emulator.template.Template;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Tests the template as SAM's translator expands it. Skipped if the translator is not installed.
 */
class TransformedTemplateTest {

  private static final String[] IMPORT = {"python3", "-c", "import samtranslator"};

  private static final Pattern WORD = Pattern.compile("\\w+");

  private static final Pattern READS = Pattern.compile("dynamodb:(\\w*Get|Query|Scan)");
  private static final Pattern WRITES = Pattern.compile("dynamodb:(Put|Update|Delete)Item");

  private static JsonNode transformed;
  private static Template template;

  @BeforeAll
  static void transform() throws IOException, InterruptedException {
    CommandOnPath.assumeWorks(IMPORT);
    String script = Path.of("src/test/resources/transform.py").toString();
    Result result =
        CommandOnPath.of("python3", script, World.TEMPLATE.toString()).run(Redirect.INHERIT);
    assertThat(result.exitCode()).isZero();
    transformed = new ObjectMapper().readTree(result.output());
    template = Template.read(World.TEMPLATE, Map.of());
  }

  @Test
  void a_function_has_a_role_with_its_policies_as_written_and_may_write_logs() {
    Set<String> roles = new TreeSet<>();
    for (String function : functions()) {
      JsonNode role = properties(function + "Role");
      roles.add(function + "Role");
      assertThat(properties(function).at("/Role/Fn::GetAtt/0").textValue())
          .isEqualTo(function + "Role");
      List<JsonNode> written = transformed.at("/policies/" + function).valueStream().toList();
      assertThat(role.get("ManagedPolicyArns").get(0).textValue())
          .isEqualTo("arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole");
      assertThat(role.get("ManagedPolicyArns").valueStream().skip(1))
          .isEqualTo(written.stream().filter(policy -> !policy.has("Statement")).toList());
      assertThat(role.path("Policies").valueStream().map(each -> each.get("PolicyDocument")))
          .isEqualTo(written.stream().filter(policy -> policy.has("Statement")).toList());
    }
    roles.add("CodeDeployServiceRole"); // shifts the traffic of the aliases
    assertThat(ids("AWS::IAM::Role")).isEqualTo(roles);
  }

  /**
   * With fixed names, a deploy would need CAPABILITY_NAMED_IAM, and a change that replaces a policy
   * would fail.
   *
   * @see <a
   *     href="https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-resource-iam-managedpolicy.html">AWS::IAM::ManagedPolicy</a>
   */
  @Test
  void no_role_and_no_policy_has_a_fixed_name() {
    assertThat(ids("AWS::IAM::ManagedPolicy")).hasSize(3);
    assertThat(
            Stream.of("AWS::IAM::Role", "AWS::IAM::ManagedPolicy").flatMap(it -> ids(it).stream()))
        .noneMatch(id -> properties(id).has("RoleName") || properties(id).has("ManagedPolicyName"));
  }

  /**
   * Lambda takes a snapshot when it publishes a version. The rehearsal before the snapshot reads a
   * user, so the role's policies must exist by then.
   */
  @Test
  void a_version_is_published_after_the_policies_of_its_role_exist() {
    for (String version : ids("AWS::Lambda::Version")) {
      String function = properties(version).at("/FunctionName/Ref").textValue();
      List<String> policies =
          properties(function + "Role").get("ManagedPolicyArns").findValuesAsText("Ref");

      assertThat(policies.size() + properties(function + "Role").path("Policies").size())
          .as(function)
          .isPositive();
      assertThat(createdBefore(version, new TreeSet<>()))
          .contains(function + "Role")
          .containsAll(policies.stream().filter(TransformedTemplateTest::isResource).toList());
    }
  }

  /**
   * To create the schedule, Secrets Manager uses a role that is new in the same deployment. A new
   * role works only after some time. The snapshots take minutes, which is long enough.
   */
  @Test
  void the_rotation_is_tried_after_all_snapshots() {
    assertThat(ids("AWS::Lambda::Version")).hasSize(9);
    assertThat(createdBefore("SigningKeyRotation", new TreeSet<>()))
        .containsAll(ids("AWS::Lambda::Version"));
  }

  /** A rollback that never reached the routes cannot fail on the settings of a new one. */
  @Test
  void routes_change_only_after_all_traffic_has_shifted() {
    assertThat(createdBefore("Api", new TreeSet<>())).containsAll(ids("AWS::Lambda::Alias"));
    assertThat(createdBefore("ApiApiGatewayDefaultStage", new TreeSet<>())).contains("Api");
  }

  /** Lambda limits how many snapshots it makes at once, and publishes no number. */
  @Test
  void four_snapshots_are_made_at_once() throws IOException {
    List<String> versions = List.copyOf(ids("AWS::Lambda::Version"));
    Map<String, Set<String>> before =
        versions.stream().collect(toMap(it -> it, it -> createdBefore(it, new TreeSet<>())));

    int most =
        IntStream.range(0, 1 << versions.size())
            .mapToObj(subset -> elements(versions, subset))
            .filter(some ->
                some.stream()
                    .noneMatch(
                        it -> some.stream().anyMatch(before.getOrDefault(it, Set.of())::contains)))
            .mapToInt(List::size)
            .max()
            .orElseThrow();

    assertThat(most).isEqualTo(4);
    assertThat(Files.readString(Path.of("../docs/deploying.md")))
        .contains("**It makes %d snapshots, %d at once**".formatted(versions.size(), most));
    assertThat(versions)
        .filteredOn(it -> createdBefore(it, new TreeSet<>()).stream().anyMatch(versions::contains))
        .as("wait for another one")
        .hasSize(5)
        .allSatisfy(
            it -> assertThat(before.get(it)).anyMatch(name -> name.endsWith("FunctionAliaslive")));
  }

  /** An old reader cannot read what a new writer stores, and the feed leaves that out for good. */
  @Test
  void who_reads_a_table_shifts_before_who_writes_it() {
    List<String> shifts = new ArrayList<>();
    for (String version : ids("AWS::Lambda::Version")) {
      String writer = properties(version).at("/FunctionName/Ref").textValue();
      for (String reader : functions()) {
        Set<String> shared = tables(reader, READS);
        shared.retainAll(tables(writer, WRITES));
        if (!reader.equals(writer) && isResource(reader + "Aliaslive") && !shared.isEmpty()) {
          assertThat(createdBefore(version, new TreeSet<>()))
              .as("%s reads %s, which %s writes", reader, shared, writer)
              .contains(reader + "Aliaslive");
          shifts.add(reader + " " + writer);
        }
      }
    }
    assertThat(shifts)
        .contains(
            "NumberEventsFunction CreateEventFunction", // by the stream
            "ListEventsFunction NumberEventsFunction");
  }

  /** The tables on which the role of a function has rights that match, also by index or stream. */
  private static Set<String> tables(String function, Pattern actions) {
    Set<String> tables = new TreeSet<>();
    for (JsonNode statement : properties(function + "Role").findValues("Statement")) {
      for (JsonNode each : statement) {
        if (actions.matcher(each.path("Action").toString()).find()) {
          WORD.matcher(each.path("Resource").toString())
              .results()
              .map(MatchResult::group)
              .filter(ids("AWS::DynamoDB::Table")::contains)
              .forEach(tables::add);
        }
      }
    }
    return tables;
  }

  private static List<String> elements(List<String> all, int subset) {
    return IntStream.range(0, all.size())
        .filter(i -> (subset >> i & 1) == 1)
        .mapToObj(all::get)
        .toList();
  }

  @Test
  void the_pages_ask_aws_only_for_resources_that_are_deployed() throws IOException {
    Pattern physical = Pattern.compile("\\bphysical ([A-Z]\\w+)");
    List<String> asked = new ArrayList<>();
    try (Stream<Path> pages = Files.list(Path.of("../docs"))) {
      for (Path page : pages.filter(each -> each.toString().endsWith(".md")).toList()) {
        physical.matcher(Files.readString(page)).results().forEach(it -> asked.add(it.group(1)));
      }
    }

    JsonNode announcing = TemplateText.ofTheAnnouncements().root().path("Resources");
    assertThat(asked).isNotEmpty().allMatch(id -> isResource(id) || announcing.has(id));
  }

  /**
   * Adds the resources that CloudFormation creates before this one to {@code found}, and returns
   * {@code found}.
   */
  private static Set<String> createdBefore(String id, Set<String> found) {
    JsonNode resource = transformed.get("resources").path(id);
    Stream<JsonNode> named =
        Stream.of("DependsOn", "Ref", "Fn::GetAtt", "Fn::Sub")
            .flatMap(key -> resource.findValues(key).stream());
    named
        .flatMap(node -> WORD.matcher(node.toString()).results())
        .map(MatchResult::group)
        .filter(name -> isResource(name) && found.add(name))
        .forEach(name -> createdBefore(name, found));
    return found;
  }

  private static boolean isResource(String name) {
    return transformed.get("resources").has(name);
  }

  @Test
  void a_route_leads_to_its_functions_alias_and_is_throttled_by_itself() {
    JsonNode paths = properties("Api").at("/Body/paths");
    assertThat(paths).hasSize(8);
    for (Route route : template.routes()) {
      JsonNode integration =
          paths
              .path(route.path())
              .path(route.method().toLowerCase(Locale.ROOT))
              .path("x-amazon-apigateway-integration");
      assertThat(integration.at("/uri/Fn::Sub").asText())
          .contains("/functions/${" + route.function() + "Aliaslive}/invocations");
      assertThat(integration.path("payloadFormatVersion").asText()).isEqualTo("2.0");
    }
    assertThat(properties("ApiApiGatewayDefaultStage").get("RouteSettings").propertyStream())
        .extracting(Map.Entry::getKey)
        .containsExactlyInAnyOrderElementsOf(template.routes().stream().map(Route::key).toList());
  }

  @Test
  @Promise("These functions have no route.")
  void only_the_api_and_secrets_manager_may_invoke_functions() {
    List<String> allowed =
        ids("AWS::Lambda::Permission").stream()
            .map(TransformedTemplateTest::properties)
            .map(each ->
                each.get("Principal").textValue() + " " + each.at("/FunctionName/Ref").textValue())
            .sorted()
            .toList();
    assertThat(allowed)
        .containsExactly(
            "apigateway.amazonaws.com CreateBatchFunctionAliaslive",
            "apigateway.amazonaws.com CreateEventFunctionAliaslive",
            "apigateway.amazonaws.com FindMissingFunctionAliaslive",
            "apigateway.amazonaws.com ListEventsFunctionAliaslive",
            "apigateway.amazonaws.com LoginFunctionAliaslive",
            "apigateway.amazonaws.com MeFunctionAliaslive",
            "apigateway.amazonaws.com ReadEventFunctionAliaslive",
            "apigateway.amazonaws.com ReadEventFunctionAliaslive", // two routes
            "apigateway.amazonaws.com RefreshFunctionAliaslive",
            "events.amazonaws.com BeatFeedFunction",
            "secretsmanager.amazonaws.com RotateSigningKeyFunction");
  }

  private static Set<String> functions() {
    return new TreeSet<>(template.functions().stream().map(FunctionDefinition::id).toList());
  }

  private static Set<String> ids(String type) {
    return new TreeSet<>(
        transformed
            .get("resources")
            .propertyStream()
            .filter(each -> each.getValue().get("Type").textValue().equals(type))
            .map(Map.Entry::getKey)
            .toList());
  }

  private static JsonNode properties(String id) {
    return transformed.path("resources").path(id).path("Properties");
  }
}
