package dev.connectorevents.functions.eraseevents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.AdjustableClock;
import dev.connectorevents.Promise;
import dev.connectorevents.event.Erasure;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

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
  @Promise("**The first call only begins**: it erases nothing")
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
    "Send the same event with this `next`, and go on until an answer has no `next`.",
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
    JsonNode proof = operator.proof(last);
    assertThat(proof.get("count").intValue()).isEqualTo(2);
    assertThat(proof.get("selector").textValue()).isEqualTo("ids");
    assertThat(proof.get("ids_sha256").textValue())
        .isEqualTo(ErasingOperator.digest(List.of(Set.of(first, second))));
    assertThat(proof.get("ended").textValue()).isEqualTo("2026-11-20T12:00:00Z");
    assertThat(proof.get("backups_until").textValue()).isEqualTo("2027-01-01T12:00:00Z");
  }

  @Test
  @Promise({
    "there if the next call must wait: do not send it earlier.",
    "every selected event is erased that was acknowledged before the first call.",
    "how long an event may take, at most, until it has its position in the feed"
  })
  void a_brand_is_erased_up_to_where_the_feed_stands_when_it_has_all_that_was_created_before() {
    UUID visible = events.put("b", "{}");
    UUID late = UUID.randomUUID();
    events.put(event(late, clock.instant().minusMillis(1), clock.instant().plusSeconds(10)));
    UUID other = events.put("c", "{}");
    JsonNode first = operator.next(BRAND, operator.call(BRAND));
    assertThat(events.tombstones()).containsExactly(visible);
    assertThat(first.get("wait_seconds").intValue()).isEqualTo(10);
    assertThat(first.get("complete").booleanValue()).isFalse();
    UUID younger = putAt(UUID.randomUUID(), clock.instant());

    assertThat(operator.next(BRAND, first).get("wait_seconds").intValue())
        .as("too early")
        .isEqualTo(10);
    clock.advance(Duration.ofSeconds(10));
    JsonNode last = operator.next(BRAND, first);

    assertThat(last.get("complete").booleanValue()).isTrue();
    assertThat(events.tombstones()).containsExactlyInAnyOrder(visible, late);
    assertThat(events.stored()).containsExactlyInAnyOrder(other, younger);
    assertThat(operator.proof(last).get("count").intValue()).isEqualTo(2);
    assertThat(operator.proof(last).get("lag_seconds").intValue()).isEqualTo(10);
    assertThat(operator.proof(last).get("index_lag_seconds").intValue()).isEqualTo(3_600);
  }

  @Test
  @Promise({
    "Selects what this user has sent from `from` until before `to`",
    "reads the feed from `from` on, up to where it stands `FeedLagSeconds`"
  })
  void what_a_user_sent_is_erased_up_to_where_the_feed_stands_when_it_has_all_of_it() {
    UUID visible = events.put("b", "{}");
    UUID late = UUID.randomUUID();
    events.put(event(late, clock.instant().minusMillis(1), clock.instant().plusSeconds(10)));
    UUID before = putAt(UUID.randomUUID(), old.minusMillis(1));
    UUID after = putAt(UUID.randomUUID(), clock.instant());
    assertThat(operator.call(dryRun(SENDER)).get("ids"))
        .extracting(JsonNode::textValue)
        .containsExactly(visible.toString());

    JsonNode first = operator.next(SENDER, operator.call(SENDER));
    assertThat(events.tombstones()).containsExactly(visible);
    assertThat(first.get("wait_seconds").intValue()).isEqualTo(10);
    assertThat(first.get("complete").booleanValue()).isFalse();
    JsonNode last = operator.eraseAllAfter(SENDER, first).getLast();

    assertThat(last.get("complete").booleanValue()).isTrue();
    assertThat(events.tombstones()).containsExactlyInAnyOrder(visible, late);
    assertThat(events.stored()).containsExactlyInAnyOrder(before, after);
    assertThat(operator.proof(last).get("count").intValue()).isEqualTo(2);
    assertThat(operator.proof(last).get("lag_seconds").intValue()).isEqualTo(10);
  }

  @Test
  void what_a_user_sends_after_the_beginning_stays_however_late_the_time_ends() {
    UUID before = events.put("b", "{}");
    String request = SENDER.replaceFirst("\"to\":\"[^\"]*\"", "\"to\":\"2026-11-21T00:00:00Z\"");
    JsonNode begun = operator.call(request);
    clock.advance(Duration.ofSeconds(1));
    UUID after = putAt(UUID.randomUUID(), clock.instant());

    operator.eraseAllAfter(request, begun);

    assertThat(events.tombstones()).containsExactly(before);
    assertThat(events.stored()).containsExactly(after);
  }

  @Test
  @Promise("If you do, it does nothing")
  void a_page_that_was_asked_for_too_early_is_not_the_last_one_however_late_it_comes() {
    events.beforePage = () -> clock.advance(Duration.ofSeconds(11));

    JsonNode early = operator.next(SENDER, operator.call(SENDER));

    assertThat(early.get("wait_seconds").intValue()).isEqualTo(10);
    assertThat(operator.next(SENDER, early).get("complete").booleanValue()).isTrue();
  }

  @Test
  @Promise("when the first call began")
  void the_ledger_says_when_an_erasure_began() {
    UUID id = events.put("b", "{}");
    JsonNode begun = operator.call(BRAND);
    ledger.erasures.computeIfPresent(
        UUID.fromString(begun.get("erasure_id").textValue()),
        (erasureId, erasure) ->
            new Erasure(
                erasureId,
                erasure.reason(),
                erasure.selectorKind(),
                erasure.brand(),
                erasure.isNarrowed(),
                old,
                erasure.lagAssumed(),
                erasure.notJudged(),
                erasure.proof()));

    operator.eraseAllAfter(BRAND, begun);

    assertThat(events.stored()).as("created at this time").containsExactly(id);
  }

  @Test
  @Promise({"Alone, it reads the whole table", "reads the table consistently, and does not wait"})
  void conditions_alone_scan_once_and_wait_for_nothing() {
    UUID matching = UUID.randomUUID();
    Instant later = clock.instant().plusSeconds(5); // the feed does not have it yet
    events.put(
        new InMemoryErasableEvents.Event(
            matching, old, "b", "{\"customer\":{\"id\":1}}", later, false));
    UUID other = events.put("b", "{\"customer\":{\"id\":2}}");
    String request = "{\"where\":[{\"pointer\":\"/customer/id\",\"equals\":1.0}]}";

    JsonNode last = operator.next(request, operator.call(request));

    assertThat(last.get("complete").booleanValue()).isTrue();
    assertThat(events.tombstones()).containsExactly(matching);
    assertThat(events.stored()).containsExactly(other);
  }

  @Test
  @Promise("Beside `ids`, `brand_id` or `user_id`, it narrows the selection.")
  void conditions_narrow_a_selection() {
    events.put("b", "{\"a\":1}");
    UUID second = events.put("b", "{\"a\":2}");
    events.put("c", "{\"a\":2}");

    operator.eraseAll("{\"brand_id\":\"b\",\"where\":[{\"pointer\":\"/a\",\"equals\":2}]}");

    assertThat(events.tombstones()).containsExactly(second);
  }

  @Test
  @Promise("finds the events, changes nothing, writes no proof and never waits")
  void a_dry_run_changes_nothing_and_writes_no_proof() {
    UUID id = events.put("b", "{}");

    JsonNode answer = operator.call("{\"brand_id\":\"b\",\"dry_run\":true}");

    assertThat(answer.toString())
        .isEqualTo(
            "{\"matched\":1,\"erased\":0,\"ids\":[\""
                + id
                + "\"],\"narrowed\":false,"
                + "\"searched\":1,\"read_units\":1.0,\"complete\":false}");
    assertThat(events.stored()).containsExactly(id);
    assertThat(ledger.erasures).isEmpty();
    assertThat(ledger.pages()).isEmpty();
  }

  @Test
  @Promise("the events that this call has selected, at most 1,000.")
  void a_call_names_at_most_a_thousand_ids_and_the_next_one_goes_on() {
    Set<UUID> all =
        IntStream.range(0, 2_350).mapToObj(i -> events.put("b", "{}")).collect(Collectors.toSet());

    for (String request : List.of("{\"brand_id\":\"b\",\"dry_run\":true}", BRAND)) {
      List<String> ids = new ArrayList<>();
      for (JsonNode answer : operator.eraseAll(request)) {
        assertThat(answer.get("ids").size()).isLessThanOrEqualTo(1_000);
        answer.get("ids").forEach(id -> ids.add(id.textValue()));
      }
      assertThat(ids).hasSize(2_350).doesNotHaveDuplicates();
    }
    assertThat(events.tombstones()).isEqualTo(all);
  }

  @Test
  @Promise("A call takes at most 45 s, whatever the payloads are")
  void a_call_begins_no_page_after_45_seconds() {
    for (int i = 0; i < 350; i++) {
      events.put("b", "{}");
    }
    events.beforePage = () -> clock.advance(Duration.ofSeconds(15));
    JsonNode begun = operator.call(BRAND);

    JsonNode answer = operator.next(BRAND, begun);

    assertThat(answer.get("ids")).as("three pages").hasSize(300);
    assertThat(answer.has("next")).isTrue();
  }

  @Test
  @Promise("the next call goes on after the last event that it has judged.")
  void a_call_ends_within_a_page_and_the_next_goes_on_after_the_last_event_judged() {
    Set<UUID> all =
        IntStream.range(0, 30)
            .mapToObj(i -> events.put("b", "{\"a\":1}"))
            .collect(Collectors.toSet());
    events.payloads =
        payload -> {
          clock.advance(Duration.ofSeconds(7));
          return payload;
        };
    for (String request : List.of(dryRun(NARROWED), NARROWED)) {
      List<String> ids = new ArrayList<>();
      for (JsonNode answer : operator.eraseAll(request)) {
        assertThat(answer.get("ids").size()).as("in 45 s").isLessThanOrEqualTo(6);
        answer.get("ids").forEach(id -> ids.add(id.textValue()));
        assertThat(answer.has("not_judged")).isFalse();
      }
      assertThat(ids).hasSize(30).doesNotHaveDuplicates();
    }
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
    for (JsonNode named : List.of(answers.getLast(), operator.proof(answers.getLast()))) {
      assertThat(named.get("not_judged").valueStream().map(JsonNode::textValue))
          .containsExactlyInAnyOrder(slow.toString(), damaged.toString());
    }
    assertThat(operator.proof(answers.getLast()).get("count").intValue()).isEqualTo(2);
    List<JsonNode> found = operator.eraseAll(dryRun(NARROWED));
    assertThat(found.stream().flatMap(answer -> answer.path("not_judged").valueStream()))
        .hasSize(2);
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
  void a_replacement_that_cannot_be_judged_is_named() {
    UUID id = events.put("b", "{\"a\":1}");
    Instant createdAt = old.plusSeconds(1);
    events.beforeErasure =
        () ->
            events.put(
                new InMemoryErasableEvents.Event(id, createdAt, "b", "{\"a\":", createdAt, false));

    JsonNode last =
        operator
            .eraseAll("{\"ids\":[\"" + id + "\"],\"where\":[{\"pointer\":\"/a\",\"equals\":1}]}")
            .getLast();

    assertThat(last.get("not_judged").get(0).textValue()).isEqualTo(id.toString());
    assertThat(last.get("complete").booleanValue()).isFalse();
    assertThat(events.stored()).containsExactly(id);
  }

  @Test
  @Promise("A dry run that finds nothing names in `hints` what an event has instead")
  void a_dry_run_that_finds_nothing_says_what_would_have() {
    events.put("b", "{\"to\":[{\"id\":55,\"mail\":\"Ann@x.com\"}],\"id\":\"56\",\"nr\":\"57\"}");
    String where =
        """
        {"where":[{"pointer":"/to/*/id","equals":"55"},{"pointer":"/to/*/mail","equals":"ann@x.com"},
                  {"pointer":"/id","equals":56},{"pointer":"/nr","equals":57}]}\
        """;

    JsonNode answer = operator.call(dryRun(where));

    assertThat(answer.get("hints").valueStream().map(JsonNode::textValue))
        .containsExactlyInAnyOrder(
            "an event has it as a number: {\"pointer\":\"/to/*/id\",\"equals\":55}",
            "an event has it in another case or form:"
                + " {\"pointer\":\"/to/*/mail\",\"equals_ignoring_case\":\"ann@x.com\"}",
            "an event has it as a string: {\"pointer\":\"/id\",\"equals\":\"56\"}");
    assertThat(operator.eraseAll(where)).noneMatch(it -> it.has("hints"));

    events.put("b", "{\"id\":56}");

    assertThat(operator.call(dryRun(where)).has("hints")).isFalse();
  }

  @Test
  @Promise("how many events this call has looked at")
  void a_dry_run_may_look_at_a_time_and_says_what_it_has_searched() {
    UUID early = events.put("b", "{\"a\":\"ann@x.com\"}");
    clock.advance(Duration.ofHours(1));
    UUID late = events.put("b", "{\"a\":\"ann@x.com\"}");
    events.put("b", "{\"a\":\"zoe@x.com\"}");
    clock.advance(Duration.ofHours(1));
    String times = "{\"where\":[{\"contains\":\"ann@x.com\"}]%s}";

    JsonNode fromNoon =
        operator.call(dryRun(times.formatted(",\"from\":\"2026-11-20T12:00:00Z\"")));
    JsonNode toNoon =
        operator.call(
            dryRun(times.formatted(",\"brand_id\":\"b\",\"to\":\"2026-11-20T12:00:00Z\"")));

    assertThat(fromNoon.get("ids").valueStream().map(JsonNode::textValue))
        .containsExactly(late.toString());
    assertThat(fromNoon.get("searched").intValue()).isEqualTo(2);
    assertThat(toNoon.get("ids").valueStream().map(JsonNode::textValue))
        .containsExactly(early.toString());
    assertThat(toNoon.get("searched").intValue()).isEqualTo(1);
  }

  @Test
  @Promise("A dry run with a `contains` says where its events match")
  void a_dry_run_says_where_it_has_found_a_text() {
    UUID first = events.put("b", "{\"to\":[{\"mail\":\"Ann@x.com\"},{\"mail\":\"ann@x.com\"}]}");
    UUID second = events.put("b", "{\"to\":[{\"mail\":\"ann@x.com\"}],\"text\":\"ask ann@x.com\"}");
    events.put("b", "{\"ann@x.com\":1}");
    String where = "{\"where\":[{\"contains\":\"ann@x.com\"}]}";

    JsonNode answer = operator.call(dryRun(where));

    assertThat(answer.get("ids").valueStream().map(JsonNode::textValue))
        .containsExactlyInAnyOrder(first.toString(), second.toString());
    String type = "shopify.orders/create";
    assertThat(answer.get("places"))
        .hasToString(
            "[{\"event_type\":\"%1$s\",\"pointer\":\"/to/*/mail\",\"events\":2},{\"event_type\":\"%1$s\",\"pointer\":\"/text\",\"events\":1}]"
                .formatted(type));
    assertThat(answer.has("more_places")).isFalse();
    assertThat(operator.eraseAll(where)).noneMatch(it -> it.has("places"));
    assertThat(events.tombstones()).containsExactlyInAnyOrder(first, second);
  }

  @Test
  void of_the_places_of_a_call_the_most_frequent_are_named() {
    for (int i = 0; i < 25; i++) {
      events.put("b", "{\"n" + i + "\":\"ann@x.com\"}");
    }
    events.put("b", "{\"n24\":\"ann@x.com\"}");

    JsonNode answer = operator.call(dryRun("{\"where\":[{\"contains\":\"ann@x.com\"}]}"));

    assertThat(answer.get("places")).hasSize(20);
    assertThat(answer.at("/places/0/pointer").textValue()).isEqualTo("/n24");
    assertThat(answer.get("more_places").booleanValue()).isTrue();
    assertThat(
            operator.call(dryRun("{\"where\":[{\"pointer\":\"/n1\",\"equals\":1}]}")).has("places"))
        .isFalse();
  }

  @Test
  void conditions_may_look_at_every_element_and_ignore_case() {
    UUID id = events.put("b", "{\"to\":[{\"mail\":\"Bob@x.com\"},{\"mail\":\"Ann@x.com\"}]}");
    events.put("b", "{\"to\":[{\"mail\":\"Bob@x.com\"}]}");

    operator.eraseAll(
        "{\"where\":[{\"pointer\":\"/to/*/mail\",\"equals_ignoring_case\":\"ANN@x.com\"}]}");

    assertThat(events.tombstones()).containsExactly(id);
  }

  @Test
  @Promise("one whose key has got a new event that is not selected")
  void an_event_that_is_replaced_meanwhile_is_judged_anew() {
    for (boolean isYounger : new boolean[] {true, false}) {
      UUID id = events.put("b", "{\"a\":1}");
      Instant createdAt = isYounger ? clock.instant().plusSeconds(1) : old.plusSeconds(1);
      events.beforeErasure =
          () ->
              events.put(
                  new InMemoryErasableEvents.Event(
                      id, createdAt, "b", "{\"a\":1}", createdAt, false));

      List<JsonNode> answers =
          operator.eraseAll(
              "{\"ids\":[\"" + id + "\"],\"where\":[{\"pointer\":\"/a\",\"equals\":1}]}");

      assertThat(events.stored().contains(id)).isEqualTo(isYounger);
      assertThat(answers.stream().mapToInt(answer -> answer.get("erased").intValue()).sum())
          .isEqualTo(isYounger ? 0 : 1);
    }
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
    events.beforeErasure =
        () ->
            events.put(
                new InMemoryErasableEvents.Event(id, createdAt, "c", "{}", createdAt, false));

    operator.eraseAll(BRAND);

    assertThat(events.stored()).containsExactly(id);
  }

  @Test
  @Promise({
    "an event whose retention had passed, which is deleted",
    "The check keeps those that have a tombstone"
  })
  void an_expired_event_is_deleted_but_not_proved() {
    UUID id = UUID.randomUUID();
    events.put(new InMemoryErasableEvents.Event(id, old, "b", "{}", old, true));

    JsonNode last = operator.eraseAll("{\"ids\":[\"" + id + "\"]}").getLast();

    assertThat(last.get("matched").intValue()).isEqualTo(1);
    assertThat(last.get("erased").intValue()).isZero();
    assertThat(events.stored()).isEmpty();
    assertThat(operator.proof(last).get("count").intValue()).isZero();
  }

  private static String dryRun(String request) {
    return request.substring(0, request.length() - 1) + ",\"dry_run\":true}";
  }

  private UUID putAt(UUID id, Instant createdAt) {
    events.put(event(id, createdAt, createdAt));
    return id;
  }

  private static InMemoryErasableEvents.Event event(UUID id, Instant createdAt, Instant visibleAt) {
    return new InMemoryErasableEvents.Event(id, createdAt, "b", "{}", visibleAt, false);
  }
}
