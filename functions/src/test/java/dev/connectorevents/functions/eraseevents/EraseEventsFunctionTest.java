package dev.connectorevents.functions.eraseevents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.AdjustableClock;
import dev.connectorevents.SideBySide;
import dev.connectorevents.event.Sha256;
import dev.connectorevents.functions.RecordingContext;
import dev.connectorevents.functions.lambda.OperatorFunction;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Invokes the function {@code eraseevents} as an operator does, call by call. */
class EraseEventsFunctionTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration INDEX_LAG = Duration.ofSeconds(10);
  private static final String BRAND = "{\"brand_id\":\"b\"}";

  private final AdjustableClock clock = new AdjustableClock("2026-11-20T12:00:00Z");
  private final InMemoryEvents events = new InMemoryEvents(clock);
  private final InMemoryLedger ledger = new InMemoryLedger();
  private final RecordingContext context = new RecordingContext();
  private final OperatorFunction function =
      new OperatorFunction(
          EraseEventsFunction.handler(
              new EraseEvents(
                  events,
                  ledger,
                  new SideBySide(Runnable::run, 10),
                  new Random(1),
                  clock,
                  INDEX_LAG,
                  Duration.ofDays(35))));

  private final Instant old = clock.instant().minus(Duration.ofHours(1));

  @Test
  void the_first_call_only_begins() {
    UUID id = put("b", "{}");

    JsonNode answer = call(BRAND);

    assertThat(answer.get("matched").intValue()).isZero();
    assertThat(answer.get("complete").booleanValue()).isFalse();
    assertThat(answer.get("next").textValue()).isNotEmpty();
    assertThat(ledger.find(UUID.fromString(answer.get("erasure_id").textValue()))).isPresent();
    assertThat(events.stored()).containsExactly(id);
  }

  @Test
  void ids_are_erased_in_one_more_call_and_proved() {
    UUID first = put("b", "{}");
    UUID second = put("c", "{}");
    UUID other = put("b", "{}");

    JsonNode last = eraseAll("{\"ids\":[\"" + first + "\",\"" + second + "\"]}").getLast();

    assertThat(last.get("matched").intValue()).isEqualTo(2);
    assertThat(last.get("erased").intValue()).isEqualTo(2);
    assertThat(last.get("complete").booleanValue()).isTrue();
    assertThat(events.stored()).containsExactly(other);
    JsonNode proof = proof(last);
    assertThat(proof.get("count").intValue()).isEqualTo(2);
    assertThat(proof.get("selector").textValue()).isEqualTo("ids");
    assertThat(proof.get("ids_sha256").textValue()).isEqualTo(digest(Set.of(first, second)));
    assertThat(proof.get("ended").textValue()).isEqualTo("2026-11-20T12:00:00Z");
    assertThat(proof.get("backups_until").textValue()).isEqualTo("2027-01-01T12:00:00Z");
  }

  @Test
  void ids_that_never_were_are_looked_for_again_when_every_write_has_ended() {
    UUID unknown = UUID.randomUUID();
    String request = "{\"ids\":[\"" + unknown + "\"]}";
    JsonNode waiting = next(request, call(request));
    assertThat(waiting.get("wait_seconds").intValue()).isEqualTo(17);
    putAt(unknown, old);

    clock.advance(Duration.ofSeconds(17));

    JsonNode last = next(request, waiting);
    assertThat(last.get("complete").booleanValue()).isTrue();
    assertThat(events.tombstones()).containsExactly(unknown);
  }

  @Test
  void a_brand_is_erased_again_when_the_index_shows_all_that_was_created_before() {
    UUID visible = put("b", "{}");
    UUID late = UUID.randomUUID();
    events.put(event(late, clock.instant().minusMillis(1), clock.instant().plusSeconds(27)));
    UUID other = put("c", "{}");
    JsonNode first = next(BRAND, call(BRAND));
    assertThat(events.tombstones()).containsExactly(visible);
    assertThat(first.get("wait_seconds").intValue()).isEqualTo(27);
    assertThat(first.get("complete").booleanValue()).isFalse();
    UUID younger = putAt(UUID.randomUUID(), clock.instant());

    assertThat(next(BRAND, first).get("wait_seconds").intValue()).as("too early").isEqualTo(27);
    clock.advance(Duration.ofSeconds(27));
    JsonNode last = next(BRAND, first);

    assertThat(last.get("complete").booleanValue()).isTrue();
    assertThat(events.tombstones()).containsExactlyInAnyOrder(visible, late);
    assertThat(events.stored()).containsExactlyInAnyOrder(other, younger);
    assertThat(proof(last).get("count").intValue()).isEqualTo(2);
    assertThat(proof(last).get("lag_seconds").intValue()).isEqualTo(27);
  }

  @Test
  void the_proof_has_a_brand_only_as_a_salted_hash() {
    JsonNode proof = proof(eraseAll("{\"brand_id\":\"secret brand\"}").getLast());

    assertThat(proof.toString()).doesNotContain("secret brand");
    assertThat(proof.get("brand_sha256").textValue())
        .isEqualTo(Sha256.hex(proof.get("salt").textValue() + "secret brand"));
  }

  @Test
  void conditions_alone_scan_once_when_every_write_has_ended() {
    UUID matching = put("b", "{\"customer\":{\"id\":1}}");
    UUID other = put("b", "{\"customer\":{\"id\":2}}");
    String request = "{\"where\":[{\"pointer\":\"/customer/id\",\"equals\":1.0}]}";
    JsonNode begun = call(request);
    assertThat(begun.get("wait_seconds").intValue()).isEqualTo(17);
    clock.advance(Duration.ofSeconds(17));

    JsonNode last = next(request, begun);

    assertThat(last.get("complete").booleanValue()).isTrue();
    assertThat(events.tombstones()).containsExactly(matching);
    assertThat(events.stored()).containsExactly(other);
  }

  @Test
  void conditions_narrow_a_selection() {
    put("b", "{\"a\":1}");
    UUID second = put("b", "{\"a\":2}");
    put("c", "{\"a\":2}");

    eraseAll("{\"brand_id\":\"b\",\"where\":[{\"pointer\":\"/a\",\"equals\":2}]}");

    assertThat(events.tombstones()).containsExactly(second);
  }

  @Test
  void a_dry_run_changes_nothing_and_writes_no_proof() {
    UUID id = put("b", "{}");

    JsonNode answer = call("{\"brand_id\":\"b\",\"dry_run\":true}");

    assertThat(answer.toString())
        .isEqualTo("{\"matched\":1,\"erased\":0,\"ids\":[\"" + id + "\"],\"complete\":false}");
    assertThat(events.stored()).containsExactly(id);
    assertThat(ledger.erasures).isEmpty();
    assertThat(ledger.pages).isEmpty();
  }

  @Test
  void a_call_names_at_most_a_thousand_ids_and_the_next_one_goes_on() {
    Set<UUID> all =
        IntStream.range(0, 2_350).mapToObj(i -> put("b", "{}")).collect(Collectors.toSet());

    for (String request : List.of("{\"brand_id\":\"b\",\"dry_run\":true}", BRAND)) {
      List<String> ids = new ArrayList<>();
      for (JsonNode answer : eraseAll(request)) {
        assertThat(answer.get("ids").size()).isLessThanOrEqualTo(1_000);
        answer.get("ids").forEach(id -> ids.add(id.textValue()));
      }
      assertThat(ids).hasSize(2_350).doesNotHaveDuplicates();
    }
    assertThat(events.tombstones()).isEqualTo(all);
  }

  @Test
  void a_call_begins_no_page_after_45_seconds() {
    for (int i = 0; i < 350; i++) {
      put("b", "{}");
    }
    events.beforePage = () -> clock.advance(Duration.ofSeconds(15));
    JsonNode begun = call(BRAND);

    JsonNode answer = next(BRAND, begun);

    assertThat(answer.get("ids")).as("three pages").hasSize(300);
    assertThat(answer.has("next")).isTrue();
  }

  @Test
  void ids_are_in_the_ledger_before_their_events_are_erased() {
    UUID id = put("b", "{}");
    List<Set<UUID>> before = new ArrayList<>();
    events.beforeErasure = () -> before.addAll(ledger.pages.values());

    eraseAll(BRAND);

    assertThat(before).containsExactly(Set.of(id));
  }

  @Test
  void a_call_that_is_repeated_ends_in_the_same_state() {
    Set<UUID> all =
        IntStream.range(0, 1_500).mapToObj(i -> put("b", "{}")).collect(Collectors.toSet());
    JsonNode begun = call(BRAND);
    next(BRAND, begun); // its answer is lost
    List<JsonNode> again = eraseAllAfter(BRAND, begun);

    assertThat(events.tombstones()).isEqualTo(all);
    assertThat(proof(again.getLast()).get("count").intValue()).isEqualTo(1_500);
    assertThat(proof(again.getLast()).get("ids_sha256").textValue()).isEqualTo(digest(all));
  }

  @Test
  void a_call_that_is_repeated_when_tombstones_have_expired_leaves_the_proof_as_it_is() {
    put("b", "{}");
    JsonNode begun = call(BRAND);
    List<JsonNode> answers = eraseAllAfter(BRAND, begun);
    JsonNode proof = proof(answers.getLast());
    JsonNode beforeLast = answers.get(answers.size() - 2);
    clock.advance(Duration.ofDays(36));
    events.expireTombstones();

    for (JsonNode repeated : List.of(begun, beforeLast)) {
      JsonNode late = next(BRAND, repeated);

      assertThat(late.get("complete").booleanValue()).isTrue();
      assertThat(late.get("matched").intValue()).isZero();
      assertThat(proof(late)).isEqualTo(proof);
    }
  }

  @Test
  void an_event_that_is_replaced_meanwhile_is_judged_anew() {
    for (boolean isYounger : new boolean[] {true, false}) {
      UUID id = put("b", "{\"a\":1}");
      Instant createdAt = isYounger ? clock.instant().plusSeconds(1) : old.plusSeconds(1);
      events.beforeErasure =
          () ->
              events.put(
                  new InMemoryEvents.Event(id, createdAt, "b", "{\"a\":1}", createdAt, false));

      List<JsonNode> answers =
          eraseAll("{\"ids\":[\"" + id + "\"],\"where\":[{\"pointer\":\"/a\",\"equals\":1}]}");

      assertThat(events.stored().contains(id)).isEqualTo(isYounger);
      assertThat(answers.stream().mapToInt(answer -> answer.get("erased").intValue()).sum())
          .isEqualTo(isYounger ? 0 : 1);
    }
  }

  @Test
  void an_event_that_is_replaced_again_and_again_is_tried_five_times() {
    UUID id = put("b", "{}");
    List<Integer> tries = new ArrayList<>();
    replaceBeforeErasure(id, tries);

    String request = "{\"ids\":[\"" + id + "\"]}";

    assertThat(next(request, call(request)).get("code").textValue())
        .isEqualTo("temporarily_unavailable");
    assertThat(tries).hasSize(5);
  }

  private void replaceBeforeErasure(UUID id, List<Integer> tries) {
    events.beforeErasure =
        () -> {
          tries.add(tries.size());
          putAt(id, old.plusSeconds(tries.size()));
          replaceBeforeErasure(id, tries);
        };
  }

  @Test
  void an_event_that_is_replaced_by_one_of_another_brand_is_not_erased() {
    UUID id = put("b", "{}");
    Instant createdAt = old.plusSeconds(1);
    events.beforeErasure =
        () -> events.put(new InMemoryEvents.Event(id, createdAt, "c", "{}", createdAt, false));

    eraseAll(BRAND);

    assertThat(events.stored()).containsExactly(id);
  }

  @Test
  void an_expired_event_is_deleted_but_not_proved() {
    UUID id = UUID.randomUUID();
    events.put(new InMemoryEvents.Event(id, old, "b", "{}", old, true));

    JsonNode last = eraseAll("{\"ids\":[\"" + id + "\"]}").getLast();

    assertThat(last.get("matched").intValue()).isEqualTo(1);
    assertThat(last.get("erased").intValue()).isZero();
    assertThat(events.stored()).isEmpty();
    assertThat(proof(last).get("count").intValue()).isZero();
  }

  @Test
  void an_unknown_brand_matches_nothing_and_is_proved() {
    JsonNode last = eraseAll("{\"brand_id\":\"nobody\"}").getLast();

    assertThat(last.get("matched").intValue()).isZero();
    assertThat(proof(last).get("count").intValue()).isZero();
  }

  @Test
  void a_next_of_another_request_is_refused() {
    String next = call(BRAND).get("next").textValue();

    for (String request :
        List.of(
            "{\"brand_id\":\"c\"}",
            "{\"brand_id\":\"b\",\"reason\":\"x\"}",
            "{\"brand_id\":\"b\",\"dry_run\":true}")) {
      JsonNode answer = call(with(request, next));
      assertThat(answer.at("/errors/0/pointer").textValue()).isEqualTo("/next");
    }
  }

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
          {"ids":[]}                                             | /ids
          {"ids":"0197f3a0-0000-7000-8000-000000000001"}         | /ids
          {"ids":["x"]}                                          | /ids/0
          {"ids":["0197F3A0-0000-7000-8000-000000000001"]}       | /ids/0
          {"ids":[null]}                                         | /ids/0
          {"where":[]}                                           | /where
          {"where":{"pointer":"/a","equals":1}}                  | /where
          {"where":["/a"]}                                       | /where/0
          {"where":[{"pointer":"/a"}]}                           | /where/0/equals
          {"where":[{"equals":1}]}                               | /where/0/pointer
          {"where":[{"pointer":"a","equals":1}]}                 | /where/0/pointer
          {"where":[{"pointer":"","equals":1}]}                  | /where/0/pointer
          {"where":[{"pointer":"/a~2","equals":1}]}              | /where/0/pointer
          {"where":[{"pointer":"/a","equals":{}}]}               | /where/0/equals
          {"where":[{"pointer":"/a","equals":1,"or":2}]}         | /where/0/or
          {"brand_id":"b","dry_run":"yes"}                       | /dry_run
          {"brand_id":"b","reason":""}                           | /reason
          {"brand_id":"b","reason":1}                            | /reason
          {"brand_id":"b","reason":"a\\nb"}                      | /reason
          {"brand_id":"b","next":"x"}                            | /next
          {"brand_id":"b","next":1}                              | /next
          {"show":"x"}                                           | /show
          {"show":"0197f3a0-0000-7000-8000-000000000001","brand_id":"b"} | /brand_id
          {"list":false}                                         | /list
          {"list":1}                                             | /list
          {"list":"true"}                                        | /list
          {"list":true,"brand_id":"b"}                           | /brand_id
          {"list":true,"next":""}                                | /next
          {"list":true,"next":1}                                 | /next
          {"brand_id":"\\ud800"}                                 | /brand_id
          {"where":[{"pointer":"/a","equals":1E99999999999}]}    | ``
          """)
  void a_slip_erases_nothing_and_is_named(String request, String pointers) {
    put("b", "{\"a\":1}");

    JsonNode answer = call(request);

    assertThat(answer.get("code").textValue()).isEqualTo("validation_failed");
    assertThat(answer.get("errors").findValuesAsText("pointer"))
        .containsExactly(pointers.split(" ", -1));
    assertThat(ledger.erasures).isEmpty();
  }

  @Test
  void limits_are_those_of_the_contract() {
    String id = "\"0197f3a0-0000-7000-8000-%012d\"";
    String condition = "{\"pointer\":\"/a\",\"equals\":%d}";

    assertThat(isAccepted("{\"ids\":[" + joined(id, 100) + "]}")).isTrue();
    assertThat(isAccepted("{\"ids\":[" + joined(id, 101) + "]}")).isFalse();
    assertThat(isAccepted("{\"where\":[" + joined(condition, 10) + "]}")).isTrue();
    assertThat(isAccepted("{\"where\":[" + joined(condition, 11) + "]}")).isFalse();
    assertThat(isAccepted("{\"brand_id\":\"" + "b".repeat(2_046) + "\"}")).isTrue();
    assertThat(isAccepted("{\"brand_id\":\"" + "b".repeat(2_047) + "\"}")).isFalse();
    assertThat(isAccepted("{\"brand_id\":\"b\",\"reason\":\"" + "r".repeat(255) + "\"}")).isTrue();
    assertThat(isAccepted("{\"brand_id\":\"b\",\"reason\":\"" + "r".repeat(256) + "\"}")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "{", "{\"ids\":[],\"ids\":[]}", "{} {}"})
  void what_is_no_json_object_is_malformed(String event) {
    assertThat(call(event).get("code").textValue()).isEqualTo("malformed_json");
  }

  @Test
  void proofs_can_be_shown_and_listed() {
    JsonNode last = eraseAll("{\"brand_id\":\"b\",\"reason\":\"a request\"}").getLast();

    assertThat(proof(last).get("reason").textValue()).isEqualTo("a request");
    assertThat(call("{\"list\":true}").at("/erasures/0")).isEqualTo(proof(last));
    assertThat(call("{\"show\":\"" + UUID.randomUUID() + "\"}").get("code").textValue())
        .isEqualTo("not_found");
  }

  @Test
  void a_list_of_proofs_has_pages() {
    for (int i = 0; i <= InMemoryLedger.PROOFS_OF_A_PAGE; i++) {
      eraseAll(BRAND);
    }

    JsonNode first = call("{\"list\":true}");
    JsonNode last = next("{\"list\":true}", first);

    assertThat(first.get("erasures")).hasSize(InMemoryLedger.PROOFS_OF_A_PAGE);
    assertThat(last.get("erasures")).hasSize(1);
    assertThat(last.has("next")).isFalse();
  }

  @Test
  void an_event_of_an_api_is_an_error() {
    assertThatIllegalStateException().isThrownBy(() -> call("{\"requestContext\":{}}"));
  }

  @Test
  void the_log_has_figures_and_no_values() {
    put("secret", "{\"a\":\"secret\"}");
    eraseAll(
        "{\"brand_id\":\"secret\",\"reason\":\"secret\","
            + "\"where\":[{\"pointer\":\"/a\",\"equals\":\"secret\"}]}");

    assertThat(context.lines().toString())
        .doesNotContain("secret")
        .contains("\"erased\":1", "\"erasure_id\":\"");
  }

  private UUID put(String brand, String payload) {
    UUID id = UUID.randomUUID();
    events.put(new InMemoryEvents.Event(id, old, brand, payload, old, false));
    return id;
  }

  private UUID putAt(UUID id, Instant createdAt) {
    events.put(event(id, createdAt, createdAt));
    return id;
  }

  private static InMemoryEvents.Event event(UUID id, Instant createdAt, Instant visibleAt) {
    return new InMemoryEvents.Event(id, createdAt, "b", "{}", visibleAt, false);
  }

  private boolean isAccepted(String request) {
    return !call(request).has("code");
  }

  private static String joined(String format, int count) {
    return IntStream.range(0, count).mapToObj(format::formatted).collect(Collectors.joining(","));
  }

  /**
   * Calls the function until an answer has no {@code next}, and returns all answers. Before each
   * further call, advances the clock by the {@code wait_seconds} of the last answer.
   */
  private List<JsonNode> eraseAll(String request) {
    return eraseAllAfter(request, call(request));
  }

  private List<JsonNode> eraseAllAfter(String request, JsonNode first) {
    List<JsonNode> answers = new ArrayList<>(List.of(first));
    while (answers.getLast().has("next")) {
      clock.advance(Duration.ofSeconds(answers.getLast().path("wait_seconds").intValue()));
      answers.add(next(request, answers.getLast()));
    }
    return answers;
  }

  private JsonNode next(String request, JsonNode answer) {
    return call(with(request, answer.get("next").textValue()));
  }

  private static String with(String request, String next) {
    try {
      return ((ObjectNode) JSON.readTree(request)).put("next", next).toString();
    } catch (IOException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private JsonNode call(String request) {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    try {
      function.handleRequest(new ByteArrayInputStream(request.getBytes(UTF_8)), output, context);
      return JSON.readTree(output.toByteArray());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private JsonNode proof(JsonNode answer) {
    return call("{\"show\":\"" + answer.get("erasure_id").textValue() + "\"}").get("erasure");
  }

  private static String digest(Set<UUID> ids) {
    return Sha256.hex(
        ids.stream()
            .map(UUID::toString)
            .sorted()
            .map(id -> id + "\n")
            .collect(Collectors.joining()));
  }
}
