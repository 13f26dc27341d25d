package dev.connectorevents.acceptance.journeys;

import static dev.connectorevents.acceptance.service.Connector.EVENTS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.user.Email;
import io.jsonwebtoken.JwtBuilder;
import io.jsonwebtoken.Jwts;
import io.jsonwebtoken.security.Keys;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;
import software.amazon.awssdk.services.secretsmanager.model.GetSecretValueResponse;

/** When sessions end, and how requests fail while a table is missing, over real HTTP. */
class SessionTest {

  private static final String KEYS = "{\"idempotency_keys\":[\"a\"]}";
  private static final String EVENT = "{\"event_type\":\"a.b\",\"payload\":{}}";

  @AutoClose private final World service = World.start();

  @Test
  void without_a_token_of_ours_nobody_is_let_in() {
    assertEverywhere(new String[0], 401, "missing_token");
    assertEverywhere("not.a.token", 401, "invalid_token");
  }

  @Test
  void a_token_ends_with_its_lifetime() {
    String expired = signed(jwt -> jwt.issuedAt(fromNow(-3_700)).expiration(fromNow(-100)));

    assertEverywhere(expired, 401, "expired_token");
  }

  @Test
  void a_session_ends_a_week_after_its_login() {
    Duration week = Duration.ofDays(7);
    String last = signed(jwt -> jwt.claim("auth_time", secondsAgo(week.minusSeconds(60))));
    String tooLate = signed(jwt -> jwt.claim("auth_time", secondsAgo(week)));

    assertThat(refresh(last).status()).isEqualTo(200);
    assertThat(refresh(tooLate).status()).isEqualTo(401);
    assertThat(refresh(tooLate).code()).isEqualTo("session_ended");
    assertThat(me(tooLate).status()).isEqualTo(200);
  }

  @Test
  void a_static_token_works_everywhere_but_at_refresh() {
    String token = signed(jwt -> jwt.claim("auth_time", null).claim("token_use", "static"));

    assertThat(me(token).status()).isEqualTo(200);
    assertThat(post(token).status()).isEqualTo(201);
    assertThat(refresh(token).status()).isEqualTo(401);
    assertThat(refresh(token).code()).isEqualTo("invalid_token");
  }

  @Test
  void a_disabled_user_is_out_at_once_and_of_event_creation_within_five_seconds()
      throws InterruptedException {
    String token = service.client().token();
    assertThat(post(token).status()).isEqualTo(201);

    service.operator().manageUsers("disable", World.EMAIL);

    assertThat(me(token).code()).isEqualTo("revoked_token");
    assertThat(refresh(token).code()).isEqualTo("revoked_token");
    assertThat(service.client().login(World.EMAIL, World.PASSWORD).code())
        .isEqualTo("invalid_credentials");
    Thread.sleep(Duration.ofSeconds(5));
    assertThat(post(token).code()).isEqualTo("revoked_token");
  }

  @Test
  void a_deleted_users_tokens_end_also_when_its_address_belongs_to_another_user()
      throws InterruptedException {
    String token = service.client().token();
    String first = postKeyed(token);

    service.operator().manageUsers("delete", World.EMAIL);
    assertThat(me(token).code()).isEqualTo("revoked_token");
    assertThat(refresh(token).code()).isEqualTo("revoked_token");
    assertThat(service.client().login(World.EMAIL, World.PASSWORD).code())
        .isEqualTo("invalid_credentials");
    String password =
        service.operator().manageUsers("create", World.EMAIL).get("password").textValue();
    String next = service.client().login(World.EMAIL, password).body().at("/access_token").asText();

    assertThat(me(token).code()).isEqualTo("revoked_token");
    assertThat(refresh(token).code()).isEqualTo("revoked_token");
    assertThat(me(next).status()).isEqualTo(200);
    Thread.sleep(Duration.ofSeconds(5)); // event creation caches users for up to 5 s
    assertEverywhere(token, 401, "revoked_token");
    assertThat(postKeyed(next)).as("the event under the same key").isNotEqualTo(first);
  }

  private String postKeyed(String token) {
    Answer answer =
        service
            .client()
            .post(EVENTS, EVENT, "Authorization", "Bearer " + token, "Idempotency-Key", "key");
    assertThat(answer.status()).as(answer.body().toString()).isEqualTo(201);
    return answer.body().get("id").textValue();
  }

  @Test
  void a_revocation_ends_the_sessions_before_it_and_not_those_after() {
    String before = signed(jwt -> jwt.claim("auth_time", secondsAgo(Duration.ofMinutes(2))));
    service.operator().manageUsers("revoke-tokens", World.EMAIL);

    assertEverywhere(before, 401, "revoked_token");
    assertThat(me(service.client().token()).status()).isEqualTo(200);
  }

  @Test
  void nobody_is_let_in_while_users_cannot_be_read() {
    String token = service.client().token();
    service.dynamoDb().deleteTable(delete -> delete.tableName(service.name("UsersTable")));

    assertEverywhere(token, 503, "temporarily_unavailable");
    Answer login = service.client().login(World.EMAIL, World.PASSWORD);
    assertThat(login.status()).isEqualTo(503);
    assertThat(login.header("retry-after")).isEqualTo("1");
  }

  @Test
  void an_event_that_cannot_be_stored_is_not_said_to_be() {
    String token = service.client().token();
    service.dynamoDb().deleteTable(delete -> delete.tableName(service.name("EventsTable")));

    assertThat(post(token).status()).isEqualTo(503);
    assertThat(post(token).code()).isEqualTo("temporarily_unavailable");
  }

  @Test
  void events_that_cannot_be_read_are_not_said_to_be_missing() {
    String consumer = service.operator().consumerToken();
    service.dynamoDb().deleteTable(delete -> delete.tableName(service.name("EventsTable")));

    for (String path :
        List.of("/" + new UUID(1, 2), "/" + new UUID(1, 2) + "/payload", "?event_type=a.b")) {
      assertThat(service.client().get(EVENTS + path, consumer).code())
          .isEqualTo("temporarily_unavailable");
    }
  }

  private void assertEverywhere(String token, int status, String code) {
    assertEverywhere(bearer(token), status, code);
  }

  private void assertEverywhere(String[] headers, int status, String code) {
    List<Answer> answers = new ArrayList<>();
    answers.add(service.client().post("/api/auth/refresh", "", headers));
    answers.add(service.client().post(EVENTS, EVENT, headers));
    answers.add(service.client().post(EVENTS + "/batch", "{\"events\":[" + EVENT + "]}", headers));
    answers.add(service.client().post(EVENTS + "/missing", KEYS, headers));
    for (String path : List.of("/api/auth/me", EVENTS, EVENTS + "/x", EVENTS + "/x/payload")) {
      answers.add(service.client().send("GET", path, BodyPublishers.noBody(), headers));
    }
    assertThat(answers)
        .allSatisfy(answer -> {
          assertThat(answer.status()).isEqualTo(status);
          assertThat(answer.code()).isEqualTo(code);
        });
  }

  private Answer me(String token) {
    return service.client().send("GET", "/api/auth/me", BodyPublishers.noBody(), bearer(token));
  }

  private Answer refresh(String token) {
    return service.client().post("/api/auth/refresh", "", bearer(token));
  }

  private Answer post(String token) {
    return service.client().post(EVENTS, EVENT, bearer(token));
  }

  private static String[] bearer(String token) {
    return new String[] {"Authorization", "Bearer " + token};
  }

  /** Returns a token of the user with this change, signed with the service's own key. */
  private String signed(UnaryOperator<JwtBuilder> change) {
    try (SecretsManagerClient secrets = service.settings().secretsManagerClient()) {
      GetSecretValueResponse secret =
          secrets.getSecretValue(get -> get.secretId(service.name("SigningKeySecret")));
      UUID user = service.users().find(new Email(World.EMAIL)).orElseThrow().id();
      JwtBuilder jwt =
          Jwts.builder()
              .header()
              .keyId(secret.versionId())
              .and()
              .issuer("emulator")
              .subject(user.toString())
              .id("1")
              .issuedAt(fromNow(0))
              .expiration(fromNow(3_600))
              .claim("email", World.EMAIL)
              .claim("auth_time", secondsAgo(Duration.ZERO))
              .signWith(Keys.hmacShaKeyFor(secret.secretString().getBytes(UTF_8)), Jwts.SIG.HS256);
      return change.apply(jwt).compact();
    }
  }

  private static Date fromNow(int seconds) {
    return Date.from(Instant.now().plusSeconds(seconds));
  }

  private static long secondsAgo(Duration duration) {
    return Instant.now().minus(duration).getEpochSecond();
  }
}
