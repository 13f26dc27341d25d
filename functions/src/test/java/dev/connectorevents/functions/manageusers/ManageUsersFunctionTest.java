package dev.connectorevents.functions.manageusers;

import static dev.connectorevents.user.TestUsers.CONNECTOR;
import static dev.connectorevents.user.TestUsers.PASSWORD;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.functions.RecordingContext;
import dev.connectorevents.functions.TestService;
import dev.connectorevents.http.Request;
import dev.connectorevents.http.Response;
import dev.connectorevents.token.TokenCheck;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.TestUsers;
import dev.connectorevents.user.User;
import dev.connectorevents.user.UserState;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ManageUsersFunctionTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String ADDRESS = "connector@example.com";

  private final TestService service = new TestService();
  private final RecordingContext context = new RecordingContext();
  private final ManageUsersFunction function =
      new ManageUsersFunction(
          new ManageUsers(
              service.users, service.tokens, TestUsers.COST, service.clock, new SecureRandom()),
          30);

  @Test
  void a_user_is_created_with_a_password_that_is_told_once() {
    JsonNode answer = act("create", "new@example.com", "\"name\":\"Shop\"");

    User user = service.users.find(new Email("new@example.com")).orElseThrow();
    assertThat(answer.get("user"))
        .hasToString(
            ("{\"id\":\"%s\",\"email\":\"new@example.com\",\"name\":\"Shop\",\"state\":\"active\","
                    + "\"created_at\":\"2026-11-20T12:00:00Z\","
                    + "\"tokens_valid_from\":\"2026-11-20T12:00:00Z\"}")
                .formatted(user.id()));
    assertThat(answer.get("password").textValue()).matches("[A-Za-z0-9]{32}");
    assertThat(user.passwordHash().matches(answer.get("password").textValue())).isTrue();
    assertThat(act("show", "new@example.com").has("password")).isFalse();
  }

  @Test
  void no_two_generated_passwords_are_the_same() {
    Set<String> passwords = new HashSet<>();
    for (int i = 0; i < 50; i++) {
      passwords.add(act("reset-password", ADDRESS).get("password").textValue());
      service.clock.advance(Duration.ofSeconds(1));
    }
    assertThat(passwords).hasSize(50);
  }

  @Test
  void a_password_that_the_operator_chose_is_not_repeated() {
    JsonNode created =
        act("create", "new@example.com", "\"name\":null,\"password\":\"twelve chars\"");
    JsonNode reset = act("reset-password", "new@example.com", "\"password\":\"chars: twelve\"");

    assertThat(created.has("password")).isFalse();
    assertThat(created.get("user").has("name")).isFalse();
    assertThat(reset.has("password")).isFalse();
    assertThat(user("new@example.com").passwordHash().matches("chars: twelve")).isTrue();
  }

  @Test
  void an_address_is_found_however_it_is_written() {
    assertThat(act("show", " Connector@EXAMPLE.com ").at("/user/email").textValue())
        .isEqualTo(ADDRESS);
  }

  @Test
  void a_disabled_user_is_enabled_again_without_its_old_sessions() {
    assertThat(act("disable", ADDRESS).at("/user/state").textValue()).isEqualTo("disabled");
    assertThat(user(ADDRESS).state()).isEqualTo(UserState.DISABLED);

    assertThat(act("enable", ADDRESS).at("/user/state").textValue()).isEqualTo("active");
    assertThat(user(ADDRESS).tokensValidFrom()).isAfter(service.clock.instant());
  }

  @ParameterizedTest
  @ValueSource(strings = {"disable", "reset-password", "revoke-tokens"})
  void every_session_that_began_before_is_ended_and_a_new_one_lives(String action) {
    for (int i = 0; i < 3; i++) { // also within one second
      Instant before = user(ADDRESS).sessionStart(service.clock.instant());

      act(action, ADDRESS);

      Instant validFrom = user(ADDRESS).tokensValidFrom();
      assertThat(validFrom).isEqualTo(validFrom.truncatedTo(ChronoUnit.SECONDS));
      assertThat(before).isBefore(validFrom);
      assertThat(user(ADDRESS).sessionStart(service.clock.instant())).isEqualTo(validFrom);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"disable", "reset-password", "revoke-tokens"})
  void however_often_sessions_are_ended_a_login_right_afterwards_is_let_in(String action) {
    String before = login();

    for (int i = 0; i < 30; i++) {
      act(action, ADDRESS);
    }

    act("enable", ADDRESS);
    assertThat(isLive(before)).isFalse();
    assertThat(isLive(login())).isTrue();
    assertThat(isLive(act("issue-static-token", ADDRESS).at("/token/access_token").textValue()))
        .isTrue();
  }

  @Test
  void a_revocation_either_ends_the_sessions_before_it_or_says_that_it_does_not() {
    int refused = 0;
    for (int i = 0; i < 30; i++) {
      String before = login();

      JsonNode answer = act("revoke-tokens", ADDRESS);

      refused += answer.path("code").asText().equals("too_many_attempts") ? 1 : 0;
      assertThat(isLive(before)).isEqualTo(answer.has("code"));
    }
    assertThat(refused).isEqualTo(24);

    service.clock.advance(Duration.ofSeconds(1));
    assertThat(act("revoke-tokens", ADDRESS).has("user")).isTrue();
  }

  @Test
  void a_login_that_read_the_user_just_before_a_slow_revocation_is_ended_too() {
    Instant began = service.clock.instant().plus(Duration.ofSeconds(8));

    act("revoke-tokens", ADDRESS);

    assertThat(began).isBefore(user(ADDRESS).tokensValidFrom());
  }

  @ParameterizedTest
  @CsvSource({"'\"days\":1', 1", "'\"days\":30', 30", "'\"days\":null', 30", "'\"a\":1', 30"})
  void a_static_token_lives_for_days_and_has_no_login(String member, int days) {
    JsonNode token = act("issue-static-token", ADDRESS, member).get("token");

    assertThat(token.get("token_type").textValue()).isEqualTo("bearer");
    assertThat(token.get("expires_in").longValue()).isEqualTo(days * 86_400L);
    assertThat(service.tokens.check(token.get("access_token").textValue()))
        .isInstanceOfSatisfying(
            TokenCheck.Valid.class,
            valid -> {
              assertThat(valid.claims().isStatic()).isTrue();
              assertThat(valid.claims().userId()).isEqualTo(CONNECTOR.id());
            });
  }

  @Test
  void a_static_token_issued_right_after_a_revocation_lives() {
    act("revoke-tokens", ADDRESS);

    String token = act("issue-static-token", ADDRESS).at("/token/access_token").textValue();

    assertThat(service.tokens.check(token))
        .isInstanceOfSatisfying(
            TokenCheck.Valid.class,
            valid ->
                assertThat(valid.claims().sessionStart())
                    .isEqualTo(user(ADDRESS).tokensValidFrom()));
  }

  @ParameterizedTest
  @CsvSource({
    "create, connector@example.com, 409, address_taken",
    "disable, nobody@example.com, 404, user_not_found",
    "enable, nobody@example.com, 404, user_not_found",
    "reset-password, nobody@example.com, 404, user_not_found",
    "revoke-tokens, nobody@example.com, 404, user_not_found",
    "issue-static-token, nobody@example.com, 404, user_not_found",
    "show, nobody@example.com, 404, user_not_found",
    "issue-static-token, disabled@example.com, 409, user_disabled",
  })
  void what_cannot_be_done_is_a_problem(String action, String email, int status, String code) {
    act("create", "disabled@example.com");
    act("disable", "disabled@example.com");

    JsonNode answer = act(action, email);

    assertThat(answer.get("status").intValue()).isEqualTo(status);
    assertThat(answer.get("code").textValue()).isEqualTo(code);
    assertThat(answer.get("request_id").textValue()).isEqualTo(context.getAwsRequestId());
    assertThat(answer.has("user")).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{}                                                             | /action /email",
        "{\"action\":\"delete\",\"email\":\"a@b\"}                      | /action",
        "{\"action\":\"SHOW\",\"email\":\"a@b\"}                        | /action",
        "{\"action\":1,\"email\":null}                                 | /action /email",
        "{\"action\":\"show\",\"email\":\"nobody\"}                     | /email",
        "{\"action\":\"create\",\"email\":\"\",\"name\":\"\",\"password\":\"short\"}"
            + " | /email /name /password",
        "{\"action\":\"create\",\"email\":\"a@b\",\"name\":1,\"password\":{}} | /name /password",
        "{\"action\":\"create\",\"email\":\"a@b\",\"name\":\"\\ud800\"}    | /name",
        "{\"action\":\"create\",\"email\":\"a@b\",\"name\":\"a\\u0000b\"}  | /name",
        "{\"action\":\"create\",\"email\":\"a@b\",\"name\":\"a\\nb\"}      | /name",
        "{\"action\":\"create\",\"email\":\"a@b\",\"name\":\"a\\u009bb\"}  | /name",
        "{\"action\":\"create\",\"email\":\"a@b\",\"name\":\"a\\u202eb\"}  | /name",
        "{\"action\":\"create\",\"email\":\"a@b\",\"name\":\"a\\u200bb\"}  | /name",
        "{\"action\":\"create\",\"email\":\"a@b\",\"name\":\"\\udb40\\udc01\"} | /name",
        "{\"action\":\"create\",\"email\":\"a@b\",\"password\":\"elevenchars\"} | /password",
        "{\"action\":\"create\",\"email\":\"a@b\",\"password\":\"NUL \\u0000 is none\"} | /password",
        "{\"action\":\"create\",\"email\":\"a@b\",\"password\":\"half \\ud800 is none\"} | /password",
        "{\"action\":\"reset-password\",\"email\":\"a@b\",\"password\":\"short\"} | /password",
        "{\"action\":\"issue-static-token\",\"email\":\"a@b\",\"days\":0}   | /days",
        "{\"action\":\"issue-static-token\",\"email\":\"a@b\",\"days\":31}  | /days",
        "{\"action\":\"issue-static-token\",\"email\":\"a@b\",\"days\":1.0} | /days",
        "{\"action\":\"issue-static-token\",\"email\":\"a@b\",\"days\":\"1\"} | /days",
        "{\"action\":\"issue-static-token\",\"email\":\"a@b\",\"days\":4294967297} | /days",
      })
  void every_rule_that_is_broken_is_named(String event, String pointers) {
    JsonNode answer = invoke(event.getBytes(UTF_8));

    assertThat(answer.get("status").intValue()).isEqualTo(422);
    assertThat(answer.get("code").textValue()).isEqualTo("validation_failed");
    assertThat(answer.get("errors").findValuesAsText("pointer"))
        .containsExactly(pointers.split(" ", -1));
  }

  @Test
  void a_password_has_at_most_72_bytes_and_a_name_255_characters() {
    assertThat(create("é".repeat(36), "n".repeat(255)).has("user")).isTrue();
    assertThat(create("é".repeat(36) + "e", "n".repeat(256)).findValuesAsText("pointer"))
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
  void what_is_not_one_object_is_malformed(String event) {
    JsonNode answer = invoke(event.getBytes(ISO_8859_1));

    assertThat(answer.get("status").intValue()).isEqualTo(400);
    assertThat(answer.get("code").textValue()).isEqualTo("malformed_json");
  }

  @ParameterizedTest
  @ValueSource(strings = {"login", "me"})
  void an_event_of_an_api_is_not_taken(String name) throws IOException {
    byte[] event = Files.readAllBytes(Path.of("../events/" + name + ".json"));

    assertThatIllegalStateException()
        .isThrownBy(() -> invoke(event))
        .withMessage("this function must not have a route");
  }

  @Test
  void an_invocation_is_one_line_in_the_log_and_holds_no_secret() {
    String password = act("create", "new@example.com").get("password").textValue();
    act("reset-password", ADDRESS, "\"password\":\"" + PASSWORD + "\"");
    String token = act("issue-static-token", ADDRESS).at("/token/access_token").textValue();
    act("hunter2 hunter2", ADDRESS, "\"password\":\"hunter2 hunter2\"");

    assertThat(context.lines())
        .hasSize(4)
        .noneMatch(line -> line.contains(password) || line.contains(PASSWORD))
        .noneMatch(
            line -> line.contains(token) || line.contains("hunter2") || line.contains("$2a"));
    assertThat(context.lines().get(1))
        .isEqualTo(
            ("{\"request_id\":\"%s\",\"action\":\"reset-password\",\"user_id\":\"%s\","
                    + "\"outcome\":\"done\"}\n")
                .formatted(context.getAwsRequestId(), CONNECTOR.id()));
    assertThat(context.lines().getLast()).contains("\"outcome\":\"validation_failed\"");
  }

  @Test
  void a_defect_is_logged_with_its_cause_and_answered_without() {
    service.keys.fail(true);

    JsonNode answer = act("issue-static-token", ADDRESS);

    assertThat(answer.get("status").intValue()).isEqualTo(500);
    assertThat(answer.toString()).doesNotContain("out of reach");
    assertThat(context.lines().getFirst()).contains("IllegalStateException: out of reach");
  }

  /** A token as a login issues it now. */
  private String login() {
    User user = user(ADDRESS);
    Instant authTime = user.sessionStart(service.clock.instant());
    return service.tokens.issue(user, authTime, TestService.HOUR).value();
  }

  private boolean isLive(String token) {
    Request request =
        new Request("r", "192.0.2.1", Map.of("authorization", "Bearer " + token), "", false);
    return service
            .guard
            .protect((guarded, caller) -> Response.json(200, Map.of()))
            .handle(request)
            .status()
        == 200;
  }

  private JsonNode create(String password, String name) {
    return act(
        "create", "new@example.com", "\"password\":\"" + password + "\",\"name\":\"" + name + "\"");
  }

  private JsonNode act(String action, String email) {
    return act(action, email, "\"unknown\":[{}]");
  }

  private JsonNode act(String action, String email, String more) {
    String event = "{\"action\":\"%s\",\"email\":\"%s\",%s}".formatted(action, email, more);
    return invoke(event.getBytes(UTF_8));
  }

  private JsonNode invoke(byte[] event) {
    try {
      ByteArrayOutputStream output = new ByteArrayOutputStream();
      function.handleRequest(new ByteArrayInputStream(event), output, context);
      return JSON.readTree(output.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private User user(String email) {
    return service.users.find(new Email(email)).orElseThrow();
  }
}
