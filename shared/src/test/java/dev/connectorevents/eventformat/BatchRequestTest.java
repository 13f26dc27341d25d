package dev.connectorevents.eventformat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Json;
import dev.connectorevents.Promise;
import dev.connectorevents.event.IdempotencyKey;
import dev.connectorevents.http.Fault;
import dev.connectorevents.json.Body;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BatchRequestTest {

  private static final String EVENT = "{\"event_type\":\"x.y\",\"payload\":{}}";

  @Test
  void each_payload_is_cut_out_exactly_as_it_was_sent() {
    List<String> payloads =
        List.of("{ \"n\" : 1.0 }", "{\"_meta\":{\"source\":\"x\"} ,\"é\":\"😀\"}", "{}");
    List<Body.Checked<EventRequest>> events =
        valid(
            batch(
                payloads.stream()
                    .map(payload -> "{ \"payload\": %s, \"event_type\":\"x.y\"}".formatted(payload))
                    .toList()));

    assertThat(events).extracting(event -> sent(event).payload().text()).isEqualTo(payloads);
    assertThat(events)
        .extracting(event -> sent(event).payload().sentMeta().isPresent())
        .containsExactly(false, true, false);
  }

  @Test
  void each_event_has_a_key_of_its_own_or_none() {
    List<Body.Checked<EventRequest>> events =
        valid(
            batch(
                List.of(
                    EVENT,
                    EVENT.replace("{\"event", "{\"idempotency_key\":\"k-1\",\"event"),
                    EVENT.replace("{\"event", "{\"idempotency_key\":null,\"event"))));

    assertThat(events)
        .extracting(event -> sent(event).idempotencyKey())
        .containsExactly(
            Optional.empty(), Optional.of(new IdempotencyKey("k-1")), Optional.empty());
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"\"", "7", "\"é\"", "\"a\\tb\"", "\" a\"", "\"a \"", "{}"})
  void a_malformed_key_is_a_fault_of_its_event_alone(String key) {
    List<Body.Checked<EventRequest>> events =
        valid(
            batch(
                List.of(
                    EVENT, EVENT.replace("{\"event", "{\"idempotency_key\":" + key + ",\"event"))));

    assertThat(events.getFirst()).isInstanceOf(Body.Read.class);
    assertThat(((Body.Invalid<EventRequest>) events.getLast()).faults())
        .extracting(Fault::pointer)
        .containsExactly("/idempotency_key");
  }

  @Test
  @Promise("Its pointers begin at the event (`/payload`)")
  void the_pointers_of_an_event_begin_at_the_event() {
    List<Body.Checked<EventRequest>> events =
        valid(batch(List.of(EVENT, "{\"payload\":[],\"attempts\":-1}")));

    assertThat(((Body.Invalid<EventRequest>) events.getLast()).faults())
        .extracting(Fault::pointer)
        .containsExactly("/payload", "/attempts", "/event_type");
  }

  @Test
  @Promise("1 to 100 events, each the same object")
  void a_hundred_events_are_a_batch_and_one_more_is_too_many() {
    assertThat(valid(batch(Collections.nCopies(100, EVENT)))).hasSize(100);
    assertThat(BatchRequest.read(batch(Collections.nCopies(101, EVENT))))
        .isEqualTo(
            new Body.Invalid<>(
                List.of(
                    new Fault(
                        "/events", "an array of 1 to 100 events, each an object; there are 101"))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{}                     | /events   | required: an array of 1 to 100 events, each an object",
        "{\"events\":null}      | /events   | required: an array of 1 to 100 events, each an object",
        "{\"events\":[]}        | /events   | an array of 1 to 100 events, each an object; there are 0",
        "{\"events\":{}}        | /events   | an array of 1 to 100 events, each an object",
        "{\"events\":\"[]\"}    | /events   | an array of 1 to 100 events, each an object",
        "{\"events\":[7]}       | /events/0 | an event: an object",
        "{\"events\":[{},null]} | /events/1 | an event: an object",
        "{\"events\":[[{}]]}    | /events/0 | an event: an object",
      })
  void a_body_that_is_no_list_of_events_is_refused_as_a_whole(
      String body, String pointer, String detail) {
    assertThat(BatchRequest.read(body))
        .isEqualTo(new Body.Invalid<>(List.of(new Fault(pointer, detail))));
  }

  @Test
  void what_follows_a_hundred_events_is_counted_but_not_read() {
    List<String> events = new ArrayList<>(Collections.nCopies(100, EVENT));
    events.add("7");

    assertThat(BatchRequest.read(batch(events)))
        .isEqualTo(BatchRequest.read(batch(Collections.nCopies(101, EVENT))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{\"events\":[",
        "{\"events\":[{}],}",
        "{\"events\":[{}]} {}",
        "{\"events\":[{}],\"events\":[{}]}",
        "{\"events\":[{\"status\":\"a\",\"status\":\"a\"}]}",
        "{\"events\":[{\"payload\":{\"_meta\":{\"a\":\"\",\"a\":\"\"}}}]}",
      })
  @Promise("So is a name that appears twice in an event")
  void a_body_that_is_ambiguous_or_no_json_is_malformed_as_a_whole(String body) {
    assertThat(BatchRequest.read(body)).isInstanceOf(Body.Malformed.class);
  }

  @Test
  @Promise("A batch takes two of the 1,000 levels of nesting.")
  void a_batch_takes_two_of_the_levels_of_nesting() {
    int inner = Json.MAX_DEPTH - 4;
    String deepest = EVENT.replace("{}", "{\"a\":" + "[".repeat(inner) + "]".repeat(inner) + "}");

    assertThat(BatchRequest.read(batch(List.of(deepest)))).isInstanceOf(Body.Read.class);
    assertThat(BatchRequest.read(batch(List.of(deepest.replace("[]", "[[]]")))))
        .isInstanceOf(Body.Malformed.class);
  }

  @Test
  @Promise("The service ignores members that it does not know")
  void unknown_members_are_ignored() {
    assertThat(valid("{\"a\":[{}],\"events\":[" + EVENT + "],\"b\":1}")).hasSize(1);
  }

  private static String batch(List<String> events) {
    return "{\"events\":[" + String.join(" ,", events) + "]}";
  }

  private static List<Body.Checked<EventRequest>> valid(String body) {
    return ((Body.Read<BatchRequest>) BatchRequest.read(body)).value().events();
  }

  private static EventRequest sent(Body.Checked<EventRequest> event) {
    return ((Body.Read<EventRequest>) event).value();
  }
}
