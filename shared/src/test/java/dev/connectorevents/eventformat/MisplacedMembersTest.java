package dev.connectorevents.eventformat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import dev.connectorevents.event.IdempotencyKey;
import dev.connectorevents.http.Fault;
import dev.connectorevents.http.Request;
import dev.connectorevents.json.Body;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests slips: misspelt or misplaced members. The service refuses a slip whose value would
 * otherwise be lost. Also tests that the idempotency key may be in the header, in the body, or in
 * both.
 */
class MisplacedMembersTest {

  private static final String EVENT = "{%s\"event_type\":\"x.y\",\"payload\":{}}";
  private static final Optional<IdempotencyKey> HEADER = Optional.of(new IdempotencyKey("k"));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"idempotency_key\":\"k\",  | k",
        "\"idempotency_key\":null,   | k",
        "\"Idempotency-Key\":\"b\",  | k",
        "``                          | k",
      })
  void the_header_is_the_key(String members, String key) {
    assertThat(key(read(EVENT.formatted(members), HEADER))).hasValue(new IdempotencyKey(key));
  }

  @Test
  @Promise("you can send the member `idempotency_key` in the event.")
  void without_the_header_the_member_is_the_key() {
    assertThat(key(read(EVENT.formatted("\"idempotency_key\":\"a b\","), Optional.empty())))
        .hasValue(new IdempotencyKey("a b"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"K\"", "\"k \"", "\"\"", "7", "{}"})
  @Promise("If you send both, they must be equal")
  void a_member_that_differs_from_the_header_is_a_fault(String member) {
    assertThat(pointers(read(EVENT.formatted("\"idempotency_key\":" + member + ","), HEADER)))
        .containsExactly("/idempotency_key");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "idempotencyKey",
        "Idempotency-Key",
        "IDEMPOTENCY_KEY",
        "idempotency key",
        "idempotencykey",
        "_idempotency__key-",
      })
  @Promise("the event has no key otherwise")
  void a_key_under_another_name_is_refused_if_none_is_given(String name) {
    String slip = "\"" + name + "\":\"k\",";

    assertThat(pointers(read(EVENT.formatted(slip), Optional.empty()))).containsExactly("/" + name);
    assertThat(pointers(read(EVENT.formatted(slip + "\"idempotency_key\":7,"), Optional.empty())))
        .containsExactly("/idempotency_key");
    assertThat(read(EVENT.formatted(slip), HEADER)).isInstanceOf(Body.Read.class);
    assertThat(read(EVENT.formatted(slip + "\"idempotency_key\":\"b\","), Optional.empty()))
        .isInstanceOf(Body.Read.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "idempotency_keys",
        "x_idempotency_key",
        "idempotency.key",
        "key",
        "idempotency",
        ""
      })
  @Promise("The service ignores unknown members.")
  void other_names_are_ignored(String name) {
    assertThat(read(EVENT.formatted("\"" + name + "\":\"k\","), Optional.empty()))
        .isInstanceOf(Body.Read.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"_meta\":{},             | {}                          | /_meta",
        "\"_meta\":\"\",           | {\"a\":{\"_meta\":{}}}      | /_meta",
        "\"_meta\":{},             | {\"_meta\":{}}              | ``",
        "\"_meta\":null,           | {}                          | ``",
        "\"brand_id\":\"b\",       | {}                          | /brand_id",
        "\"brand_id\":7,           | {\"_meta\":{\"shop\":\"\"}} | /brand_id",
        "\"brand_id\":\"b\",       | {\"_meta\":{\"brand_id\":\"c\"}} | ``",
        "\"brand_id\":\"b\",       | {\"_meta\":{\"brand_id\":7}}     | /payload/_meta/brand_id",
        "\"brand_id\":\"b\",       | {\"_meta\":7}               | /payload/_meta",
        "\"brand_id\":null,        | {}                          | ``",
        "\"_meta\":{},\"brand_id\":\"b\",\"idempotencyKey\":1,  | {} | /idempotencyKey /_meta /brand_id",
        "\"_meta\":{},             | []                          | /payload",
      })
  @Promise("the payload has no `_meta`, or is absent")
  void what_belongs_in_the_payload_is_refused_beside_one_that_lacks_it(
      String members, String payload, String pointers) {
    String event = "{" + members + "\"event_type\":\"x.y\",\"payload\":" + payload + "}";

    assertThat(String.join(" ", pointers(read(event, Optional.empty())))).isEqualTo(pointers);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ",\"payload\":null"})
  void a_slip_is_refused_together_with_an_absent_payload(String payload) {
    String event = "{\"event_type\":\"x.y\",\"_meta\":{},\"brand_id\":\"b\"" + payload + "}";

    assertThat(pointers(read(event, Optional.empty())))
        .containsExactly("/payload", "/_meta", "/brand_id");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"idempotency_key\":\"b\",    | @            | /idempotency_key",
        "\"Idempotency-Key\":\"b\",    | @            | /Idempotency-Key",
        "\"idempotencyKey\":\"b\",     | keyed,@      | /idempotencyKey",
        "\"idempotencyKey\":\"b\",     | keyed,keyed  | ``",
        "\"idempotencyKey\":null,      | @            | ``",
        "\"_meta\":{},\"brand_id\":1,  | @            | ``",
        "\"idempotencyKey\":\"b\",     | 7            | /events/0",
      })
  @Promise("A key beside the `events` of a batch is refused too")
  void a_key_beside_events_is_refused_if_one_of_them_has_none(
      String members, String events, String pointers) {
    String body =
        "{"
            + members
            + "\"events\":["
            + events
                .replace("@", EVENT.formatted(""))
                .replace("keyed", EVENT.formatted("\"idempotency_key\":\"k\","))
            + "]}";

    assertThat(String.join(" ", pointers(BatchRequest.read(body)))).isEqualTo(pointers);
  }

  @Test
  @Timeout(20)
  void any_number_of_slips_is_read_in_time() {
    StringJoiner slips = new StringJoiner(",", "", ",");
    for (int i = 2; i < 200_002; i++) {
      String separators =
          Integer.toString(i, 3).replace('0', '-').replace('1', '_').replace('2', ' ');
      slips.add("\"idempotency" + separators + "key\":1");
    }

    assertThat(pointers(read(EVENT.formatted(slips), Optional.empty()))).hasSize(200_000);
  }

  private static Body<EventRequest> read(String body, Optional<IdempotencyKey> header) {
    return EventRequest.of(new Request("r", "192.0.2.1", Map.of(), body, false), header);
  }

  private static Optional<IdempotencyKey> key(Body<EventRequest> body) {
    return ((Body.Read<EventRequest>) body).value().idempotencyKey();
  }

  private static List<String> pointers(Body<?> body) {
    return body instanceof Body.Invalid<?>(List<Fault> faults, _)
        ? faults.stream().map(Fault::pointer).toList()
        : List.of();
  }
}
