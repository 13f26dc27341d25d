package dev.connectorevents.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.emulator.template.Route;
import dev.connectorevents.emulator.template.Template;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The files of {@code events/}: in API Gateway's own format, a route each, or an operator's; and
 * functions that answer.
 */
class EventFilesTest {

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  /** Not an event, but what `sam local` gives the functions that it sends them to. */
  private static final Path VARIABLES = Path.of("sam-local.env.json");

  @AutoClose private static final RunningService service = RunningService.start();
  private static final String token = service.token();
  private static final String consumer = service.consumerToken();

  /** Those for functions with a route. */
  static List<Path> files() {
    return files(file -> !isForOperators(file) && !file.endsWith("rotate-signing-key.json"));
  }

  private static boolean isForConsumers(Path file) {
    return file.getFileName().toString().matches("(read|list)-.*");
  }

  private static String storedId() {
    String event = "{\"event_type\":\"a.b\",\"payload\":{}}";
    return service
        .post("/api/webhook-events", event, "Authorization", "Bearer " + token)
        .body()
        .path("id")
        .asText();
  }

  private static boolean isForOperators(Path file) {
    return file.getFileName().toString().startsWith("manage-users.");
  }

  private static List<Path> files(Predicate<Path> which) {
    try (Stream<Path> files = Files.list(Path.of("../events"))) {
      return files
          .filter(file -> file.toString().endsWith(".json") && !file.endsWith(VARIABLES))
          .filter(which)
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void every_route_of_the_template_has_a_file() {
    assertThat(service.service().template().routes()).hasSize(8);
    requireOneForEachRoute(service.service().template());
  }

  /** And no file is there for a route that is not. */
  static void requireOneForEachRoute(Template template) {
    assertThat(files().stream().map(EventFilesTest::routeKey).collect(Collectors.toSet()))
        .as("routes that have a file in events/")
        .isEqualTo(template.routes().stream().map(Route::key).collect(Collectors.toSet()));
  }

  @ParameterizedTest
  @MethodSource("files")
  void a_file_is_an_event_of_api_gateway(Path file) throws IOException {
    JsonNode written = JSON.readTree(file.toFile());
    APIGatewayV2HTTPEvent event = JSON.treeToValue(written, APIGatewayV2HTTPEvent.class);

    assertThat(event.getVersion()).isEqualTo("2.0");
    String id = written.at("/pathParameters/id").asText();
    assertThat(event.getRouteKey().replace("{id}", id))
        .isEqualTo(event.getRequestContext().getHttp().getMethod() + " " + event.getRawPath());
    assertThat(event.getRouteKey()).isEqualTo(event.getRequestContext().getRouteKey());
    assertThat(event.getHeaders().keySet())
        .allMatch(name -> name.equals(name.toLowerCase(java.util.Locale.ROOT)));
  }

  @ParameterizedTest
  @MethodSource("files")
  void a_file_invoked_as_lambda_does_it_is_answered(Path file) throws IOException {
    ObjectNode event = (ObjectNode) JSON.readTree(file.toFile());
    ObjectNode headers = (ObjectNode) event.get("headers");
    if (headers.has("authorization")) {
      headers.put("authorization", "Bearer " + (isForConsumers(file) ? consumer : token));
    }
    if (event.get("pathParameters") instanceof ObjectNode parameters) {
      parameters.put("id", storedId());
    }
    String function =
        service.service().template().functions().stream()
            .filter(each ->
                each.routes().stream().anyMatch(route -> route.key().equals(routeKey(file))))
            .findFirst()
            .orElseThrow()
            .id();

    JsonNode answer =
        service
            .send(
                "POST",
                "/2015-03-31/functions/" + function + "/invocations",
                BodyPublishers.ofString(event.toString()))
            .body();

    assertThat(answer.get("statusCode").intValue())
        .isEqualTo(file.toString().contains("create-webhook-event.") ? 201 : 200);
  }

  @Test
  void an_operators_files_are_named_for_their_actions_and_done_one_after_the_other()
      throws IOException {
    List<Path> files = files(EventFilesTest::isForOperators);
    assertThat(files).hasSize(8);

    for (Path file : files) {
      JsonNode event = JSON.readTree(file.toFile());
      String action = event.get("action").textValue();
      assertThat(file).hasFileName("manage-users." + action + ".json");

      JsonNode answer = service.invoke("ManageUsersFunction", event.toString());

      assertThat(answer.at("/user/email")).as(answer.toString()).isEqualTo(event.get("email"));
      assertThat(answer.at("/user/state").textValue())
          .isEqualTo(action.equals("disable") ? "disabled" : "active");
      assertThat(answer.has("password"))
          .isEqualTo(action.equals("create") || action.equals("reset-password"));
      assertThat(answer.has("token")).isEqualTo(action.equals("issue-static-token"));
    }
  }

  /** The documentation has operators send these files to production. */
  @Test
  void no_operators_file_carries_a_password() throws IOException {
    for (Path file : files(EventFilesTest::isForOperators)) {
      assertThat(JSON.readTree(file.toFile()).findValues("password")).as(file.toString()).isEmpty();
    }
  }

  @Test
  void the_variables_for_sam_local_name_what_the_service_makes_elsewhere() throws IOException {
    JsonNode variables = JSON.readTree(Path.of("../events").resolve(VARIABLES).toFile());
    String prefix = Serve.PREFIX;
    Map<String, String> declared = new HashMap<>();
    Template.read(Mistake.TEMPLATE, Map.of(), prefix)
        .functions()
        .forEach(function -> declared.putAll(function.environment()));
    declared.replace("ENDPOINT_URL", "http://localstack:4566");

    assertThat(variables.get("Parameters").properties())
        .hasSize(5)
        .allMatch(each -> each.getValue().textValue().equals(declared.get(each.getKey())));
  }

  private static String routeKey(Path file) {
    try {
      return JSON.readTree(file.toFile()).get("routeKey").textValue();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
