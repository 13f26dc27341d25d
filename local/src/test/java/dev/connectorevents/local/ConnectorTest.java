package dev.connectorevents.local;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.aws.Payloads;
import dev.connectorevents.local.RunningService.Answer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A connector's day: every route over real HTTP, and what then lies in DynamoDB. */
class ConnectorTest {

  private static final String EVENTS = "/api/webhook-events";

  private static RunningService service;
  private static String token;

  @BeforeAll
  static void start() throws IOException {
    service = new RunningService();
    token = service.token();
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  @Test
  void a_connector_logs_in_looks_who_it_is_refreshes_and_posts() {
    Answer login = service.login(" Connector@Example.COM ", RunningService.PASSWORD);
    assertThat(login.status()).isEqualTo(200);
    assertThat(login.body().get("expires_in").intValue()).isEqualTo(3600);
    assertThat(login.header("cache-control")).isEqualTo("no-store");

    String first = login.body().get("access_token").textValue();
    Answer me = get("/api/auth/me", first);
    assertThat(me.status()).isEqualTo(200);
    assertThat(me.body().get("email").textValue()).isEqualTo(RunningService.EMAIL);

    Answer refresh = service.post("/api/auth/refresh", "", "Authorization", "Bearer " + first);
    assertThat(refresh.status()).isEqualTo(200);

    String second = refresh.body().get("access_token").textValue();
    Answer event = service.post(EVENTS, body("{}"), "Authorization", "Bearer " + second);
    assertThat(event.status()).isEqualTo(201);
    assertThat(event.header("location"))
        .isEqualTo(EVENTS + "/" + event.body().get("id").textValue());
  }

  @ParameterizedTest
  @MethodSource("payloads")
  void a_payload_lies_in_dynamodb_byte_for_byte(String payload) {
    Answer answer = post(body(payload));

    assertThat(answer.status()).isEqualTo(201);
    String stored = new String(service.payload(answer.body().get("id").textValue()), UTF_8);
    assertThat(stored.substring(0, payload.length() - 1))
        .isEqualTo(payload.substring(0, payload.length() - 1));
    assertThat(stored.substring(payload.length() - 1)).contains("\"_meta\":{").endsWith("}}");
  }

  static List<String> payloads() {
    return List.of(
        "{}",
        "{\"n\":1.0}",
        "{\"n\":1E400}",
        "{\"n\":0.123456789012345678901234567890}",
        "{\"s\":\"\\u00e9\"}",
        "{\"s\":\"é 😀 \\ud83d\\ude00 \\ud800 \\u0000\"}",
        "{ \"odd\" :\t[ 1 ,2,\r\n  3 ] }",
        "{\"a\":1,\"a\":2,\"\":{\"a\":1,\"a\":2}}",
        "{\"long\":\"" + "x".repeat(100_000) + "\"}");
  }

  @ParameterizedTest
  @ValueSource(ints = {1_000, 100_000, 390_000, 410_000, 1_000_000, 3_000_000, 5_000_000})
  void a_payload_of_any_size_lies_in_dynamodb_byte_for_byte_or_is_too_large(int bytes) {
    for (String payload : List.of(Payloads.webhook(bytes), Payloads.random(bytes))) {
      Answer answer = post(body(payload));

      if (answer.status() == 413) {
        // With its quotes escaped the body no longer fits into Lambda's 6 MB.
        assertThat(bytes + payload.chars().filter(c -> c == '"').count()).isGreaterThan(6_200_000);
      } else {
        assertThat(answer.status()).isEqualTo(201);
        assertThat(service.payload(answer.body().get("id").textValue()))
            .startsWith(payload.substring(0, payload.length() - 1).getBytes(UTF_8));
      }
    }
  }

  @Test
  void a_payload_with_meta_lies_in_dynamodb_as_it_was_sent() {
    String payload =
        "{\"id\":1.0,\"_meta\" : {\"source\":\"shopify\", \"shop\":\"\\u00e9\"},\"z\":[ ]}";

    Answer answer = post(body(payload));

    assertThat(service.payload(answer.body().get("id").textValue()))
        .isEqualTo(payload.getBytes(UTF_8));
  }

  @Test
  void a_chunked_body_and_one_of_an_unusual_media_type_are_read_alike() {
    byte[] body = body("{\"a\":\"é\"}").getBytes(UTF_8);

    Answer chunked =
        service.send(
            "POST",
            EVENTS,
            BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)),
            "Authorization",
            "Bearer " + token);
    Answer vendor = post(body, "Content-Type", "application/vnd.example+json;charset=UTF-8");

    assertThat(chunked.status()).isEqualTo(201);
    assertThat(vendor.status()).isEqualTo(201);
  }

  @Test
  void a_request_sent_again_under_its_key_is_one_event() {
    String body = body("{\"order\":1}");

    Answer first = post(body.getBytes(UTF_8), "Idempotency-Key", "order 1");
    Answer second = post(body.getBytes(UTF_8), "Idempotency-Key", "order 1");
    Answer other = post(body("{\"order\":2}").getBytes(UTF_8), "Idempotency-Key", "order 1");

    assertThat(first.status()).isEqualTo(201);
    assertThat(first.header("idempotency-replayed")).isEmpty();
    assertThat(second.status()).isEqualTo(201);
    assertThat(second.header("idempotency-replayed")).isEqualTo("true");
    assertThat(second.body()).isEqualTo(first.body());
    assertThat(other.status()).isEqualTo(422);
    assertThat(other.code()).isEqualTo("idempotency_key_reused");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`{`                                        | 400 | malformed_json",
        "`{\"event_type\":\"a.b\",\"payload\":{},\"payload\":{}}` | 400 | malformed_json",
        "`{\"event_type\":\"a\",\"payload\":[]}`    | 422 | validation_failed",
        "`{\"event_type\":\"a.b\",\"payload\":{},\"attempts\":1.0}` | 422 | validation_failed",
      })
  void a_body_that_breaks_a_rule_is_a_problem(String body, int status, String code) {
    Answer answer = post(body);

    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.code()).isEqualTo(code);
    assertThat(answer.header("content-type")).isEqualTo("application/problem+json");
    assertThat(answer.body().get("request_id").textValue())
        .isEqualTo(answer.header("apigw-requestid"));
  }

  @Test
  void a_body_in_another_encoding_is_refused() {
    byte[] latin1 = body("{\"a\":\"é\"}").getBytes(ISO_8859_1);

    assertThat(post(latin1).code()).isEqualTo("malformed_json");
    assertThat(post(latin1, "Content-Type", "application/json; charset=latin1").code())
        .isEqualTo("unsupported_media_type");
  }

  @ParameterizedTest
  @MethodSource("oddities")
  void what_is_odd_and_legal_is_stored(String members) {
    assertThat(post("{" + members + "}").status()).isEqualTo(201);
  }

  static List<String> oddities() {
    String type = "\"event_type\":\"shopify.orders/create\",";
    return List.of(
        type + "\"payload\":{},\"status\":\"\",\"response\":\"\"",
        type + "\"payload\":{},\"response\":\"" + "\\u0000".repeat(65_536) + "\"",
        type + "\"payload\":{},\"response\":\"" + "é".repeat(32_768) + "\"",
        type + "\"payload\":{\"_meta\":{\"brand_id\":\"" + "b".repeat(3_000) + "\"}}",
        type + "\"payload\":{\"_meta\":{\"brand_id\":\"\"}}",
        type + "\"payload\":{\"_meta\":{\"brand_id\":\"\\ud800\"}}",
        type + "\"payload\":{\"_meta\":{\"\":\"\",\"shop\":\"" + "s".repeat(100_000) + "\"}}",
        type + "\"payload\":{\"\":" + "9".repeat(100_000) + "}",
        type + "\"payload\":" + "{\"a\":".repeat(998) + "1" + "}".repeat(998),
        "\"event_type\":\"a." + "b".repeat(253) + "\",\"payload\":{}",
        "\"a\":" + "[".repeat(900) + "]".repeat(900) + "," + type + "\"payload\":{}");
  }

  @ParameterizedTest
  @CsvSource({
    "'', missing_token",
    "Basic dTpw, missing_token",
    "Bearer x.y.z, invalid_token",
  })
  void nobody_gets_in_without_a_token(String authorization, String code) {
    for (String path : List.of("/api/auth/refresh", EVENTS)) {
      Answer answer = service.post(path, "", "Authorization", authorization);

      assertThat(answer.status()).isEqualTo(401);
      assertThat(answer.code()).isEqualTo(code);
      // API Gateway renames the header.
      assertThat(answer.header("x-amzn-remapped-www-authenticate")).startsWith("Bearer ");
      assertThat(answer.header("www-authenticate")).isEmpty();
    }
  }

  @Test
  void a_wrong_password_and_an_unknown_address_are_the_same_problem() {
    Answer wrong = service.login(RunningService.EMAIL, "wrong");
    Answer unknown = service.login("nobody@example.com", "wrong");

    assertThat(wrong.status()).isEqualTo(401);
    assertThat(wrong.code()).isEqualTo("invalid_credentials");
    assertThat(unknown.body().get("detail")).isEqualTo(wrong.body().get("detail"));
    assertThat(unknown.code()).isEqualTo(wrong.code());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/api", EVENTS + "/", "/api/auth/login/x", "/API/auth/login"})
  void there_is_nothing_beside_the_routes(String path) {
    assertThat(service.post(path, "{}").status()).isEqualTo(404);
  }

  /** Mutations of a valid request, the same ones at each run. */
  @Test
  void no_body_makes_the_service_fail() {
    byte[] valid =
        body("{\"a\":[1.0,true,null,\"\\u00e9é😀\"],\"_meta\":{\"source\":\"shopify\"}}")
            .getBytes(UTF_8);
    Random random = new Random(42);
    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      byte[] body = valid.clone();
      for (int changes = random.nextInt(3); changes >= 0; changes--) {
        body[random.nextInt(body.length)] =
            random.nextBoolean()
                ? (byte) "{}[],:\"\\0-.eEtfn \n".charAt(random.nextInt(18))
                : (byte) random.nextInt(256);
      }
      statuses.add(post(body).status());
    }
    assertThat(statuses).isSubsetOf(201, 400, 422).contains(201, 400, 422);
  }

  private static String body(String payload) {
    return "{\"event_type\":\"shopify.orders/create\",\"payload\":" + payload + "}";
  }

  private static Answer post(String body) {
    return post(body.getBytes(UTF_8));
  }

  private static Answer post(byte[] body, String... headers) {
    List<String> all = new ArrayList<>(List.of("Authorization", "Bearer " + token));
    all.addAll(List.of(headers));
    if (!all.contains("Content-Type")) {
      all.addAll(List.of("Content-Type", "application/json"));
    }
    return service.post(EVENTS, body, all.toArray(String[]::new));
  }

  private static Answer get(String path, String bearer) {
    return service.send("GET", path, BodyPublishers.noBody(), "Authorization", "Bearer " + bearer);
  }
}
