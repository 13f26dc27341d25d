package dev.connectorevents.acceptance.journeys;

import static dev.connectorevents.acceptance.service.Connector.EVENTS;
import static org.assertj.core.api.Assertions.assertThat;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromN;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.World;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A connector asks which of its events have not arrived. */
class FindMissingTest {

  private static final String EVENT = "{\"event_type\":\"a.b\",\"payload\":{}}";

  @AutoClose private static final World service = World.start();
  private static final String token = service.client().token();

  private final String key = UUID.randomUUID().toString();

  @Test
  void a_key_is_not_missing_however_it_was_sent() {
    String inBody = EVENT.replaceFirst("\\{", "{\"idempotency_key\":\"body " + key + "\",");
    String inBatch = inBody.replace("body", "batch");
    is(201, post(EVENTS, EVENT, "Idempotency-Key", "header " + key));
    is(201, post(EVENTS, inBody));
    is(200, post(EVENTS + "/batch", "{\"events\":[" + inBatch + "]}"));

    assertThat(missing("none " + key, "header " + key, "body " + key, "batch " + key))
        .containsExactly("none " + key);
  }

  @Test
  void each_key_is_missing_until_its_event_is_acknowledged() {
    for (int i = 0; i < 20; i++) {
      assertThat(missing(key + i)).containsExactly(key + i);
      is(201, post(EVENTS, EVENT, "Idempotency-Key", key + i));
      assertThat(missing(key + i)).isEmpty();
    }
  }

  @Test
  void the_keys_of_another_connector_are_missing() {
    is(201, post(EVENTS, EVENT, "Idempotency-Key", key));
    service.operator().manageUsers("create", "other@example.com");
    String other =
        service
            .operator()
            .manageUsers("issue-static-token", "other@example.com")
            .at("/token/access_token")
            .textValue();

    assertThat(missing(other, List.of(key))).containsExactly(key);
  }

  @Test
  void the_key_of_an_event_past_its_retention_is_missing() {
    Answer created = post(EVENTS, EVENT, "Idempotency-Key", key);
    is(201, created);
    String id = created.body().get("id").textValue();
    service
        .dynamoDb()
        .updateItem(update ->
            update
                .tableName(service.name("EventsTable"))
                .key(Map.of("id", fromS(id)))
                .updateExpression("SET expires_at = :past")
                .expressionAttributeValues(Map.of(":past", fromN("1"))));

    assertThat(missing(key)).containsExactly(key);
  }

  /**
   * Runs only nightly: {@code BatchReadsTest} has a faster test, with a fake table that leaves out
   * keys.
   */
  @Test
  @Tag("nightly")
  void events_of_more_than_16_megabytes_are_found_in_several_reads() {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      keys.add(key + i);
      is(201, post(EVENTS, largeEvent(i), "Idempotency-Key", key + i));
    }
    keys.add(20, "none " + key);

    assertThat(missing(token, keys)).containsExactly("none " + key);
  }

  /** An event whose payload takes about 350 KB in DynamoDB, compressed. */
  private static String largeEvent(int seed) {
    Random random = new Random(seed);
    byte[] bytes = new byte[350_000];
    random.nextBytes(bytes);
    String text = Base64.getEncoder().encodeToString(bytes);
    return "{\"event_type\":\"a.b\",\"payload\":{\"noise\":\"" + text + "\"}}";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"idempotency_keys":       | application/json | 400 | malformed_json
          {"idempotency_keys":["a"]} | text/plain       | 415 | unsupported_media_type
          {"idempotency_keys":[]}    | application/json | 422 | validation_failed
          {"idempotency_keys":[" a"]}| application/json | 422 | validation_failed
          {}                         | application/json | 422 | validation_failed
          """)
  void a_body_that_breaks_a_rule_is_a_problem(String body, String type, int status, String code) {
    Answer answer = post(EVENTS + "/missing", body, "Content-Type", type);

    is(status, answer);
    assertThat(answer.code()).isEqualTo(code);
  }

  @Test
  void a_request_names_at_most_a_hundred_keys() {
    String keys = String.join(",", Collections.nCopies(101, "\"a\""));

    Answer answer = post(EVENTS + "/missing", "{\"idempotency_keys\":[" + keys + "]}");

    is(422, answer);
    assertThat(answer.text()).contains("there are 101");
  }

  @Test
  void nobody_asks_without_a_token() {
    Answer answer = service.client().post(EVENTS + "/missing", "{\"idempotency_keys\":[\"a\"]}");

    is(401, answer);
    assertThat(answer.code()).isEqualTo("missing_token");
  }

  private static Answer post(String path, String body, String... headers) {
    List<String> all = new ArrayList<>(List.of("Authorization", "Bearer " + token));
    Collections.addAll(all, headers);
    return service.client().post(path, body, all.toArray(String[]::new));
  }

  private static List<String> missing(String key, String... more) {
    List<String> keys = new ArrayList<>(List.of(key));
    Collections.addAll(keys, more);
    return missing(token, keys);
  }

  private static List<String> missing(String caller, List<String> keys) {
    String body = "{\"idempotency_keys\":[\"" + String.join("\",\"", keys) + "\"]}";
    Answer answer =
        service.client().post(EVENTS + "/missing", body, "Authorization", "Bearer " + caller);
    is(200, answer);
    return answer.body().get("missing").valueStream().map(JsonNode::textValue).toList();
  }

  private static void is(int status, Answer answer) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(status);
  }
}
