package dev.connectorevents.functions.operators.erase;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.AdjustableClock;
import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.Promise;
import dev.connectorevents.erasure.Erasure;
import dev.connectorevents.event.Sha256;
import dev.connectorevents.functions.InMemoryErasableEvents;
import dev.connectorevents.functions.InMemoryErasableEvents.Event;
import dev.connectorevents.functions.InMemoryLedger;
import dev.connectorevents.functions.OperatorCalls;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The ledger and the proof of an erasure, and its log. */
class ErasureProofTest {

  private static final String BRAND = "{\"brand_id\":\"b\"}";

  private final ErasingOperator operator = new ErasingOperator();
  private final AdjustableClock clock = operator.clock;
  private final InMemoryErasableEvents events = operator.events;
  private final InMemoryLedger ledger = operator.ledger;

  @Test
  @Promise("a random text, and the SHA-256 of this text followed by the brand.")
  void the_proof_has_a_brand_only_as_a_salted_hash() {
    JsonNode proof = operator.proof(operator.eraseAll("{\"brand_id\":\"secret brand\"}").getLast());

    assertThat(proof.toString()).doesNotContain("secret brand");
    assertThat(proof.get("brand_sha256").textValue())
        .isEqualTo(Sha256.hex(proof.get("salt").textValue() + "secret brand"));
    assertThat(proof.get("count").intValue()).as("of an unknown brand").isZero();
  }

  @Test
  @Promise("Of a user, nothing else is kept")
  void the_proof_of_what_a_user_sent_names_neither_the_user_nor_the_time() {
    String request =
        "{\"user_id\":\"%s\",\"from\":\"2020-01-01T00:00Z\",\"to\":\"2026-11-20T12:00Z\"}"
            .formatted(InMemoryErasableEvents.USER);

    JsonNode proof = operator.proof(operator.eraseAll(request).getLast());

    assertThat(proof.get("selector").textValue()).isEqualTo("user_id");
    assertThat(proof.toString()).doesNotContain("" + InMemoryErasableEvents.USER, "2020-01-01");
    assertThat(proof.has("brand_sha256")).isFalse();
  }

  @Test
  @Promise("written once, before their events are erased")
  void ids_are_in_the_ledger_before_their_events_are_erased() {
    UUID id = events.put("b", "{}");
    List<Set<UUID>> before = new ArrayList<>();
    events.beforeErasure = () -> before.addAll(ledger.ids());

    operator.eraseAll(BRAND);

    assertThat(before).containsExactly(Set.of(id));
  }

  @Test
  @Promise("A call that is repeated after the end changes nothing.")
  void a_call_that_comes_too_late_erases_nothing_that_is_not_in_its_step() {
    put(1);
    JsonNode begun = operator.call(BRAND);
    List<JsonNode> answers = new ArrayList<>();
    UUID late = UUID.randomUUID();
    beforePage(
        0,
        () -> {
          answers.addAll(operator.eraseAllAfter(BRAND, begun));
          Instant createdAt = clock.instant().minus(Duration.ofHours(1));
          events.put(new Event(late, createdAt, "b", "{}", createdAt, false));
        });

    operator.next(BRAND, begun);

    assertThat(events.stored()).containsExactly(late);
    operator.assertProved(operator.next(BRAND, begun));
    assertThat(operator.proof(begun)).hasToString(answers.getLast().get("proof").toString());
  }

  @Test
  void a_step_that_another_call_has_written_is_erased_without_a_look_at_payloads() {
    String request = "{\"brand_id\":\"b\",\"where\":[{\"pointer\":\"/a\",\"equals\":1}]}";
    UUID id = events.put("b", "{\"a\":1}");
    JsonNode begun = operator.call(request);
    beforeErasure(0, this::die);
    operator.next(request, begun); // writes the step
    events.beforeErasure = () -> {};
    events.payloads = _ -> new ByteArrayInputStream("{}".getBytes(UTF_8));

    operator.next(request, begun);

    assertThat(events.tombstones()).containsExactly(id);
  }

  @Test
  void a_next_whose_step_before_is_not_closed_is_refused() {
    put(1_000);
    JsonNode begun = operator.call(BRAND);
    beforeErasure(0, this::die);
    operator.next(BRAND, begun);
    events.beforeErasure = () -> {};
    UUID id = UUID.fromString(begun.get("erasure_id").textValue());

    for (int step : new int[] {2, 3, 7}) {
      JsonNode madeUp = operator.call(RefusedErasureTest.made(BRAND, id.toString(), "" + step));
      assertThat(madeUp.at("/errors/0/pointer").textValue()).isEqualTo("/next");
    }
    JsonNode last = operator.eraseAllAfter(BRAND, begun).getLast();
    operator.assertProved(last);
  }

  @Test
  @Promise("an `erasure_id` alone is the step that is open")
  void an_erasure_goes_on_from_any_machine_by_its_id() {
    put(4_500);
    String id = operator.call(BRAND).get("erasure_id").textValue();
    JsonNode answer;
    do {
      clock.advance(Duration.ofSeconds(30)); // until the marks are noted
      answer = operator.call(OperatorCalls.with(BRAND, id));
    } while (answer.has("next"));

    assertThat(answer.get("complete").booleanValue()).isTrue();
    operator.assertProved(answer);
  }

  @ParameterizedTest
  @Promise("`end` ends an erasure early")
  @ValueSource(ints = {0, 1, 2, 3})
  void an_erasure_that_is_ended_has_a_proof_of_what_it_has_erased(int steps) {
    put(2_500);
    JsonNode last = operator.call(BRAND);
    for (int i = 0; i < steps; i++) {
      last = operator.next(BRAND, last);
    }
    String end = "{\"end\":" + last.get("erasure_id") + "}";
    JsonNode begun = last;

    JsonNode ended = operator.eraseAll(end).getLast();

    assertThat(ended.get("complete").booleanValue()).isFalse();
    assertThat(ended.at("/proof/stopped").booleanValue()).isTrue();
    operator.assertProved(ended);
    assertThat(operator.next(BRAND, begun).get("proof")).isEqualTo(ended.get("proof"));
    assertThat(operator.call(end).get("proof")).isEqualTo(ended.get("proof"));
    operator.assertProved(ended);
  }

  @Test
  void an_end_erases_no_event_of_another_brand_or_of_a_later_time() {
    UUID replaced = events.put("b", "{}");
    UUID late = events.put("b", "{}");
    JsonNode begun = operator.call(BRAND);
    beforeErasure(0, this::die);
    operator.next(BRAND, begun);
    events.beforeErasure = () -> {};
    Instant soon = clock.instant().plusSeconds(1);
    Instant later = clock.instant().plusSeconds(60);
    events.put(new Event(replaced, soon, "c", "{}", soon, false));
    events.put(new Event(late, later, "b", "{}", later, false));

    JsonNode ended = operator.eraseAll("{\"end\":" + begun.get("erasure_id") + "}").getLast();

    assertThat(events.stored()).containsExactlyInAnyOrder(replaced, late);
    assertThat(ended.at("/proof/count").intValue()).isZero();
  }

  @Test
  void an_end_beside_a_call_leaves_no_tombstone_that_no_step_names() {
    Instant soon = clock.instant().plusSeconds(30); // of a writer whose clock is ahead
    UUID id = UUID.randomUUID();
    events.put(new Event(id, soon, "b", "{}", clock.instant(), false));
    JsonNode begun = operator.call(BRAND);
    String end = "{\"end\":" + begun.get("erasure_id") + "}";
    beforeErasure(
        0,
        () -> {
          events.beforeErasure = () -> {};
          operator.eraseAll(end);
        });

    operator.next(BRAND, begun);

    assertThat(events.tombstones()).containsExactly(id);
    operator.assertProved(operator.call(end));
  }

  @Test
  void only_an_erasure_that_is_there_can_be_ended() {
    String id = UUID.randomUUID().toString();

    assertThat(operator.call("{\"end\":\"" + id + "\"}").get("code").textValue())
        .isEqualTo("not_found");
  }

  @Test
  @Promise("An erasure that is interrupted anywhere, and goes on, ends in the same state.")
  void a_call_that_is_repeated_ends_in_the_same_state() {
    put(1_500);
    JsonNode begun = operator.call(BRAND);
    operator.next(BRAND, begun); // its answer is lost

    JsonNode last = operator.eraseAllAfter(BRAND, begun).getLast();

    assertThat(events.stored()).isEmpty();
    assertThat(operator.proof(last).get("count").intValue()).isEqualTo(1_500);
    operator.assertProved(last);
  }

  @ParameterizedTest
  @Promise("what the first has written of a step, the other takes.")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          1 | {"brand_id":"b"}
          2 | {"brand_id":"b"}
          3 | {"brand_id":"b"}
          4 | {"where":[{"pointer":"/a","equals":1}]}
          5 | {"where":[{"pointer":"/a","equals":1}]}
          6 | {"where":[{"pointer":"/a","equals":1}]}
          7 | {"where":[{"pointer":"/a","equals":1}]}
          8 | {"where":[{"pointer":"/a","equals":1}]}
          """)
  void calls_that_are_killed_repeated_or_overlap_leave_each_id_in_one_step(
      int seed, String request) {
    walk(seed, request, false);

    assertThat(events.stored()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"1", "2", "3", "4", "5", "6"})
  void an_end_beside_calls_under_way_leaves_a_proof_that_is_exact(int seed) {
    walk(seed, BRAND, true);
  }

  private void walk(int seed, String request, boolean isEnded) {
    Random random = new Random(seed);
    for (int i = 0; i < 1_700; i++) {
      UUID id = new UUID(random.nextLong(), random.nextLong());
      Instant createdAt = clock.instant().minusMillis(1);
      Instant visibleAt = clock.instant().plusSeconds(random.nextInt(-50, 10));
      events.put(new Event(id, createdAt, "b", "{\"a\":1}", visibleAt, false));
    }
    List<JsonNode> answers = new ArrayList<>(List.of(operator.call(request)));
    while (answers.getLast().has("next")) {
      JsonNode from = answers.get(Math.max(0, answers.size() - 1 - random.nextInt(2)));
      clock.advance(Duration.ofSeconds(random.nextInt(5)));
      String end = "{\"end\":" + from.get("erasure_id") + "}";
      switch (random.nextInt(isEnded ? 8 : 6)) {
        case 0 -> beforeErasure(random.nextInt(500), this::die);
        case 1 -> beforeErasure(random.nextInt(500), () -> operator.next(request, from));
        case 2 -> beforePage(random.nextInt(4), () -> operator.next(request, from));
        case 3 -> beforePage(1, () -> clock.advance(Duration.ofSeconds(45)));
        case 4 -> beforeErasure(0, () -> clock.advance(Duration.ofSeconds(45)));
        case 6 -> beforePage(random.nextInt(4), () -> operator.call(end));
        case 7 -> beforeErasure(random.nextInt(500), () -> operator.call(end));
        default -> {}
      }
      JsonNode answer = operator.next(request, from);
      events.beforeErasure = () -> {};
      events.beforePage = () -> {};
      if (answer.has("erasure_id")) {
        answers.add(answer);
      }
    }

    operator.assertProved(answers.getLast());
  }

  /** Runs an action once, before an event is erased. */
  private void beforeErasure(int skipped, Runnable action) {
    events.beforeErasure = skipped == 0 ? action : () -> beforeErasure(skipped - 1, action);
  }

  /** Runs an action once, before a page is read. */
  private void beforePage(int skipped, Runnable action) {
    events.beforePage =
        () -> {
          events.beforePage = () -> {};
          if (skipped == 0) {
            action.run();
          } else {
            beforePage(skipped - 1, action);
          }
        };
  }

  /** Erases nothing more in this call. */
  private void die() {
    events.beforeErasure = this::die;
    throw new DependencyUnavailableException("killed");
  }

  private void put(int count) {
    for (int i = 0; i < count; i++) {
      events.put("b", "{}");
    }
  }

  @ParameterizedTest
  @Promise("if so, some of the selector's events may stay")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"brand_id":"b"}                                                | false
          {"brand_id":"b","where":[{"pointer":"/a","equals":1}]}          | true
          {"ids":["0197f3a0-0000-7000-8000-000000000001"]}                | false
          {"ids":["0197f3a0-0000-7000-8000-000000000001"],"where":[{"pointer":"/a","equals":1}]} | true
          {"where":[{"pointer":"/a","equals":1}]}                         | false
          {"brand_id":"b","to":"2026-11-20T11:00Z"}                       | true
          {"where":[{"pointer":"/a","equals":1}],"to":"2026-11-20T11:00Z"} | true
          {"user_id":"0197f3a0-0000-7000-8000-00000000000a","from":"2026-11-20T09:00Z","to":"2026-11-20T12:00Z"} | false
          {"user_id":"0197f3a0-0000-7000-8000-00000000000a","from":"2026-11-20T09:00Z","to":"2026-11-20T12:00Z","event_type":["a.b"]} | true
          """)
  void answers_and_proof_say_whether_conditions_narrow_the_selector(
      String request, boolean isNarrowed) {
    List<JsonNode> answers = operator.eraseAll(request);

    assertThat(answers)
        .extracting(answer -> answer.get("narrowed").booleanValue())
        .containsOnly(isNarrowed);
    assertThat(operator.proof(answers.getLast()).get("narrowed").booleanValue())
        .isEqualTo(isNarrowed);
  }

  @Test
  @Promise("the ids of the events that could not be judged, sorted.")
  void an_erasure_with_events_that_were_not_judged_ends_but_is_never_complete() {
    put(1);
    JsonNode begun = operator.call(BRAND);
    UUID unknown = UUID.randomUUID();
    ledger.addNotJudged(UUID.fromString(begun.get("erasure_id").textValue()), Set.of(unknown));

    JsonNode last = operator.eraseAllAfter(BRAND, begun).getLast();

    for (JsonNode answer : List.of(last, operator.next(BRAND, begun))) {
      assertThat(answer.get("complete").booleanValue()).isFalse();
      assertThat(answer.get("not_judged")).hasSize(1);
      assertThat(answer.at("/not_judged/0").textValue()).isEqualTo(unknown.toString());
    }
    assertThat(operator.proof(last).get("not_judged")).isEqualTo(last.get("not_judged"));
    operator.assertProved(last);
  }

  @Test
  void what_one_call_could_not_judge_and_another_has_erased_is_not_called_not_judged() {
    String request = "{\"where\":[{\"pointer\":\"/a\",\"equals\":1}]}";
    UUID id = events.put("b", "{\"a\":1}");
    JsonNode begun = operator.call(request);
    beforePage(
        0,
        () -> {
          operator.next(request, begun);
          events.payloads = _ -> new ByteArrayInputStream("{\"a\":".getBytes(UTF_8));
        });

    JsonNode last = operator.eraseAllAfter(request, begun).getLast();

    assertThat(events.tombstones()).containsExactly(id);
    assertThat(last.get("complete").booleanValue()).isTrue();
    assertThat(last.has("not_judged")).isFalse();
  }

  @Test
  void what_a_step_could_not_judge_and_a_later_one_has_erased_is_not_in_the_proof() {
    UUID id = events.put("b", "{}");
    JsonNode begun = operator.call(BRAND);
    ledger.addNotJudged(UUID.fromString(begun.get("erasure_id").textValue()), Set.of(id));

    JsonNode last = operator.eraseAllAfter(BRAND, begun).getLast();

    assertThat(last.get("complete").booleanValue()).isTrue();
    assertThat(operator.proof(last).has("not_judged")).isFalse();
  }

  @Test
  @Promise("An erasure with more than 1,000 of them is refused")
  void an_erasure_with_more_not_judged_than_a_proof_can_name_is_refused_and_can_be_ended() {
    String request = "{\"brand_id\":\"b\",\"where\":[{\"pointer\":\"/a\",\"equals\":1}]}";
    JsonNode begun = operator.call(request);
    Set<UUID> unknown =
        Stream.generate(UUID::randomUUID).limit(Erasure.MAX_NOT_JUDGED).collect(Collectors.toSet());
    ledger.addNotJudged(UUID.fromString(begun.get("erasure_id").textValue()), unknown);
    events.put("b", "{\"a\":");

    JsonNode last = operator.eraseAllAfter(request, begun).getLast();

    assertThat(last.at("/errors/0/pointer").textValue()).isEqualTo("/where");
    assertThat(operator.proof(begun).get("not_judged")).hasSize(Erasure.MAX_NOT_JUDGED);
    JsonNode ended = operator.eraseAll("{\"end\":" + begun.get("erasure_id") + "}").getLast();
    assertThat(ended.at("/proof/stopped").booleanValue()).isTrue();
  }

  @Test
  @Promise("A call that is repeated after the end changes nothing.")
  void a_call_that_is_repeated_when_tombstones_have_expired_leaves_the_proof_as_it_is() {
    events.put("b", "{}");
    JsonNode begun = operator.call(BRAND);
    List<JsonNode> answers = operator.eraseAllAfter(BRAND, begun);
    JsonNode proof = operator.proof(answers.getLast());
    JsonNode beforeLast = answers.get(answers.size() - 2);
    clock.advance(Duration.ofDays(36));
    events.expireTombstones();

    for (JsonNode repeated : List.of(begun, beforeLast)) {
      JsonNode late = operator.next(BRAND, repeated);

      assertThat(late.get("complete").booleanValue()).isTrue();
      assertThat(late.get("matched").intValue()).isZero();
      assertThat(operator.proof(late)).isEqualTo(proof);
    }
  }

  @Test
  void the_log_has_figures_and_no_values() {
    events.put("secret", "{\"a\":\"secret\"}");
    operator.eraseAll(
        "{\"brand_id\":\"secret\",\"reason\":\"secret\","
            + "\"where\":[{\"pointer\":\"/a\",\"equals\":\"secret\"}]}");

    assertThat(operator.log())
        .doesNotContain("secret")
        .contains("\"erased\":1", "\"erasure_id\":\"");
  }

  @Test
  void each_call_logs_its_erasure_and_its_counts_even_if_it_fails() {
    put(1_500);
    JsonNode begun = operator.call(BRAND);
    assertLogged(begun, 0);

    JsonNode first = operator.next(BRAND, begun);
    assertLogged(begun, first.get("erased").intValue());

    beforeErasure(150, this::die);
    assertThat(operator.next(BRAND, first).has("code")).isTrue();
    assertLogged(begun, 100);

    events.beforeErasure = () -> {};
    operator.eraseAllAfter(BRAND, first);
    assertLogged(begun, 0);
  }

  private void assertLogged(JsonNode begun, int erased) {
    JsonNode line = operator.lastLine();
    assertThat(line.get("erasure_id")).isEqualTo(begun.get("erasure_id"));
    assertThat(line.get("erased").intValue()).isEqualTo(erased);
  }
}
