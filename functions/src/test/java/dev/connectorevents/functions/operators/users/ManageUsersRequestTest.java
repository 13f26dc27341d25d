package dev.connectorevents.functions.operators.users;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.Promise;
import dev.connectorevents.functions.operators.OperatorEvent;
import dev.connectorevents.json.Body;
import dev.connectorevents.user.User;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules for an operator's event, and the faults of an event that breaks them. */
class ManageUsersRequestTest {

  private final ManagingOperator operator = new ManagingOperator();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{}                                                             | /action /email",
        "{\"action\":\"remove\",\"email\":\"a@b\"}                      | /action",
        "{\"action\":\"SHOW\",\"email\":\"a@b\"}                        | /action",
        "{\"action\":1,\"email\":null}                                 | /action /email",
        "{\"action\":\"show\",\"email\":\"nobody\"}                     | /email",
        "{\"action\":\"create\",\"email\":\"\",\"name\":\"\",\"password\":\"short\"}"
            + " | /email /name /password",
        "{\"action\":\"create\",\"email\":\"a@b\",\"name\":1,\"password\":{}} | /name /password",
        "{\"action\":\"create\",\"email\":\"a@b\",\"name\":\"\\ud800\"}    | /name",
        "{\"action\":\"create\",\"email\":\"a@b\",\"name\":\"a\\nb\"}      | /name",
        "{\"action\":\"create\",\"email\":\"a@b\",\"name\":\"a\\u202eb\"}  | /name",
        "{\"action\":\"create\",\"email\":\"a@b\",\"name\":\"\\udb40\\udc01\"} | /name",
        "{\"action\":\"create\",\"email\":\"a@b\",\"password\":\"elevenchars\"} | /password",
        "{\"action\":\"create\",\"email\":\"a@b\",\"password\":\"NUL \\u0000 is none\"} | /password",
        "{\"action\":\"create\",\"email\":\"a@b\",\"password\":\"half \\ud800 is none\"} | /password",
        "{\"action\":\"reset-password\",\"email\":\"a@b\",\"password\":\"short\"} | /password",
        "{\"action\":\"issue-static-token\",\"email\":\"a@b\",\"days\":0}   | /days",
        "{\"action\":\"create\",\"email\":\"a@b\",\"role\":\"admin\"} | /role",
        "{\"action\":\"create\",\"email\":\"a@b\",\"role\":1} | /role",
        "{\"action\":\"set-role\",\"email\":\"a@b\"} | /role",
        "{\"action\":\"issue-static-token\",\"email\":\"a@b\",\"days\":31}  | /days",
        "{\"action\":\"issue-static-token\",\"email\":\"a@b\",\"days\":1.0} | /days",
        "{\"action\":\"issue-static-token\",\"email\":\"a@b\",\"days\":\"1\"} | /days",
        "{\"action\":\"issue-static-token\",\"email\":\"a@b\",\"days\":4294967297} | /days",
        "{\"action\":\"list\",\"next\":1}                                | /next",
        "{\"action\":\"list\",\"next\":\"\"}                             | /next",
        "{\"action\":\"list\",\"next\":\"a@b\"}                          | /next",
        "{\"action\":\"list\",\"next\":\"bm9ib2R5\"}                     | /next",
        "{\"action\":\"list\",\"next\":\"QUBi\"}                         | /next",
        "{\"action\":\"list\",\"next\":\"YUBiYw==\"}                     | /next",
        "{\"action\":\"list\",\"next\":\"_0BiYw\"}                       | /next",
        "{\"action\":\"list\",\"email\":\"a@b\"}                         | /email",
        "{\"action\":\"create\",\"email\":\"a@b\",\"role\":1,\"days\":1,\"a/b\":null}"
            + " | /role /days /a~1b",
      })
  @Promise("`days` is an integer from 1 to `KeyRotationDays` − 2")
  void every_broken_rule_is_named(String event, String pointers) {
    JsonNode answer = operator.invoke(event.getBytes(UTF_8));

    assertThat(answer.get("status").intValue()).isEqualTo(422);
    assertThat(answer.get("code").textValue()).isEqualTo("validation_failed");
    assertThat(answer.get("errors").findValuesAsText("pointer"))
        .containsExactly(pointers.split(" ", -1));
  }

  @Test
  void the_fault_of_an_unknown_action_lists_the_actions_that_the_function_documents()
      throws IOException {
    String source =
        Files.readString(
            Path.of("src/main/java")
                .resolve(ManageUsersFunction.class.getName().replace('.', '/') + ".java"));
    Stream<String> documented =
        Pattern.compile("<li>\\{@code ([a-z-]+)}")
            .matcher(source.substring(0, source.indexOf("</ul>")))
            .results()
            .map(action -> action.group(1));

    String detail = operator.act("remove", "a@b").at("/errors/0/detail").textValue();

    assertThat(detail.replace("required: one of ", "").split(", ", -1))
        .containsExactlyInAnyOrder(documented.toArray(String[]::new));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          create             |                     | action, email, name, password, role, event_types
          disable            |                     | action, email
          enable             |                     | action, email
          reset-password     |                     | action, email, password
          revoke-tokens      |                     | action, email
          set-role           | ,"role":"consumer"  | action, email, role
          set-scope          | ,"event_types":null | action, email, event_types
          issue-static-token |                     | action, email, days
          delete             |                     | action, email
          show               |                     | action, email
          """)
  @Promise("Any other member is refused, and the first such fault names the action's")
  void a_misspelled_member_is_refused_in_each_action_and_changes_nothing(
      String action, @Nullable String needed, String known) {
    String email = action.equals("create") ? "new@example.com" : ManagingOperator.ADDRESS;
    User before = operator.user(ManagingOperator.ADDRESS);
    for (String slip : List.of("scope", "eventTypes", "event_type", "Email", "reason")) {
      String members = "\"%s\":null%s".formatted(slip, needed == null ? "" : needed);

      JsonNode answer = operator.act(action, email, members);

      assertThat(answer.at("/errors/0"))
          .hasToString(
              "{\"pointer\":\"/%s\",\"detail\":\"unknown member: %s has %s\"}"
                  .formatted(slip, action, known));
      assertThat(answer.get("errors")).hasSize(1);
    }
    assertThat(operator.user(ManagingOperator.ADDRESS)).isEqualTo(before);
    assertThat(operator.service.users.list(Optional.empty(), 2).users()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          []                             | /event_types: an array of 1 to 20 patterns of event types, each a string; there are 0
          {}                             | /event_types: an array of 1 to 20 patterns of event types, each a string
          "shopify.*"                    | /event_types: an array of 1 to 20 patterns of event types, each a string
          ["a.b", "shopify.*", "a.b"]    | /event_types/2: a pattern that is in the array once: *, <provider>.*
          ["Shopify.*"]                  | /event_types/0: a pattern that is in the array once
          ["a.b", "a.b/"]                | /event_types/1: a pattern that is in the array once
          ["a.b", 1]                     | /event_types/1: a pattern that is in the array once
          ["*", null]                    | /event_types/1: a pattern that is in the array once
          ["a.b,c.d"]                    | /event_types/0: a pattern that is in the array once
          """)
  @Promise("its scope: `event_types`, 1 to 20 patterns.")
  void a_scope_is_1_to_20_patterns_each_once(String eventTypes, String fault) {
    for (String action : List.of("create", "set-scope")) {
      JsonNode answer = operator.act(action, "new@example.com", "\"event_types\":" + eventTypes);

      assertThat(answer.get("status").intValue()).isEqualTo(422);
      assertThat(answer.get("errors")).hasSize(1);
      JsonNode error = answer.at("/errors/0");
      assertThat(error.get("pointer").textValue() + ": " + error.get("detail").textValue())
          .startsWith(fault);
    }
  }

  @Test
  @Promise("a call without it must not lift a scope.")
  void a_new_scope_must_be_named() {
    assertThat(operator.act("set-scope", ManagingOperator.ADDRESS).at("/errors/0"))
        .hasToString(
            "{\"pointer\":\"/event_types\",\"detail\":\"required: null for all, or an array of 1 to"
                + " 20 patterns of event types, each a string\"}");
  }

  @Test
  void a_password_is_hidden_in_every_text() {
    assertThat(Password.parse("twelve chars"))
        .hasValueSatisfying(password -> assertThat(password).hasToString("Password[…]"));
  }

  @Test
  @Promise({
    "`password` has at least 12 characters and at most 72 bytes in UTF-8",
    "`name` has 1 to 255 characters."
  })
  void a_password_has_at_most_72_bytes_and_a_name_255_characters() {
    assertThat(operator.create("é".repeat(36), "n".repeat(255)).has("user")).isTrue();
    assertThat(operator.create("é".repeat(36) + "e", "n".repeat(256)).findValuesAsText("pointer"))
        .containsExactly("/name", "/password");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "[]",
        "null",
        "\"show\"",
        "{",
        "{} {}",
        "{\"a\":1,\"a\":1}",
        "{\"a\":\"ÿ\"}"
      })
  void an_event_that_is_not_one_object_is_malformed(String event) {
    JsonNode answer = operator.invoke(event.getBytes(ISO_8859_1));

    assertThat(answer.get("status").intValue()).isEqualTo(400);
    assertThat(answer.get("code").textValue()).isEqualTo("malformed_json");
  }

  @ParameterizedTest
  @ValueSource(strings = {"login", "me"})
  @Promise({
    "The function fails if it receives an event of API Gateway.",
    "The functions for operators fail if they receive an event of API Gateway"
  })
  void an_event_of_an_api_is_refused(String name) throws IOException {
    byte[] event = Files.readAllBytes(Path.of("../events/" + name + ".json"));

    assertThatIllegalStateException()
        .isThrownBy(() -> operator.invoke(event))
        .withMessage("this function must not have a route");
  }

  @ParameterizedTest
  @ValueSource(strings = {"create", "issue-static-token", "list", "reset-password"})
  void the_event_files_are_valid_for_the_shortest_static_token(String action) throws IOException {
    byte[] event = Files.readAllBytes(Path.of("../events/manage-users." + action + ".json"));

    assertThat(OperatorEvent.read(event, each -> ManageUsersRequest.read(each, 1)))
        .isInstanceOf(Body.Read.class);
  }
}
