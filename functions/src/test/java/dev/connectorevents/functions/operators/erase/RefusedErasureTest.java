package dev.connectorevents.functions.operators.erase;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.Promise;
import dev.connectorevents.functions.InMemoryErasableEvents;
import dev.connectorevents.functions.InMemoryLedger;
import dev.connectorevents.functions.OperatorCalls;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that the function {@code eraseevents} refuses. */
class RefusedErasureTest {

  private static final String BRAND = "{\"brand_id\":\"b\"}";

  private static final String SENDER =
      """
      {"user_id":"0197f3a0-0000-7000-8000-00000000000a","from":"2026-11-20T09:00:00Z",\
      "to":"2026-11-20T13:00:00Z","event_type":[%s]}\
      """;

  private final ErasingOperator operator = new ErasingOperator();
  private final InMemoryErasableEvents events = operator.events;
  private final InMemoryLedger ledger = operator.ledger;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {}                                                     | ``
          {"brand_id":"b","ids":["0197f3a0-0000-7000-8000-000000000001"]} | /ids
          {"brand_id":"b","all":true}                            | /all
          {"brand_id":""}                                        | /brand_id
          {"brand_id":1}                                         | /brand_id
          {"ids":null}                                           | /ids
          {"where":null}                                         | /where
          {"brand_id":"b","dry_run":null}                        | /dry_run
          {"brand_id":"b","without_brand":true}                  | /without_brand
          {"brand_id":"b","scan":false}                          | /scan
          {"brand_id":"b","scan":null}                           | /scan
          {"where":[{"pointer":"/a","equals":1}],"scan":true}    | /scan
          {"ids":["0197f3a0-0000-7000-8000-000000000001"],"scan":true} | /scan
          {"show":"0197f3a0-0000-7000-8000-000000000001"}        | ` /show`
          {"brand_id":"b","reason":null}                         | /reason
          {"brand_id":"b","next":null}                           | /next
          {"ids":[]}                                             | /ids
          {"ids":"0197f3a0-0000-7000-8000-000000000001"}         | /ids
          {"ids":["x"]}                                          | /ids/0
          {"ids":["0197F3A0-0000-7000-8000-000000000001"]}       | /ids/0
          {"ids":[null]}                                         | /ids/0
          {"where":[]}                                           | /where
          {"where":[{"contains":"ab"}]}                          | /where/0/contains
          {"where":[{"contains":5}]}                             | /where/0/contains
          {"where":[{"pointer":"a","contains":"abc"}]}           | /where/0/pointer
          {"where":[{"pointer":null,"contains":"abc"}]}          | /where/0/pointer
          {"where":[{"pointer":"/a","contains":"abc","equals":1}]} | /where/0/equals
          {"where":[{"pointer":"/a","contains":"abc","equals_ignoring_case":"b"}]} | /where/0/equals_ignoring_case
          {"where":{"pointer":"/a","equals":1}}                  | /where
          {"where":["/a"]}                                       | /where/0
          {"where":[{"pointer":"/a"}]}                           | /where/0/equals
          {"where":[{"equals":1}]}                               | /where/0/pointer
          {"where":[{"pointer":"a","equals":1}]}                 | /where/0/pointer
          {"where":[{"pointer":"","equals":1}]}                  | /where/0/pointer
          {"where":[{"pointer":"/a~2","equals":1}]}              | /where/0/pointer
          {"where":[{"pointer":"/a","equals":{}}]}               | /where/0/equals
          {"where":[{"pointer":"/a","equals":1,"or":2}]}         | /where/0/or
          {"where":[{"pointer":"/a","equals":"a","equals_ignoring_case":"a"}]} | /where/0/equals
          {"where":[{"pointer":"/a","equals_ignoring_case":1}]}  | /where/0/equals_ignoring_case
          {"where":[{"pointer":"/a~","equals_ignoring_case":"a"}]} | /where/0/pointer
          {"brand_id":"b","reason":""}                           | /reason
          {"brand_id":"b","reason":" "}                          | /reason
          {"brand_id":"b","reason":1}                            | /reason
          {"brand_id":"b","reason":"a\\nb"}                      | /reason
          {"brand_id":"b","next":"x"}                            | /next
          {"brand_id":"b","next":1}                              | /next
          {"brand_id":"\\ud800"}                                 | /brand_id
          {"where":[{"pointer":"/a","equals":1E99999999999}]}    | ``
          {"user_id":"0197f3a0-0000-7000-8000-00000000000a"} | /from /to
          {"user_id":"0197f3a0-0000-7000-8000-00000000000a","from":"2026-11-20T13:00:00Z","to":"2026-11-20T13:00:00Z"} | /to
          {"user_id":"0197f3a0-0000-7000-8000-00000000000a","from":null,"to":1} | /from /to
          {"user_id":"0197f3a0-0000-7000-8000-00000000000a","from":"2026-11-20","to":"2026-11-20T13:00:00Z"} | /from
          {"user_id":"x","from":"2026-11-20T09:00:00Z","to":"2026-11-20T13:00:00Z"} | /user_id
          {"user_id":"0197F3A0-0000-7000-8000-00000000000A","from":"2026-11-20T09:00:00Z","to":"2026-11-20T13:00:00Z"} | /user_id
          {"user_id":"0197f3a0-0000-7000-8000-00000000000a","from":"2026-11-20T09:00:00Z","to":"2026-11-20T13:00:00Z","ids":["0197f3a0-0000-7000-8000-000000000001"]} | /user_id
          {"brand_id":"b","from":"2026-11-20T09:00:00Z","to":"2026-11-20T13:00:00Z"} | /from
          {"brand_id":"b","to":"yesterday"} | /to
          {"brand_id":"b","event_type":["a.b"]} | /event_type
          {"where":[{"pointer":"/a","equals":1}],"event_type":["a.b"]} | /event_type
          {"user_id":"0197f3a0-0000-7000-8000-00000000000a","from":"2026-11-20T09:00:00Z","to":"2026-11-20T13:00:00Z","event_type":null} | /event_type
          {"user_id":"0197f3a0-0000-7000-8000-00000000000a","from":"2026-11-20T09:00:00Z","to":"2026-11-20T13:00:00Z","event_type":["a.b","Slip.x"]} | /event_type/1
          {"user_id":"0197f3a0-0000-7000-8000-00000000000a","from":"2026-11-20T09:00:00Z","to":"2026-11-20T13:00:00Z","event_type":["a.b","a.b"]} | /event_type/1
          """)
  @Promise("Unknown members are refused: a slip must not erase.")
  void a_slip_erases_nothing_and_is_named(String request, String pointers) {
    events.put("b", "{\"a\":1}");

    JsonNode answer = operator.call(request);

    assertThat(answer.get("code").textValue()).isEqualTo("validation_failed");
    assertThat(answer.get("errors").findValuesAsText("pointer"))
        .containsExactly(pointers.split(" ", -1));
    assertThat(ledger.erasures).isEmpty();
  }

  @Test
  @Promise("for the proof: 1 to 255 characters")
  void an_unknown_member_is_refused_with_those_there_are() {
    assertThat(
            operator
                .call("{\"brand_id\":\"b\",\"reason\":1,\"next\":1,\"all\":1}")
                .get("errors")
                .valueStream()
                .map(fault ->
                    fault.get("pointer").textValue() + " " + fault.get("detail").textValue()))
        .containsExactly(
            "/reason 1 to 255 characters, without control and formatting characters",
            "/next the next of the call before",
            "/all unknown member: an erasure has where, from, user_id, to, brand_id, ids,"
                + " event_type, scan, reason, next");
  }

  @Test
  void a_dry_run_is_refused_with_the_function_that_finds() {
    JsonNode refusal = operator.call("{\"brand_id\":\"b\",\"dry_run\":true}");

    assertThat(refusal.at("/errors/0/detail").textValue()).contains("FindEventsFunction");
  }

  @Test
  @Promise("1 to 100 ids of events")
  void limits_are_those_of_the_contract() {
    String id = "\"0197f3a0-0000-7000-8000-%012d\"";
    String condition = "{\"pointer\":\"/a\",\"equals\":%d}";

    assertThat(isAccepted("{\"ids\":[" + joined(id, 100) + "]}")).isTrue();
    assertThat(isAccepted("{\"ids\":[" + joined(id, 101) + "]}")).isFalse();
    String pattern = "\"a.b%d\"";
    assertThat(isAccepted(SENDER.formatted(joined(pattern, 20)))).isTrue();
    assertThat(isAccepted(SENDER.formatted(joined(pattern, 21)))).isFalse();
    assertThat(isAccepted("{\"where\":[" + joined(condition, 10) + "]}")).isTrue();
    assertThat(isAccepted("{\"where\":[" + joined(condition, 11) + "]}")).isFalse();
    assertThat(isAccepted("{\"brand_id\":\"" + "b".repeat(2_046) + "\"}")).isTrue();
    assertThat(isAccepted("{\"brand_id\":\"" + "b".repeat(2_047) + "\"}")).isFalse();
  }

  @Test
  @Promise("The index cannot have a longer one")
  void a_brand_that_no_index_can_have_is_refused_with_the_way_to_find_it() {
    JsonNode refusal = operator.call("{\"brand_id\":\"" + "b".repeat(2_047) + "\"}");

    assertThat(refusal.at("/errors/0/detail").textValue())
        .contains("select it by where, with the pointer /_meta/brand_id");
  }

  @Test
  @Promise("or to an erasure that the ledger does not have")
  void a_next_of_an_erasure_that_the_ledger_does_not_know_erases_nothing() {
    UUID id = events.put("b", "{}");
    JsonNode begun = operator.call(BRAND);
    ledger.erasures.clear();

    JsonNode answer = operator.next(BRAND, begun);

    assertThat(answer.get("code").textValue()).isEqualTo("validation_failed");
    assertThat(answer.at("/errors/0/pointer").textValue()).isEqualTo("/next");
    assertThat(answer.at("/errors/0/detail").textValue())
        .contains("the next of the call before, with the same other members");
    assertThat(events.stored()).containsExactly(id);
    assertThat(operator.lastLine().get("erasure_id")).isEqualTo(begun.get("erasure_id"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"brand_id\":\"c\"}",
        "{\"brand_id\":\"b\",\"reason\":\"x\"}",
        "{\"brand_id\":\"b\",\"where\":[{\"pointer\":\"/a\",\"equals\":1}]}",
        "{\"brand_id\":\"b\",\"scan\":true}",
        "{\"where\":[{\"pointer\":\"/a\",\"equals\":1}]}"
      })
  @Promise("`next` belongs to another event")
  void a_made_up_next_erases_nothing_of_which_the_proof_would_be_wrong(String request) {
    events.put("b", "{\"a\":1}");
    events.put("c", "{\"a\":1}");
    UUID erasureId = UUID.fromString(operator.call(BRAND).get("erasure_id").textValue());

    JsonNode answer = operator.call(made(request, erasureId.toString(), "1"));

    assertThat(answer.at("/errors/0/pointer").textValue()).isEqualTo("/next");
    assertThat(events.stored()).hasSize(2);
    assertThat(operator.lastLine().get("erasure_id").textValue()).isEqualTo(erasureId.toString());
  }

  @ParameterizedTest
  @CsvSource({
    "x, 1",
    "0197f3a0-0000-7000-8000-000000000001, 1",
    "0197f3a0-0000-7000-8000-000000000001, 0",
    "0197f3a0-0000-7000-8000-000000000001, x"
  })
  void a_made_up_next_that_no_call_gives_is_refused(String run, String step) {
    assertThat(operator.call(made(BRAND, run, step)).at("/errors/0/pointer").textValue())
        .isEqualTo("/next");
  }

  /** A request with a {@code next} that somebody has made up. */
  static String made(String request, String run, String step) {
    return OperatorCalls.with(request, run + ":" + step);
  }

  private boolean isAccepted(String request) {
    return !operator.call(request).has("code");
  }

  private static String joined(String format, int count) {
    return IntStream.range(0, count).mapToObj(format::formatted).collect(Collectors.joining(","));
  }
}
