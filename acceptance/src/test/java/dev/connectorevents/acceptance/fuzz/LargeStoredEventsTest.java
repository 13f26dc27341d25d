package dev.connectorevents.acceptance.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;

import com.fasterxml.jackson.core.JsonToken;
import dev.connectorevents.Promise;
import dev.connectorevents.SideBySide;
import dev.connectorevents.acceptance.service.Nightly;
import dev.connectorevents.dynamodb.erasure.DynamoErasableEvents;
import dev.connectorevents.dynamodb.events.DynamoEventLookup;
import dev.connectorevents.dynamodb.events.DynamoEvents;
import dev.connectorevents.dynamodb.feed.DynamoFeed;
import dev.connectorevents.erasure.ErasableEvent;
import dev.connectorevents.erasure.JsonScalar;
import dev.connectorevents.erasure.PayloadCondition;
import dev.connectorevents.erasure.PayloadConditions;
import dev.connectorevents.event.EventToStore;
import dev.connectorevents.event.LookupOutcome;
import dev.connectorevents.event.Payload;
import dev.connectorevents.event.RetentionRules;
import dev.connectorevents.event.StoreOutcome;
import dev.connectorevents.eventformat.EventJson;
import dev.connectorevents.eventformat.EventRequest;
import dev.connectorevents.http.AnswerSize;
import dev.connectorevents.json.Body;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The worst payloads that the service stores, for each that reads them: the request that stores
 * one, its retry, a read, and the conditions of an erasure. What needs quadratic time or memory
 * exceeds the budget.
 */
class LargeStoredEventsTest {

  private static final int SIZE = Nightly.choose(1 << 18, 1 << 19);

  /** A number takes two bytes in JSON, and hundreds in memory if a condition is about it. */
  private static final long MOST_BYTES_PER_BYTE = 400;

  private static final String ACCENTS = "\u0301\u0323";

  /** A letter of Kirat Rai: two of them are one character in NFC. */
  private static final String VOWEL = "\ud81b\udd67";

  /** As many vowel signs of Tulu-Tigalari as may be folded, and a final of Hangul. */
  private static final String SIGNS = "\ud804\udfc2".repeat(30) + "\u11a8";

  private static final UUID ID = UUID.fromString("0197f3a0-0000-7000-8000-000000000001");
  private static final UUID USER = UUID.fromString("0197f3a0-0000-7000-8000-000000000002");
  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
  private static final int DEEP = 980;

  /**
   * By day, payloads have a quarter of a megabyte; at night, half a megabyte. One has nearly the
   * largest size of all.
   */
  private static Stream<Named<String>> payloads() {
    return Stream.of(
        named("a long name over many numbers", object("n".repeat(SIZE / 2), numbers(SIZE / 4))),
        named("long names in long names", nested("{\"%s\":", "n".repeat(1_000), "1", "}")),
        named("deep arrays around numbers", nested("[", "", numbers(SIZE / 2), "]")),
        named("deep objects around numbers", nested("{\"a\":", "", numbers(SIZE / 2), "}")),
        named("many deep arrays", object("a", array(SIZE / 2 / DEEP, i -> deep("[", "1", "]")))),
        named("numbers", object("a", numbers(SIZE / 2))),
        named("a number of half a million digits", object("a", "1".repeat(SIZE))),
        named(
            "numbers of a thousand digits", object("a", array(SIZE / 1_000, i -> "1".repeat(999)))),
        named("exponents out of range", object("a", array(SIZE / 14, i -> "1E99999999999"))),
        named("a text that shrinks by a thousand", object("a", text("x".repeat(5_800_000)))),
        named("escapes", object("a", text("\\u0149".repeat(SIZE / 6)))),
        named("texts of escapes", object("a", array(SIZE / 600, i -> text("\\u0130".repeat(100))))),
        named("texts that grow in upper case", object("a", texts("\u00df"))),
        named("texts that grow in lower case", object("a", texts("\u0130"))),
        named("texts of capital sigmas", object("a", texts("\u03a3"))),
        named("texts of accents in the wrong order", object("a", texts(ACCENTS))),
        named("one text of them", object("a", text(ACCENTS.repeat(SIZE / 4)))),
        named("a vowel sign that composes with itself", object("a", text(VOWEL.repeat(SIZE)))),
        named("such signs between finals", object("a", text(SIGNS.repeat(SIZE / 31)))),
        named("distinct names", object("a", members(SIZE / 10, i -> "n" + i, "1"))),
        named("names of one hash", object("a", members(1 << 14, i -> sameHash(i), "1"))),
        named("one name", object("a", members(SIZE / 8, i -> "a", "1"))),
        named("members of _meta", object("_meta", members(SIZE / 12, i -> "n" + i, "\"\""))),
        named("names like _meta", members(SIZE / 14, i -> "_meta" + i, "{}")));
  }

  private static String object(String name, String value) {
    return "{\"" + name + "\":" + value + "}";
  }

  private static String members(int count, IntFunction<String> name, String value) {
    return IntStream.range(0, count)
        .mapToObj(i -> "\"" + name.apply(i) + "\":" + value)
        .collect(joining(",", "{", "}"));
  }

  private static String array(int count, IntFunction<String> element) {
    return IntStream.range(0, count).mapToObj(element).collect(joining(",", "[", "]"));
  }

  private static String numbers(int count) {
    return array(count, i -> "1");
  }

  private static String text(String content) {
    return "\"" + content + "\"";
  }

  /** Texts that are short enough for the conditions' case folding. */
  private static String texts(String letters) {
    return array(SIZE / 600, i -> text(letters.repeat(300 / letters.length())));
  }

  private static String deep(String open, String inner, String close) {
    return open.repeat(DEEP) + inner + close.repeat(DEEP);
  }

  private static String nested(String open, String name, String inner, String close) {
    return object("a", deep(open.formatted(name), inner, close));
  }

  /** A name of 28 characters. "Aa" and "BB" have the same hash. */
  private static String sameHash(int number) {
    return IntStream.range(0, 14)
        .mapToObj(bit -> (number >> bit & 1) == 0 ? "Aa" : "BB")
        .collect(joining());
  }

  /** They are about all values of most payloads, and hold for none. */
  private static final PayloadConditions CONDITIONS =
      new PayloadConditions(
          List.of(
              number("/customer/id"),
              number("/a/*"),
              number("/a" + "/*".repeat(DEEP)),
              number("/a" + "/*".repeat(DEEP - 1)),
              number("/a" + "/a".repeat(DEEP)),
              number("/" + "n".repeat(SIZE / 2) + "/*"),
              PayloadCondition.equal("/a/*", JsonScalar.of(JsonToken.VALUE_STRING, "7")),
              PayloadCondition.equalIgnoringCase("/a", "ann.somebody@example.com"),
              PayloadCondition.equalIgnoringCase("/a/*", "ann.somebody@example.com"),
              PayloadCondition.equalIgnoringCase("/_meta/n1", "ann.somebody@example.com"),
              PayloadCondition.contains(Optional.empty(), "ann.somebody@example.com")));

  private static PayloadCondition number(String pointer) {
    return PayloadCondition.equal(pointer, JsonScalar.of(JsonToken.VALUE_NUMBER_INT, "7"));
  }

  @ParameterizedTest
  @MethodSource("payloads")
  @Promise("A call takes at most 45 s, whatever the payloads are")
  void each_reader_of_a_payload_takes_no_more_than_its_size_allows(String payload) {
    byte[] body =
        "{\"event_type\":\"shop.order\",\"idempotency_key\":\"k\",\"payload\":%s}"
            .formatted(payload)
            .getBytes(UTF_8);
    assertThat(body).as("the service accepts it").hasSizeLessThan(6_000_000);
    OneTable table = new OneTable();
    store(body, table);

    Budget.spend(body, () -> assertIs(StoreOutcome.Stored.class, store(body, new OneTable())));
    Budget.spend(body, () -> assertIs(StoreOutcome.Replayed.class, store(body, table)));
    Budget.spend(body, () -> assertThat(read(table)).contains(payload.substring(0, 10)));
    Budget.spend(body, MOST_BYTES_PER_BYTE, () -> assertThat(anyHolds(table)).isFalse());
  }

  private static void assertIs(Class<? extends StoreOutcome> expected, StoreOutcome outcome) {
    assertThat(outcome).isInstanceOf(expected);
  }

  private static StoreOutcome store(byte[] body, OneTable table) {
    Body<EventRequest> read = EventRequest.of(EventFuzzTest.request(body), Optional.empty());
    EventRequest request = ((Body.Read<EventRequest>) read).value();
    return new DynamoEvents(
            table, OneTable.NAME, new Random(), RetentionRules.parse("", Duration.ZERO))
        .store(
            new EventToStore(
                ID,
                request.type(),
                request.delivery(),
                Payload.of(request.payload(), request.type(), UUID::randomUUID, NOW),
                USER,
                Optional.of(request.fingerprint()),
                NOW));
  }

  /** Reads the event as the routes do. Only a large answer is compressed. */
  private static String read(OneTable table) {
    DynamoEventLookup events =
        new DynamoEventLookup(table, OneTable.NAME, InstantSource.fixed(NOW), pause -> {});
    LookupOutcome.Found found = (LookupOutcome.Found) events.find(ID, Optional.empty());
    String text = EventJson.text(found.event());
    assertThat(AnswerSize.exceeds(text)).isFalse();
    return text;
  }

  private static boolean anyHolds(OneTable table) throws IOException {
    DynamoErasableEvents events =
        new DynamoErasableEvents(
            table,
            OneTable.NAME,
            new DynamoFeed(table, "f", new SideBySide(Runnable::run, 2)),
            () -> NOW,
            pause -> {});
    ErasableEvent event = events.read(ID).orElseThrow();
    try (InputStream payload = events.payload(event).orElseThrow()) {
      return CONDITIONS.anyHolds(
          payload, new PayloadConditions.Hints(3), new PayloadConditions.Places());
    }
  }
}
