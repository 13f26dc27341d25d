package dev.connectorevents.functions.operators.find;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.AdjustableClock;
import dev.connectorevents.Promise;
import dev.connectorevents.erasure.ErasureLedger;
import dev.connectorevents.erasure.Erasures;
import dev.connectorevents.event.EventType;
import dev.connectorevents.feed.BrandHash;
import dev.connectorevents.feed.FeedEntry;
import dev.connectorevents.feed.InMemoryFeed;
import dev.connectorevents.feed.ItemVersion;
import dev.connectorevents.feed.Whole;
import dev.connectorevents.functions.InMemoryErasableEvents;
import dev.connectorevents.functions.InMemoryErasableEvents.Event;
import dev.connectorevents.functions.InMemoryLedger;
import dev.connectorevents.functions.OperatorCalls;
import dev.connectorevents.functions.operators.OperatorEvent;
import dev.connectorevents.json.Body;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the function {@code findevents} finds and shows. It changes nothing. */
class FindEventsFunctionTest {

  private static final String BRAND = "{\"brand_id\":\"b\"}";
  private static final String SENDER =
      """
      {"user_id":"%s","from":"2026-11-20T11:00:00Z","to":"2026-11-20T12:00:00Z"}\
      """
          .formatted(InMemoryErasableEvents.USER);

  private final AdjustableClock clock = new AdjustableClock("2026-11-20T12:00:00Z");
  private final InMemoryErasableEvents events = new InMemoryErasableEvents(clock);
  private final InMemoryLedger ledger = new InMemoryLedger();
  private final InMemoryFeed feed = new InMemoryFeed();
  private final OperatorCalls operator =
      new OperatorCalls(FindEventsFunction.handler(events, feed, ledger, clock));

  @Test
  @Promise("finds the events, changes nothing, writes no proof and never waits")
  void a_search_says_what_it_has_found_and_read_and_writes_nothing() {
    UUID id = events.put("b", "{}");
    events.put("c", "{}");

    assertThat(operator.call(BRAND))
        .hasToString("{\"matched\":1,\"searched\":1,\"read_units\":1.0,\"ids\":[\"" + id + "\"]}");
    assertThat(operator.call(BRAND.replace("}", ",\"scan\":true}")).get("searched").intValue())
        .isEqualTo(2);
    assertThat(events.stored()).hasSize(2);
    assertThat(ledger.erasures).isEmpty();
    assertThat(ledger.ids()).isEmpty();
  }

  @Test
  void a_search_beside_a_brand_finds_what_has_none() {
    events.put("b", "{}");
    UUID without = events.put("", "{\"a\":1}");
    events.put("", "{}");
    String request = "{\"brand_id\":\"%s\",\"without_brand\":true%s}";

    assertThat(operator.call(request.formatted("b", "")).get("matched").intValue()).isEqualTo(2);
    assertThat(operator.lastLine().get("selector").textValue()).isEqualTo("without_brand");
    String where = ",\"where\":[{\"pointer\":\"/a\",\"equals\":1}]";
    assertThat(ids(operator.call(request.formatted("b", where))))
        .containsExactly(without.toString());
    assertThat(ids(operator.call(request.formatted("c", "")))).isEmpty();
  }

  @Test
  void a_search_reads_index_and_feed_as_they_are_and_never_waits() {
    UUID visible = events.put("b", "{}");
    UUID late = UUID.randomUUID();
    Instant created = clock.instant().minusMillis(1);
    events.put(new Event(late, created, "b", "{}", clock.instant().plusSeconds(10), false));

    for (String request : List.of(BRAND, SENDER)) {
      assertThat(ids(operator.call(request))).containsExactly(visible.toString());
      assertThat(ids(operator.call(request.replaceFirst("[}]$", ",\"scan\":true}"))))
          .containsExactlyInAnyOrder(visible.toString(), late.toString());
    }
  }

  @Test
  @Promise("the events that this call has found, at most 1,000")
  void a_call_names_at_most_a_thousand_ids_and_the_next_one_goes_on() {
    Set<String> all =
        IntStream.range(0, 2_350)
            .mapToObj(i -> events.put("b", "{}").toString())
            .collect(Collectors.toSet());
    List<String> ids = new ArrayList<>();
    JsonNode answer = operator.call(BRAND);
    ids.addAll(ids(answer));
    while (answer.has("next")) {
      answer = operator.next(BRAND, answer);
      assertThat(ids(answer)).hasSizeLessThanOrEqualTo(1_000);
      ids.addAll(ids(answer));
    }

    assertThat(ids).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(all);
  }

  @Test
  void a_call_ends_within_a_page_and_the_next_one_goes_on() {
    String request = "{\"brand_id\":\"b\",\"where\":[{\"pointer\":\"/a\",\"equals\":1}]}";
    IntStream.range(0, 3).forEach(i -> events.put("b", "{\"a\":1}"));
    events.payloads =
        payload -> {
          clock.advance(Duration.ofSeconds(25));
          return payload;
        };

    JsonNode first = operator.call(request);

    assertThat(ids(first)).hasSize(1);
    assertThat(ids(operator.next(request, first)))
        .hasSize(1)
        .doesNotContainAnyElementsOf(ids(first));
  }

  @Test
  void an_event_that_cannot_be_judged_is_named() {
    UUID damaged = events.put("b", "{\"a\":");

    JsonNode answer =
        operator.call("{\"brand_id\":\"b\",\"where\":[{\"pointer\":\"/a\",\"equals\":1}]}");

    assertThat(answer.get("not_judged")).hasToString("[\"" + damaged + "\"]");
    assertThat(operator.lastLine().get("not_judged").intValue()).isEqualTo(1);
  }

  @Test
  @Promise("A search that finds nothing names in `hints` what an event has instead")
  void a_search_that_finds_nothing_says_what_would_have() {
    events.put("b", "{\"to\":[{\"id\":55,\"mail\":\"Ann@x.com\"}],\"id\":\"56\",\"nr\":\"57\"}");
    String where =
        """
        {"where":[{"pointer":"/to/*/id","equals":"55"},{"pointer":"/to/*/mail","equals":"ann@x.com"},
                  {"pointer":"/id","equals":56},{"pointer":"/nr","equals":57}]}\
        """;

    JsonNode answer = operator.call(where);

    assertThat(answer.get("hints").valueStream().map(JsonNode::textValue))
        .containsExactlyInAnyOrder(
            "an event has it as a number: {\"pointer\":\"/to/*/id\",\"equals\":55}",
            "an event has it in another case or form:"
                + " {\"pointer\":\"/to/*/mail\",\"equals_ignoring_case\":\"ann@x.com\"}",
            "an event has it as a string: {\"pointer\":\"/id\",\"equals\":\"56\"}");

    events.put("b", "{\"id\":56}");

    assertThat(operator.call(where).has("hints")).isFalse();
  }

  @Test
  @Promise("how many events this call has looked at")
  void a_search_may_look_at_a_time_and_says_what_it_has_searched() {
    UUID early = events.put("b", "{\"a\":\"ann@x.com\"}");
    clock.advance(Duration.ofHours(1));
    UUID late = events.put("b", "{\"a\":\"ann@x.com\"}");
    events.put("b", "{\"a\":\"zoe@x.com\"}");
    clock.advance(Duration.ofHours(1));
    String times = "{\"where\":[{\"contains\":\"ann@x.com\"}]%s}";

    JsonNode fromNoon = operator.call(times.formatted(",\"from\":\"2026-11-20T12:00:00Z\""));
    JsonNode toNoon =
        operator.call(times.formatted(",\"brand_id\":\"b\",\"to\":\"2026-11-20T12:00:00Z\""));

    assertThat(fromNoon.get("ids").valueStream().map(JsonNode::textValue))
        .containsExactly(late.toString());
    assertThat(fromNoon.get("searched").intValue()).isEqualTo(2);
    assertThat(toNoon.get("ids").valueStream().map(JsonNode::textValue))
        .containsExactly(early.toString());
    assertThat(toNoon.get("searched").intValue()).isEqualTo(1);
  }

  @Test
  @Promise("A search with a `contains` says where its events match")
  void a_search_says_where_it_has_found_a_text() {
    UUID first = events.put("b", "{\"to\":[{\"mail\":\"Ann@x.com\"},{\"mail\":\"ann@x.com\"}]}");
    UUID second = events.put("b", "{\"to\":[{\"mail\":\"ann@x.com\"}],\"text\":\"ask ann@x.com\"}");
    events.put("b", "{\"ann@x.com\":1}");
    String where = "{\"where\":[{\"contains\":\"ann@x.com\"}]}";

    JsonNode answer = operator.call(where);

    assertThat(answer.get("ids").valueStream().map(JsonNode::textValue))
        .containsExactlyInAnyOrder(first.toString(), second.toString());
    String type = "shopify.orders/create";
    assertThat(answer.get("places"))
        .hasToString(
            "[{\"event_type\":\"%1$s\",\"pointer\":\"/to/*/mail\",\"events\":2},{\"event_type\":\"%1$s\",\"pointer\":\"/text\",\"events\":1}]"
                .formatted(type));
    assertThat(answer.has("more_places")).isFalse();
  }

  @Test
  void of_the_places_of_a_call_the_most_frequent_are_named() {
    for (int i = 0; i < 25; i++) {
      events.put("b", "{\"n" + i + "\":\"ann@x.com\"}");
    }
    events.put("b", "{\"n24\":\"ann@x.com\"}");

    JsonNode answer = operator.call("{\"where\":[{\"contains\":\"ann@x.com\"}]}");

    assertThat(answer.get("places")).hasSize(20);
    // Places with equally many events are in the order of their texts.
    assertThat(answer.get("places").findValuesAsText("pointer"))
        .startsWith("/n24", "/n0", "/n10", "/n11");
    assertThat(answer.get("more_places").booleanValue()).isTrue();
    assertThat(operator.call("{\"where\":[{\"pointer\":\"/n1\",\"equals\":1}]}").has("places"))
        .isFalse();
  }

  @Test
  void a_search_logs_what_it_was_asked_but_no_value() {
    events.put("secret", "{\"a\":\"secret\"}");
    operator.call(
        "{\"brand_id\":\"secret\",\"where\":[{\"pointer\":\"/a\",\"equals\":\"secret\"},"
            + "{\"contains\":\"secret\"}]}");

    assertThat(operator.log()).doesNotContain("secret");
    assertThat(operator.lastLine().get("selector").textValue()).isEqualTo("brand_id");
    assertThat(operator.lastLine().get("pointers")).hasToString("[\"/a\",\"\"]");
    assertThat(operator.lastLine().get("matched").intValue()).isEqualTo(1);
    assertThat(operator.lastLine().get("read_units").intValue()).isEqualTo(1);
  }

  @Test
  @Promise("Returns the proof of the erasure with this id")
  void proofs_can_be_shown_and_listed_in_pages() {
    for (int i = 0; i <= InMemoryLedger.PROOFS_OF_A_PAGE; i++) {
      begin(new UUID(0x7000, i));
    }

    JsonNode first = operator.call("{\"list\":true}");
    JsonNode last = operator.next("{\"list\":true}", first);

    assertThat(first.get("erasures")).hasSize(InMemoryLedger.PROOFS_OF_A_PAGE);
    assertThat(last.get("erasures")).hasSize(1);
    assertThat(last.has("next")).isFalse();
    JsonNode listed = first.at("/erasures/0");
    String show = "{\"show\":\"" + listed.get("erasure_id").textValue() + "\"}";
    assertThat(operator.call(show).get("erasure")).isEqualTo(listed);
    assertThat(operator.call("{\"show\":\"" + UUID.randomUUID() + "\"}").get("code").textValue())
        .isEqualTo("not_found");
  }

  @Test
  @Promise("`ids` of a step that is not closed are those to be erased")
  void the_ids_of_a_proof_are_shown_step_by_step() {
    UUID erasure = new UUID(0x7000, 1);
    UUID erased = UUID.randomUUID();
    UUID toErase = UUID.randomUUID();
    UUID named = UUID.randomUUID();
    begin(erasure);
    String show = "{\"show\":\"" + erasure + "\",\"ids\":true}";
    String none = operator.call(show).toString();
    ledger.add(erasure, 1, step(Set.of(erased, UUID.randomUUID()), Set.of(), Optional.of("x")));
    ledger.close(erasure, 1, Set.of(erased), ErasureLedger.Closed.NOTHING.plus(Set.of(erased)));
    ledger.add(erasure, 2, step(Set.of(toErase), Set.of(named), Optional.of("y")));

    JsonNode first = operator.call(show);
    JsonNode second = operator.next(show, first);

    String proof = operator.call(show.replace(",\"ids\":true", "")).toString();
    assertThat(none).isEqualTo(proof.replaceFirst("}$", ",\"ids\":[]}"));
    assertThat(first)
        .hasToString(
            proof.replaceFirst("}$", ",\"ids\":[\"%s\"],\"next\":\"2\"}".formatted(erased)));
    assertThat(second.get("ids")).hasToString("[\"" + toErase + "\"]");
    assertThat(second.get("named")).hasToString("[\"" + named + "\"]");
    assertThat(second.get("next").textValue()).isEqualTo("3");
    assertThat(operator.next(show, second)).hasToString(none); // nobody has taken this step yet
    assertThat(operator.call(show.replace("7000", "7001")).get("code").textValue())
        .isEqualTo("not_found");
  }

  private static ErasureLedger.Step step(Set<UUID> ids, Set<UUID> named, Optional<String> next) {
    return new ErasureLedger.Step(ids, Set.of(), named, next);
  }

  private void begin(UUID id) {
    ledger.begin(Erasures.begun(id, Optional.of("a request"), clock.instant()));
  }

  @Test
  @Promise("if the search has read the feed")
  void what_the_feed_holds_is_said_by_who_reads_it_and_never_of_another_feed() {
    feed.append(clock.instant(), event());
    feed.replace(
        Optional.empty(),
        new Whole(
            Optional.of("00c0ffee"),
            "stream",
            1,
            clock.instant(),
            1,
            Optional.of(new Whole.Gap(Instant.EPOCH, clock.instant().minusSeconds(9)))));
    String withoutBrand = "{\"brand_id\":\"b\",\"without_brand\":true}";

    for (String request : List.of(SENDER, withoutBrand)) {
      JsonNode answer = operator.call(request);
      assertThat(answer.get("whole_since").textValue()).isEqualTo("2026-11-20T11:59:51.000Z");
      assertThat(answer.get("whole_until").textValue()).isEqualTo("2026-11-20T12:00:00.000Z");
    }
    for (String request :
        List.of(
            BRAND,
            SENDER.replaceFirst("[}]$", ",\"scan\":true}"),
            "{\"ids\":[\"%s\"]}".formatted(new UUID(1, 2)))) {
      assertThat(operator.call(request).has("whole_until")).as(request).isFalse();
    }
    Optional<Whole> known = feed.whole();
    feed.lose();
    feed.replace(Optional.empty(), known.orElseThrow());
    assertThat(operator.call(SENDER).has("whole_until")).isFalse();
  }

  @Test
  void the_entries_of_the_feed_are_found_also_of_what_is_gone() {
    UUID id = UUID.randomUUID();
    UUID user = new UUID(1, 2);
    ItemVersion version = new ItemVersion(id, Instant.EPOCH, Optional.empty());
    Instant now = clock.instant();
    feed.append(now, event(), event());
    feed.append(
        now,
        new FeedEntry.OfEvent(
            version, new EventType("a.b"), user, Optional.of(BrandHash.of("acme"))),
        new FeedEntry.OfErasure(new ItemVersion(id, now, Optional.empty())));
    String ofId = "{\"entries\":true,\"ids\":[\"%s\"]%s}";

    JsonNode answer = operator.call(ofId.formatted(id, ""));

    assertThat(answer)
        .hasToString(
            """
            {"feed":"00c0ffee","head":4,"searched":4,"entries":[\
            {"position":3,"numbered_at":"2026-11-20T12:00:00.000Z","id":"%1$s",\
            "created_at":"1970-01-01T00:00:00.000Z","event_type":"a.b","user_id":"%2$s","brand_hash":"822b"},\
            {"position":4,"numbered_at":"2026-11-20T12:00:00.000Z","id":"%1$s",\
            "erased_at":"2026-11-20T12:00:00.000Z"}]}\
            """
                .formatted(id, user));
    assertThat(operator.lastLine().get("matched").intValue()).isEqualTo(2);
    assertThat(operator.lastLine().get("searched").intValue()).isEqualTo(4);
    assertThat(operator.lastLine().toString()).doesNotContain(id.toString());
    String window = "{\"entries\":true,\"next\":\"00c0ffee-1\",\"until\":3}";
    assertThat(operator.call(window).get("entries").findValuesAsText("position"))
        .containsExactly("2", "3");
    assertThat(operator.call(window.replace("3}", "3000000000}")).get("entries"))
        .as("a position may be larger than an int")
        .hasSize(3);
    String later = ",\"from\":\"2026-11-20T12:02:00Z\"";
    assertThat(operator.call(ofId.formatted(id, later)).get("searched").intValue()).isZero();
    for (String next : List.of("00c0ffef-1", "00c0ffee-5")) {
      String other = window.replace("00c0ffee-1", next);
      assertThat(operator.call(other).at("/errors/0/pointer").textValue()).isEqualTo("/next");
    }
  }

  @Test
  void more_entries_than_a_call_names_are_found_by_the_next_one() {
    IntStream.range(0, 11)
        .forEach(i ->
            feed.append(
                clock.instant(),
                Stream.generate(FindEventsFunctionTest::event)
                    .limit(1_000)
                    .toArray(FeedEntry[]::new)));
    String all = "{\"entries\":true}";

    JsonNode first = operator.call(all);

    assertThat(first.get("entries")).hasSize(10_000);
    assertThat(first.get("next").textValue()).isEqualTo("00c0ffee-10000");
    JsonNode last = operator.next(all, first);
    assertThat(last.get("entries")).hasSize(1_000);
    assertThat(last.has("next")).isFalse();
  }

  @Test
  void what_is_stored_under_an_id_is_shown_without_its_payload() {
    UUID id = events.put("b", "{\"a\":\"secret\"}");
    UUID erased = events.put("b", "{}");
    events.erase(events.read(erased).orElseThrow(), UUID.randomUUID());
    String look = "{\"event\":\"%s\"}";

    assertThat(operator.call(look.formatted(id)))
        .hasToString(
            """
            {"event":{"event_type":"shopify.orders/create","user_id":"%s",\
            "created_at":"2026-11-20T11:00:00.000Z","has_brand":true,"bytes":14,"items":1}}\
            """
                .formatted(InMemoryErasableEvents.USER));
    assertThat(operator.call(look.formatted(erased)))
        .hasToString(
            "{\"event\":{\"erased_at\":\"2026-11-20T12:00:00.000Z\",\"erasure_id\":\"%s\"}}"
                .formatted(InMemoryErasableEvents.ERASURE));
    assertThat(operator.call(look.formatted(UUID.randomUUID()))).hasToString("{}");
    assertThat(operator.lastLine().has("event_id")).isTrue();
  }

  private static FeedEntry event() {
    ItemVersion version = new ItemVersion(UUID.randomUUID(), Instant.EPOCH, Optional.empty());
    return new FeedEntry.OfEvent(version, new EventType("a.b"), new UUID(1, 2), Optional.empty());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {}                                                     | ``
          {"brand_id":"b","reason":"x"}                          | /reason
          {"brand_id":"b","dry_run":true}                        | /dry_run
          {"brand_id":"b","from":"2026-11-20T09:00:00Z","to":"2026-11-20T09:00:00Z"} | /to
          {"brand_id":"b","from":"2026-11-20","to":null}         | /from /to
          {"brand_id":"b","next":"x"}                            | /next
          {"brand_id":"b","without_brand":false}                 | /without_brand
          {"brand_id":"b","without_brand":true,"scan":true}      | /without_brand
          {"where":[{"contains":"abc"}],"without_brand":true}    | /without_brand
          {"show":"x"}                                           | /show
          {"show":"0197f3a0-0000-7000-8000-000000000001","brand_id":"b"} | /brand_id
          {"show":"0197f3a0-0000-7000-8000-000000000001","ids":false}    | /ids
          {"show":"0197f3a0-0000-7000-8000-000000000001","next":"2"}     | /next
          {"show":"0197f3a0-0000-7000-8000-000000000001","ids":true,"next":"0"} | /next
          {"show":"0197f3a0-0000-7000-8000-000000000001","ids":true,"next":2}   | /next
          {"show":"0197f3a0-0000-7000-8000-000000000001","ids":true,"next":"12345678"} | /next
          {"show":"0197f3a0-0000-7000-8000-000000000001","ids":true,"next":null} | /next
          {"list":false}                                         | /list
          {"list":1}                                             | /list
          {"list":"true"}                                        | /list
          {"list":true,"brand_id":"b"}                           | /brand_id
          {"list":true,"next":""}                                | /next
          {"list":true,"next":1}                                 | /next
          {"feed":true}                                          | ` /feed`
          {"entries":false}                                      | /entries
          {"entries":true,"ids":[]}                              | /ids
          {"entries":true,"ids":["x"]}                           | /ids/0
          {"entries":true,"from":"2026","until":"x","next":"x"}  | /from /until /next
          {"entries":true,"brand_id":"b"}                        | /brand_id
          {"event":"x"}                                          | /event
          {"event":"0197f3a0-0000-7000-8000-000000000001","next":"x"} | /next
          """)
  void a_slip_is_named(String request, String pointers) {
    assertThat(operator.call(request).get("errors").findValuesAsText("pointer"))
        .containsExactly(pointers.split(" ", -1));
  }

  @Test
  void a_next_of_another_search_is_refused() {
    IntStream.range(0, 1_001).forEach(i -> events.put("b", "{}"));
    JsonNode first = operator.call(BRAND);

    assertThat(operator.next("{\"brand_id\":\"c\"}", first).at("/errors/0/pointer").textValue())
        .isEqualTo("/next");
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-20T12:00:00Z, nowhere",
    "-1000000000-01-01T00:00:00Z, 0197f3a0-0000-7000-8000-000000000001",
    "'', 0197f3a0-0000-7000-8000-000000000001"
  })
  void a_next_that_somebody_has_made_up_is_refused_with_its_checksum_too(
      String begun, String page) {
    Body<?> body = OperatorEvent.read(BRAND.getBytes(UTF_8), FindEventsRequest::read);
    String digest = ((FindEventsRequest.Find) ((Body.Read<?>) body).value()).digest();

    JsonNode answer =
        operator.call(
            OperatorCalls.with(BRAND, FindEventsRequest.Find.Place.text(begun, page, digest)));

    assertThat(answer.at("/errors/0/pointer").textValue()).as("" + answer).isEqualTo("/next");
  }

  @Test
  void a_search_that_began_tomorrow_began_now() {
    UUID id = events.put("b", "{}");
    Body<?> body = OperatorEvent.read(BRAND.getBytes(UTF_8), FindEventsRequest::read);
    String digest = ((FindEventsRequest.Find) ((Body.Read<?>) body).value()).digest();
    String next =
        FindEventsRequest.Find.Place.text(
            Instant.MAX.toString(), new UUID(Long.MIN_VALUE, 0).toString(), digest);

    assertThat(ids(operator.call(OperatorCalls.with(BRAND, next)))).containsExactly("" + id);
  }

  private static List<String> ids(JsonNode answer) {
    return answer.get("ids").valueStream().map(JsonNode::textValue).toList();
  }
}
