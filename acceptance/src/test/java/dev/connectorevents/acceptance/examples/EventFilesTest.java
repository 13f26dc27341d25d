package dev.connectorevents.acceptance.examples;

import static java.util.Comparator.comparing;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.acceptance.service.Routes;
import dev.connectorevents.acceptance.service.World;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The files of {@code events/} that are requests to routes, in API Gateway's format, or events of
 * operators. The tests send each of them to its function. {@code KeyRotationTest} sends the file
 * for the rotation.
 */
class EventFilesTest {

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  /** The user in the files {@code manage-users.*.json}. */
  private static final String SHOP = "shop@example.com";

  @AutoClose private static final World service = World.start();

  /** The files for the functions that serve a route of the API. */
  static List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    for (Path file : files("*")) {
      if (JSON.readTree(file.toFile()).has("routeKey")) {
        files.add(file);
      }
    }
    return files;
  }

  /** The files with these names, a glob without the ending. */
  private static List<Path> files(String names) throws IOException {
    List<Path> files = new ArrayList<>();
    Path folder = Path.of("../events");
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, names + ".json")) {
      found.forEach(files::add);
    }
    Collections.sort(files);
    return files;
  }

  /** {@link Routes} reads a file of each. */
  @Test
  void every_route_of_the_template_is_in_the_list_that_the_tests_walk() {
    assertThat(Routes.values())
        .extracting(each -> each.key() + " " + each.function())
        .containsExactlyInAnyOrderElementsOf(
            service.template().functions().stream()
                .flatMap(each -> each.routes().stream().map(route -> route.key() + " " + each.id()))
                .toList());
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
        .allMatch(name -> name.equals(name.toLowerCase(Locale.ROOT)));
  }

  /** A person looks there for what to invoke with a file. */
  @Test
  void the_page_on_sam_local_names_the_function_of_each_file() throws IOException {
    List<String> rows =
        Files.readAllLines(Path.of("../docs/running-locally.md")).stream()
            .filter(line -> line.startsWith("- `") && line.contains(".json`"))
            .toList();
    for (Path file : files("[!s]*")) { // all but the variables for `sam local`
      String name = file.getFileName().toString();
      String pattern = name.replaceFirst("\\..*\\.", ".*.");
      assertThat(rows)
          .as(name)
          .filteredOn(row -> row.contains("`" + pattern + "`") || row.contains("`" + name + "`"))
          .singleElement(STRING)
          .startsWith("- `" + function(file) + "`: ");
    }
  }

  private static String function(Path file) throws IOException {
    JsonNode route = JSON.readTree(file.toFile()).path("routeKey");
    if (route.isTextual()) {
      return Routes.of(route.textValue()).function();
    }
    return Pattern.compile("-")
            .splitAsStream(file.getFileName().toString().replaceFirst("\\..*", ""))
            .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
            .collect(joining())
        + "Function";
  }

  @ParameterizedTest
  @MethodSource("files")
  void a_file_sent_to_its_function_gets_a_success(Path file) throws IOException {
    ObjectNode event = (ObjectNode) JSON.readTree(file.toFile());
    Routes route = Routes.of(event.get("routeKey").textValue());
    ObjectNode headers = (ObjectNode) event.get("headers");
    if (headers.has("authorization")) {
      headers.put("authorization", "Bearer " + route.token(service));
    }
    if (event.get("pathParameters") instanceof ObjectNode parameters) {
      parameters.put("id", service.store());
    }

    JsonNode answer = service.operator().invoke(route.function(), event.toString());

    assertThat(answer.get("statusCode").intValue()).isEqualTo(route.success());
  }

  @Test
  void an_operators_files_are_named_for_their_actions_and_done_one_after_the_other()
      throws IOException {
    List<Path> files = files("manage-users.*");
    files.sort(comparing(file -> file.endsWith("manage-users.delete.json"))); // the last
    assertThat(files)
        .extracting(file -> file.getFileName().toString())
        .containsExactlyInAnyOrderElementsOf(
            service.operator().actions().map("manage-users.%s.json"::formatted).toList());

    for (Path file : files) {
      JsonNode event = JSON.readTree(file.toFile());
      assertThat(event.findValues("password")).as("people send it to production").isEmpty();
      String action = event.get("action").textValue();
      assertThat(file).hasFileName("manage-users." + action + ".json");

      JsonNode answer = service.operator().invoke("ManageUsersFunction", event.toString());

      JsonNode user = action.equals("list") ? listed(answer) : answer.path("user");
      assertThat(user.path("email").textValue()).as(answer.toString()).isEqualTo(SHOP);
      assertThat(user.path("state").textValue())
          .isEqualTo(
              Map.of("disable", "disabled", "delete", "deleted").getOrDefault(action, "active"));
      assertThat(answer.has("password"))
          .isEqualTo(action.equals("create") || action.equals("reset-password"));
      assertThat(answer.has("token")).isEqualTo(action.equals("issue-static-token"));
    }
  }

  private static JsonNode listed(JsonNode answer) {
    return answer
        .path("users")
        .valueStream()
        .filter(user -> user.path("email").textValue().equals(SHOP))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void the_files_of_erasures_find_erase_and_show() throws IOException {
    assertThat(files("{find,erase,restore}-events.*")).hasSize(9);
    for (String selector : List.of("brand", "user")) {
      JsonNode found = service.operator().findEvents(event("find-events." + selector));
      assertThat(found.path("matched").isInt()).as(found.toString()).isTrue();
      assertThat(found.path("matched").intValue()).isZero();
      JsonNode begun = service.operator().eraseEvents(event("erase-events." + selector));
      assertThat(begun.has("next")).as(begun.toString()).isTrue();
    }

    JsonNode filled =
        service.operator().invoke("RestoreEventsFunction", "" + event("restore-events.fill"));
    assertThat(filled.path("renumbered").isInt()).as(filled.toString()).isTrue();

    ObjectNode byIds = event("erase-events.ids");
    byIds.putArray("ids").add(service.store());
    JsonNode erased = service.operator().eraseToTheEnd(byIds).getLast();
    assertThat(erased.path("complete").booleanValue()).as(erased.toString()).isTrue();

    assertThat(service.operator().findEvents(event("find-events.show")).path("code").asText())
        .isEqualTo("not_found");
    ObjectNode show = event("find-events.show").put("show", erased.get("erasure_id").textValue());
    assertThat(service.operator().findEvents(show).at("/erasure/reason").textValue())
        .isEqualTo(byIds.get("reason").textValue());

    String id = byIds.at("/ids/0").textValue();
    ObjectNode one = event("find-events.event").put("event", id);
    assertThat(service.operator().findEvents(one).at("/event/erased_at").isTextual()).isTrue();
    JsonNode page = service.operator().findEvents(event("find-events.entries"));
    assertThat(page.path("entries").isArray()).as(page.toString()).isTrue();
  }

  private static ObjectNode event(String name) throws IOException {
    return (ObjectNode) JSON.readTree(Path.of("../events/" + name + ".json").toFile());
  }
}
