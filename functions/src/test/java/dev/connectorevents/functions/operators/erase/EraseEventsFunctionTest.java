package dev.connectorevents.functions.operators.erase;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.AdjustableClock;
import dev.connectorevents.Promise;
import dev.connectorevents.functions.InMemoryErasableEvents;
import dev.connectorevents.functions.InMemoryErasableEvents.Event;
import dev.connectorevents.functions.InMemoryLedger;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which events the function {@code eraseevents} erases, call by call. */
class EraseEventsFunctionTest {

  private static final String BRAND = "{\"brand_id\":\"b\"}";
  private static final String NARROWED =
      "{\"brand_id\":\"b\",\"where\":[{\"pointer\":\"/a\",\"equals\":1}]}";

  private static final String SENDER =
      """
      {"user_id":"%s","from":"2026-11-20T11:00:00Z","to":"2026-11-20T12:00:00Z"}\
      """
          .formatted(InMemoryErasableEvents.USER);

  private final ErasingOperator operator = new ErasingOperator();
  private final AdjustableClock clock = operator.clock;
  private final InMemoryErasableEvents events = operator.events;
  private final InMemoryLedger ledger = operator.ledger;
  private final Instant old = clock.instant().minus(Duration.ofHours(1));

  @Test
  @Promise("The first call only begins: it erases nothing")
  void the_first_call_only_begins() {
    UUID id = events.put("b", "{}");

    JsonNode answer = operator.call(BRAND);

    assertThat(answer.get("matched").intValue()).isZero();
    assertThat(answer.get("complete").booleanValue()).isFalse();
    assertThat(answer.get("next").textValue()).isNotEmpty();
    assertThat(answer.has("wait_seconds")).isFalse();
    assertThat(ledger.find(UUID.fromString(answer.get("erasure_id").textValue()))).isPresent();
    assertThat(events.stored()).containsExactly(id);
  }

  @Test
  @Promise({
    "and go on until an answer has no `next`: each takes one step.",
    "the chain of the last step",
    "when the last step was closed, and how many ids have a tombstone",
    "`BackupDays` after `ended`, and seven days for expired items"
  })
  void ids_are_erased_in_one_more_call_and_proved() {
    UUID first = events.put("b", "{}");
    UUID second = events.put("c", "{}");
    UUID other = events.put("b", "{}");

    JsonNode last = operator.eraseAll("{\"ids\":[\"" + first + "\",\"" + second + "\"]}").getLast();

    assertThat(last.get("matched").intValue()).isEqualTo(2);
    assertThat(last.get("erased").intValue()).isEqualTo(2);
    assertThat(last.get("complete").booleanValue()).isTrue();
    assertThat(events.stored()).containsExactly(other);
    operator.assertProved(last);
    JsonNode proof = last.get("proof");
    assertThat(proof.get("count").intValue()).isEqualTo(2);
    assertThat(proof.get("selector").textValue()).isEqualTo("ids");
    assertThat(proof.has("whole_until")).isFalse();
    assertThat(proof.get("ended").textValue()).isEqualTo("2026-11-20T12:00:00Z");
    assertThat(proof.get("backups_until").textValue()).isEqualTo("2027-01-01T12:00:00Z");
  }

  @Test
  @Promise("so takes nothing that came after its request")
  void an_erasure_that_is_made_again_takes_nothing_that_came_after_its_request() {
    UUID before = putAt(UUID.randomUUID(), old.minusMillis(1));
    UUID after = putAt(UUID.randomUUID(), old);

    for (String selector :
        List.of(
            "\"ids\":[\"" + before + "\",\"" + after + "\"]",
            "\"brand_id\":\"b\"",
            "\"where\":[{\"pointer\":\"/a\",\"equals\":1}]")) {
      JsonNode last = operator.eraseAll("{" + selector + ",\"to\":\"" + old + "\"}").getLast();

      assertThat(last.get("complete").booleanValue()).isTrue();
      assertThat(last.at("/proof/to").textValue()).isEqualTo("2026-11-20T11:00:00.000Z");
      assertThat(events.tombstones()).containsExactly(before);
      assertThat(events.stored()).containsExactly(after);
    }
  }

  @Test
  @Promise("`named`, the ids of tombstones that `ids` has named")
  void a_tombstone_that_ids_name_is_kept_with_the_step_and_neither_matched_nor_counted() {
    UUID erased = events.put("b", "{}");
    UUID unknown = UUID.randomUUID();
    operator.eraseAll(BRAND);
    UUID id = events.put("b", "{}");

    JsonNode last =
        operator
            .eraseAll("{\"ids\":[\"%s\",\"%s\",\"%s\"]}".formatted(erased, id, unknown))
            .getLast();

    assertThat(last.get("matched").intValue()).isEqualTo(1);
    assertThat(last.at("/proof/count").intValue()).isEqualTo(1);
    UUID erasureId = UUID.fromString(last.get("erasure_id").textValue());
    assertThat(ledger.step(erasureId, 1).orElseThrow().named()).containsExactly(erased);
  }

  @Test
  @Promise({
    "there if the erasure must wait for the feed",
    "every selected event is erased that was acknowledged before the first call.",
    "up to where the feed was read, and between which times it had all"
  })
  void a_brand_is_erased_up_to_the_head_that_the_feed_has_when_all_marks_are_noted() {
    UUID visible = events.put("b", "{}");
    UUID late = UUID.randomUUID();
    events.put(event(late, clock.instant().minusMillis(1), clock.instant().plusSeconds(10)));
    UUID other = events.put("c", "{}");
    JsonNode begun = operator.call(BRAND);
    JsonNode indexed = operator.next(BRAND, begun);
    assertThat(events.tombstones()).containsExactly(visible);
    assertThat(indexed.has("wait_seconds")).isFalse();

    clock.advance(Duration.ofSeconds(9));
    JsonNode early = operator.next(BRAND, indexed);
    assertThat(early.get("wait_seconds").intValue()).isEqualTo(5);
    assertThat(early.has("whole_until")).as("nobody knows").isFalse();
    assertThat(early.get("complete").booleanValue()).isFalse();
    assertThat(early.get("next")).isEqualTo(indexed.get("next"));
    clock.advance(Duration.ofSeconds(1));
    JsonNode last = operator.next(BRAND, early);

    assertThat(last.get("complete").booleanValue()).isTrue();
    assertThat(events.tombstones()).containsExactlyInAnyOrder(visible, late);
    assertThat(events.stored()).containsExactly(other);
    operator.assertProved(last);
    assertThat(last.at("/proof/index_lag_seconds").intValue()).isEqualTo(3_600);
    assertThat(last.get("proof").has("whole_since")).as("all there ever was").isFalse();
    assertThat(last.at("/proof/whole_until").textValue()).isEqualTo("2026-11-20T12:00:00.000Z");
    assertThat(last.at("/proof/head").intValue()).isEqualTo(3);
  }

  @Test
  void on_many_shards_an_erasure_waits_for_a_beat_of_the_schedule_with_enough_marks() {
    UUID id = events.put("b", "{}");
    operator.marked.shards = 6;
    JsonNode indexed = operator.next(BRAND, operator.call(BRAND));
    clock.advance(Duration.ofSeconds(10));
    assertThat(operator.next(BRAND, indexed).get("wait_seconds").intValue()).isEqualTo(6);
    operator.beat(103);

    JsonNode last = operator.next(BRAND, indexed);

    assertThat(last.get("complete").booleanValue()).isTrue();
    assertThat(events.tombstones()).containsExactly(id);
    operator.assertProved(last);
  }

  @Test
  @Promise({
    "Selects what this user has sent from `from` until before `to`",
    "The feed is read only when it has all that was stored before the erasure began."
  })
  void what_a_user_sent_is_erased_when_all_marks_are_noted_and_not_before() {
    UUID visible = events.put("b", "{}");
    UUID late = UUID.randomUUID();
    events.put(event(late, clock.instant().minusMillis(1), clock.instant().plusSeconds(10)));
    UUID before = putAt(UUID.randomUUID(), old.minusMillis(1));
    UUID after = putAt(UUID.randomUUID(), clock.instant());

    JsonNode first = operator.next(SENDER, operator.call(SENDER));
    assertThat(first.get("wait_seconds").intValue()).isEqualTo(1);
    assertThat(events.tombstones()).isEmpty();
    JsonNode last = operator.eraseAllAfter(SENDER, first).getLast();

    assertThat(last.get("complete").booleanValue()).isTrue();
    assertThat(events.tombstones()).containsExactlyInAnyOrder(visible, late);
    assertThat(events.stored()).containsExactlyInAnyOrder(before, after);
    operator.assertProved(last);
  }

  /** The clock of the machine that stored it is ahead. */
  @Test
  void what_was_stored_before_by_a_clock_that_is_ahead_is_erased_and_what_comes_later_stays() {
    for (String request :
        List.of(
            BRAND, SENDER.replaceFirst("\"to\":\"[^\"]*\"", "\"to\":\"2026-11-22T00:00:00Z\""))) {
      UUID ahead = putAt(UUID.randomUUID(), clock.instant().plusSeconds(1));
      JsonNode begun = operator.call(request);
      clock.advance(Duration.ofMinutes(1));
      UUID after = putAt(UUID.randomUUID(), clock.instant());

      operator.eraseAllAfter(request, begun);

      assertThat(events.tombstones()).contains(ahead);
      assertThat(events.stored()).contains(after);
    }
  }

  /** What the feed held at the erasure's beat counts, not what was written of it before a loss. */
  @Test
  @Promise("The feed does not have all that the erasure needs, or is another one")
  void a_feed_that_is_whole_only_since_a_later_time_is_no_proof_and_a_scan_needs_none() {
    UUID id = UUID.randomUUID();
    events.put(event(id, old, clock.instant().plus(Duration.ofDays(9)))); // the feed never has it
    operator.beat(0);
    clock.advance(Duration.ofDays(2)); // meanwhile the stream has lost what it had
    JsonNode first = operator.call(SENDER);
    clock.advance(Duration.ofSeconds(10));

    JsonNode refused = operator.next(SENDER, first);
    assertThat(refused.get("code").textValue()).isEqualTo("feed_not_whole");
    assertThat(refused.get("detail").textValue())
        .contains("whole only since 2026-11-21T13:00:20.000Z", "Fill", "scan");
    assertThat(operator.next(SENDER, first).get("code")).isEqualTo(refused.get("code"));

    String scan = SENDER.replaceFirst("[}]$", ",\"scan\":true}");
    List<JsonNode> answers = operator.eraseAll(scan);
    assertThat(answers).noneMatch(answer -> answer.has("wait_seconds"));
    assertThat(events.tombstones()).containsExactly(id);
    assertThat(answers.getLast().at("/proof/scan").booleanValue()).isTrue();
    assertThat(answers.getLast().get("proof").has("whole_until")).isFalse();
  }

  @Test
  void an_erasure_by_brand_needs_only_what_the_index_may_lack() {
    UUID id = events.put("b", "{}");
    operator.marked.all = Optional.empty();
    operator.beat(0); // of no new stack: the feed is whole since then
    assertThat(code(operator.eraseAll(BRAND).getLast())).isEqualTo("feed_not_whole");
    clock.advance(Duration.ofMinutes(61));
    operator.beat(0);

    JsonNode last = operator.eraseAll(BRAND).getLast();

    assertThat(last.get("complete").booleanValue()).isTrue();
    assertThat(events.tombstones()).containsExactly(id);
    assertThat(last.at("/proof/whole_since").textValue()).isEqualTo("2026-11-20T12:00:00.000Z");
  }

  private static String code(JsonNode answer) {
    return answer.path("code").asText();
  }

  /** Each of them is a feed that was made anew, or its stream. */
  @Test
  void an_erasure_goes_on_with_no_other_feed_than_it_began_with() {
    for (int i = 0; i < 350; i++) {
      events.put("b", "{}");
    }
    operator.beat(0);
    JsonNode waiting = operator.call(SENDER);
    JsonNode begun = operator.call(SENDER);
    clock.advance(Duration.ofSeconds(10));
    events.beforePage = () -> clock.advance(Duration.ofSeconds(12));
    JsonNode first = operator.next(SENDER, begun);
    assertThat(events.tombstones()).isNotEmpty();
    assertThat(first.has("next")).isTrue();
    events.name = "deadbeef";

    assertThat(code(operator.next(SENDER, first)))
        .as("it has read another")
        .isEqualTo("feed_not_whole");
    assertThat(code(operator.next(SENDER, waiting))).isEqualTo("feed_not_whole");
  }

  @Test
  void an_erasure_goes_on_with_no_other_stream_than_it_began_with() {
    UUID id = events.put("b", "{}");
    operator.beat(0);
    JsonNode waiting = operator.call(SENDER);
    operator.marked.stream = "another";
    operator.beat(0);

    assertThat(code(operator.next(SENDER, waiting))).isEqualTo("feed_not_whole");
    assertThat(events.stored()).containsExactly(id);
  }

  /** It waits for as long as the feed takes: nothing of it expires. */
  @Test
  @Promise("It waits for as long as the feed takes")
  void an_erasure_goes_on_after_days() {
    UUID id = events.put("b", "{}");
    JsonNode waiting = operator.next(SENDER, operator.call(SENDER));
    for (int i = 0; i < 6; i++) { // the feed is read, and its marks are overwritten
      clock.advance(Duration.ofHours(12));
      operator.beat(0);
    }

    JsonNode last = operator.next(SENDER, waiting);

    assertThat(last.get("complete").booleanValue()).isTrue();
    assertThat(events.tombstones()).containsExactly(id);
  }

  @Test
  @Promise("A call takes at most 45 s, whatever the payloads are")
  void a_call_begins_no_page_after_30_seconds() {
    for (int i = 0; i < 350; i++) {
      events.put("b", "{}");
    }
    events.beforePage = () -> clock.advance(Duration.ofSeconds(12));
    JsonNode begun = operator.call(BRAND);

    JsonNode answer = operator.next(BRAND, begun);

    assertThat(answer.get("ids")).as("three pages").hasSize(300);
    assertThat(answer.has("next")).isTrue();
  }

  @Test
  void a_step_that_time_cuts_off_goes_on_with_the_same_next() {
    for (int i = 0; i < 250; i++) {
      events.put("b", "{}");
    }
    events.beforeErasure = () -> clock.advance(Duration.ofSeconds(45));
    JsonNode begun = operator.call(BRAND);

    JsonNode cut = operator.next(BRAND, begun);
    assertThat(cut.get("matched").intValue()).isEqualTo(250);
    assertThat(cut.get("erased").intValue()).isEqualTo(100);
    assertThat(cut.get("next")).isEqualTo(begun.get("next"));
    JsonNode rest = operator.next(BRAND, cut);

    assertThat(rest.get("erased").intValue()).isEqualTo(150);
    operator.assertProved(operator.eraseAllAfter(BRAND, rest).getLast());
  }

  @ParameterizedTest
  @Promise("one whose key has got a new event that is not selected")
  @CsvSource({"old, true", "old, false", "later, true", "later, false"})
  void of_an_event_that_is_replaced_meanwhile_only_a_later_one_is_judged_anew(
      String when, boolean holds) {
    UUID id = events.put("b", "{\"a\":1}");
    Instant createdAt = when.equals("old") ? old.plusSeconds(1) : clock.instant().plusSeconds(1);
    String payload = holds ? "{\"a\":1}" : "{\"a\":2}";
    events.beforeErasure =
        () -> events.put(new Event(id, createdAt, "b", payload, createdAt, false));

    operator.eraseAll("{\"ids\":[\"" + id + "\"],\"where\":[{\"pointer\":\"/a\",\"equals\":1}]}");

    assertThat(events.tombstones().contains(id)).isEqualTo(holds || when.equals("old"));
  }

  @Test
  void a_later_event_that_cannot_be_judged_is_named() {
    UUID id = events.put("b", "{\"a\":1}");
    Instant createdAt = clock.instant().plusSeconds(1);
    events.beforeErasure =
        () -> events.put(new Event(id, createdAt, "b", "{\"a\":", createdAt, false));

    JsonNode last =
        operator
            .eraseAll("{\"ids\":[\"" + id + "\"],\"where\":[{\"pointer\":\"/a\",\"equals\":1}]}")
            .getLast();

    assertThat(last.get("not_judged").get(0).textValue()).isEqualTo(id.toString());
    assertThat(last.get("complete").booleanValue()).isFalse();
    assertThat(events.stored()).containsExactly(id);
  }

  @Test
  @Promise({"Alone, it reads the whole table", "reads the table consistently, and does not wait"})
  void conditions_alone_scan_once_and_wait_for_nothing() {
    UUID matching = UUID.randomUUID();
    Instant later = clock.instant().plusSeconds(5); // the feed does not have it yet
    events.put(new Event(matching, old, "b", "{\"customer\":{\"id\":1}}", later, false));
    UUID other = events.put("b", "{\"customer\":{\"id\":2}}");
    String request = "{\"where\":[{\"pointer\":\"/customer/id\",\"equals\":1.0}]}";

    JsonNode last = operator.next(request, operator.call(request));

    assertThat(last.get("complete").booleanValue()).isTrue();
    assertThat(events.tombstones()).containsExactly(matching);
    assertThat(events.stored()).containsExactly(other);
  }

  @Test
  @Promise("the events of this call's step, at most 1,000.")
  void a_call_names_at_most_a_thousand_ids_and_the_next_one_goes_on() {
    Set<UUID> all =
        IntStream.range(0, 2_350).mapToObj(i -> events.put("b", "{}")).collect(Collectors.toSet());

    List<String> ids = new ArrayList<>();
    for (JsonNode answer : operator.eraseAll(BRAND)) {
      assertThat(answer.get("ids").size()).isLessThanOrEqualTo(1_000);
      answer.get("ids").forEach(id -> ids.add(id.textValue()));
    }
    assertThat(ids).hasSize(2_350).doesNotHaveDuplicates();
    assertThat(events.tombstones()).isEqualTo(all);
  }

  @Test
  @Promise({
    "Beside `ids`, `brand_id` or `user_id`, it narrows the selection.",
    "the next call goes on after the last event that it has judged."
  })
  void a_call_ends_within_a_page_and_the_next_goes_on_after_the_last_event_judged() {
    Set<UUID> all =
        IntStream.range(0, 30)
            .mapToObj(i -> events.put("b", "{\"a\":1}"))
            .collect(Collectors.toSet());
    events.put("b", "{\"a\":2}"); // judged, and not selected
    events.payloads =
        payload -> {
          clock.advance(Duration.ofSeconds(7));
          return payload;
        };
    List<String> ids = new ArrayList<>();
    for (JsonNode answer : operator.eraseAll(NARROWED)) {
      assertThat(answer.get("ids").size()).as("in 30 s").isLessThanOrEqualTo(5);
      answer.get("ids").forEach(id -> ids.add(id.textValue()));
      assertThat(answer.has("not_judged")).isFalse();
    }
    assertThat(ids).hasSize(30).doesNotHaveDuplicates();
    assertThat(events.tombstones()).isEqualTo(all);
  }

  @Test
  @Promise("ids of events that `where` cannot judge")
  void an_event_that_takes_a_whole_call_or_is_damaged_is_passed_and_named_to_the_end() {
    UUID sound = events.put("b", "{\"a\":1}");
    UUID slow = events.put("b", "{\"slow\":" + "[".repeat(100) + "]".repeat(100) + ",\"a\":1}");
    UUID damaged = events.put("b", "{\"a\":");
    UUID last = events.put("b", "{\"a\":1}");
    events.payloads = payload -> new SlowStream(payload, clock);

    List<JsonNode> answers = operator.eraseAll(NARROWED);

    assertThat(events.tombstones()).containsExactlyInAnyOrder(sound, last);
    assertThat(answers)
        .allSatisfy(answer -> assertThat(answer.get("complete").asBoolean()).isFalse());
    assertThat(answers.getLast().has("next")).isFalse();
    assertThat(
            answers.subList(0, answers.size() - 1).stream()
                .flatMap(answer -> answer.path("not_judged").valueStream().map(JsonNode::asText)))
        .as("named before the end")
        .contains(slow.toString(), damaged.toString());
    assertThat(operator.log()).contains("\"not_judged\":1");
    for (JsonNode named : List.of(answers.getLast(), answers.getLast().get("proof"))) {
      assertThat(named.get("not_judged").valueStream().map(JsonNode::textValue))
          .containsExactlyInAnyOrder(slow.toString(), damaged.toString());
    }
    assertThat(answers.getLast().get("proof").get("count").intValue()).isEqualTo(2);
  }

  /** Takes a second for each byte of a payload with {@code slow}. */
  private static final class SlowStream extends FilterInputStream {

    private final AdjustableClock clock;
    private final boolean isSlow;

    SlowStream(InputStream payload, AdjustableClock clock) {
      byte[] bytes = bytes(payload);
      super(new ByteArrayInputStream(bytes));
      this.clock = clock;
      this.isSlow = new String(bytes, UTF_8).contains("slow");
    }

    private static byte[] bytes(InputStream payload) {
      try {
        return payload.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public int read(byte[] bytes, int start, int length) throws IOException {
      if (!isSlow) {
        return super.read(bytes, start, length);
      }
      clock.advance(Duration.ofSeconds(1));
      return super.read(bytes, start, Math.min(length, 1));
    }
  }

  @Test
  void a_slow_read_of_a_page_leaves_time_to_judge_an_event() {
    UUID id = events.put("b", "{\"a\":1}");
    events.beforePage = () -> clock.advance(Duration.ofSeconds(50));

    assertThat(operator.eraseAll(NARROWED).getLast().get("complete").booleanValue()).isTrue();

    assertThat(events.tombstones()).containsExactly(id);
  }

  @Test
  void an_event_that_is_replaced_again_and_again_is_tried_five_times() {
    UUID id = events.put("b", "{}");
    List<Integer> tries = new ArrayList<>();
    replaceBeforeErasure(id, tries);

    String request = "{\"ids\":[\"" + id + "\"]}";

    assertThat(operator.next(request, operator.call(request)).get("code").textValue())
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
  @Promise("one whose key has got a new event that is not selected")
  void an_event_that_is_replaced_by_one_of_another_brand_is_not_erased() {
    UUID id = events.put("b", "{}");
    Instant createdAt = old.plusSeconds(1);
    events.beforeErasure = () -> events.put(new Event(id, createdAt, "c", "{}", createdAt, false));

    operator.eraseAll(BRAND);

    assertThat(events.stored()).containsExactly(id);
  }

  @Test
  @Promise({
    "an event whose retention had passed, which is deleted",
    "it then keeps the ids that have a tombstone"
  })
  void an_expired_event_is_deleted_but_not_proved() {
    UUID id = UUID.randomUUID();
    events.put(new Event(id, old, "b", "{}", old, true));

    JsonNode last = operator.eraseAll("{\"ids\":[\"" + id + "\"]}").getLast();

    assertThat(last.get("matched").intValue()).isEqualTo(1);
    assertThat(last.get("erased").intValue()).isZero();
    assertThat(events.stored()).isEmpty();
    assertThat(last.get("proof").get("count").intValue()).isZero();
  }

  private UUID putAt(UUID id, Instant createdAt) {
    events.put(event(id, createdAt, createdAt));
    return id;
  }

  private static Event event(UUID id, Instant createdAt, Instant visibleAt) {
    return new Event(id, createdAt, "b", "{}", visibleAt, false);
  }
}
