package dev.connectorevents.dynamodb.events;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.event.Deliveries;
import dev.connectorevents.event.EventToStore;
import dev.connectorevents.event.EventType;
import dev.connectorevents.event.Events;
import dev.connectorevents.event.EventsTest;
import dev.connectorevents.event.Fingerprint;
import dev.connectorevents.event.Meta;
import dev.connectorevents.event.Payload;
import dev.connectorevents.event.Payloads;
import dev.connectorevents.event.RetentionRules;
import dev.connectorevents.event.SentPayload;
import dev.connectorevents.event.StoreOutcome;
import dev.connectorevents.event.WebhookEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class DynamoEventsTest extends EventsTest {

  private static final Instant CREATED = Instant.parse("2026-11-20T12:00:00Z");
  private static final UUID USER = UUID.randomUUID();

  /** So far ahead that DynamoDB does not delete an event as expired. */
  private static final Duration CENTURY = Duration.ofDays(36_525);

  @AutoClose private static final Stores service = Endpoint.stores(Path.of("../template.yaml"));
  private static final String table = service.name("EventsTable");
  private final DynamoEvents events = events(new Random(1), Duration.ZERO);
  private static final Tombstones tombstones = new Tombstones(service.dynamoDb(), table);

  @Override
  protected Events store() {
    return events;
  }

  @Override
  protected String payload(UUID id) {
    return new String(ReadBack.read(service.dynamoDb(), table, id.toString()), UTF_8);
  }

  @Override
  protected void erase(UUID id) {
    tombstones.put(id);
  }

  @Test
  void an_event_is_stored_with_all_its_fields() {
    WebhookEvent full =
        new WebhookEvent(
            UUID.randomUUID(), new EventType("shopify.orders/create"), Deliveries.FULL, CREATED);

    assertThat(events.store(toStore(full, "{\"n\":1.0}"))).isEqualTo(new StoreOutcome.Stored(full));

    Item item = read(full.id());
    assertThat(item.text("payload")).isEqualTo("{\"n\":1.0}");
    assertThat(HexFormat.of().formatHex(item.bytes("user_id")))
        .isEqualTo(USER.toString().replace("-", ""));
    assertThat(EventItem.event(item)).isEqualTo(full);
  }

  @Test
  @Promise("Send the same request again under the same `Idempotency-Key`.")
  void a_write_that_is_tried_again_because_its_answer_was_lost_is_the_first_one() {
    WebhookEvent event = event(UUID.randomUUID(), CREATED);
    // Both stores draw the same random numbers, so the second write repeats the first.
    DynamoEvents first = events(new Random(2), Duration.ZERO);
    DynamoEvents again = events(new Random(2), Duration.ZERO);

    first.store(toStore(event, "{\"a\":1}"));

    assertThat(again.store(toStore(event, "{\"a\":1}"))).isEqualTo(new StoreOutcome.Stored(event));
  }

  @ParameterizedTest
  @CsvSource({"100, 100", "100, 1000000", "1000000, 100", "1000000, 900000"})
  @DisabledIf(
      value = "dev.connectorevents.emulator.Endpoint#isMoto",
      disabledReason = Endpoint.MOTO_ITEM_SIZE)
  @Promise("An event past its date is gone for every reader, and its key is free.")
  void an_event_whose_retention_has_passed_no_longer_holds_its_key(int bytes, int nextBytes) {
    Duration retention = Duration.ofDays(1);
    DynamoEvents expiring = events(new Random(), retention);
    clock.advance(CENTURY);
    WebhookEvent first = event(UUID.randomUUID(), clock.instant());
    WebhookEvent next = event(first.id(), first.createdAt().plus(retention));
    EventToStore sentAgain = toStore(next, Payloads.random(nextBytes));

    expiring.store(toStore(first, Payloads.random(bytes)));

    clock.advance(retention.minusSeconds(1));
    WebhookEvent early = event(first.id(), clock.instant());
    assertThat(expiring.store(toStore(early, "{}"))).isEqualTo(new StoreOutcome.KeyReused(first));
    clock.advance(Duration.ofSeconds(1));
    assertThat(expiring.store(sentAgain)).isEqualTo(new StoreOutcome.Stored(next));
    assertThat(expiring.store(sentAgain)).isEqualTo(new StoreOutcome.Replayed(next));
    assertThat(ReadBack.read(service.dynamoDb(), table, next.id().toString()))
        .isEqualTo(sentAgain.payload().text().getBytes(UTF_8));
  }

  @ParameterizedTest
  @CsvSource({"*=1, 86400", "*=0, 0", "other.type=1, 0", "*=1;github.*=2, 172800"})
  @Promise("**A change applies to new events.**")
  void an_event_expires_by_the_rule_of_its_type(String rules, long seconds) {
    RetentionRules retention = RetentionRules.parse(rules.replace(';', ','), Duration.ZERO);
    clock.advance(CENTURY);
    Instant created = clock.instant();
    WebhookEvent event = event(UUID.randomUUID(), created);

    events(new Random(), retention).store(toStore(event, "{}"));

    assertThat(read(event.id()).number("expires_at", created.getEpochSecond()))
        .isEqualTo(created.getEpochSecond() + seconds);
  }

  @ParameterizedTest
  @CsvSource({"100, 100", "100, 1000000", "1000000, 1000000", "1000000, 100"})
  @DisabledIf(
      value = "dev.connectorevents.emulator.Endpoint#isMoto",
      disabledReason = Endpoint.MOTO_ITEM_SIZE)
  @Promise("The key of an erased event is refused for ever.")
  void the_key_of_an_erased_event_is_refused_for_ever_whatever_its_retention(
      int bytes, int nextBytes) {
    Duration retention = Duration.ofDays(1);
    DynamoEvents expiring = events(new Random(), retention);
    WebhookEvent first = event(UUID.randomUUID(), CREATED);
    expiring.store(toStore(first, Payloads.random(bytes)));
    tombstones.put(first.id());
    Map<String, AttributeValue> tombstone = tombstones.item(first.id());

    for (Duration later : List.of(Duration.ZERO, retention.multipliedBy(40_000))) {
      clock.advance(later);
      for (int size : List.of(bytes, nextBytes)) {
        WebhookEvent again = event(first.id(), clock.instant());
        EventToStore sentAgain = toStore(again, Payloads.random(size));
        assertThat(expiring.store(sentAgain)).isEqualTo(new StoreOutcome.Erased());
        assertThat(events.store(sentAgain)).isEqualTo(new StoreOutcome.Erased());
      }
    }
    assertThat(tombstones.item(first.id())).isEqualTo(tombstone);
  }

  @Test
  void no_event_takes_the_place_of_a_tombstone_that_has_an_end() {
    clock.advance(CENTURY);
    WebhookEvent event = event(UUID.randomUUID(), clock.instant());
    events.store(toStore(event, "{}"));
    // The tombstone has ended, but so far ahead that DynamoDB does not delete it.
    tombstones.put(event.id(), clock.instant().minusSeconds(1));

    assertThat(events.store(toStore(event, "{}"))).isEqualTo(new StoreOutcome.Erased());
  }

  /**
   * An id follows from the user's id and the {@code Idempotency-Key}. So a sender who knows its
   * user id can choose ids by trying keys: the lane must not depend on the id.
   */
  @Test
  void ids_that_a_sender_has_chosen_do_not_choose_the_lane() {
    DynamoEvents drawing = events(new Random(1), Duration.ZERO);
    Set<String> lanes = new HashSet<>();
    Payload ofBrand = new Payload("{}", new Meta(Map.of("brand_id", "7")));
    for (int i = 0; i < 40; i++) {
      WebhookEvent event = event(new UUID(i, 0x8000_0000_0000_0000L), CREATED);
      drawing.store(toStore(event, ofBrand, Optional.empty()));
      lanes.add(read(event.id()).text("brand_key"));
    }
    assertThat(lanes).hasSize(BrandIndex.LANES);
  }

  /** Each character has one byte more than the one before, in UTF-8. */
  @ParameterizedTest
  @ValueSource(strings = {"b", "é", "你", "😀"})
  void what_lists_are_filtered_by_costs_no_further_write_unit(String character) {
    String type = "a." + "t".repeat(253);
    WebhookEvent event =
        new WebhookEvent(UUID.randomUUID(), new EventType(type), Deliveries.NONE, CREATED);
    Payload payload = new Payload("{}", new Meta(Map.of("brand_id", character.repeat(500))));
    Item item =
        EventItem.of(
            toStore(event, payload, Optional.empty()), Optional.empty(), 7, Optional.empty());

    assertThat(units(item, "id", "created_at", "brand_key", "event_type", "user_id"))
        .isEqualTo(units(item, "id", "created_at", "brand_key"));
  }

  private static long units(Item item, String... attributes) {
    Item entry = new Item();
    for (String attribute : attributes) {
      entry.copy(attribute, item);
    }
    return ItemSize.units(ItemSize.of(entry));
  }

  @Test
  void a_brand_that_can_be_no_key_is_stored_and_not_indexed() {
    for (String brand : List.of("b".repeat(2_047), "\ud800")) {
      WebhookEvent event = event(UUID.randomUUID(), CREATED);
      Payload payload = new Payload("{}", new Meta(Map.of("brand_id", brand)));

      assertThat(events.store(toStore(event, payload, Optional.empty())))
          .isInstanceOf(StoreOutcome.Stored.class);
      assertThat(read(event.id()).attributes()).doesNotContainKey("brand_key");
    }
  }

  private static Item read(UUID id) {
    return new Item(tombstones.item(id));
  }

  private static EventToStore toStore(WebhookEvent event, String payload) {
    Fingerprint fingerprint =
        Fingerprint.of(event.type(), null, new SentPayload(payload, false, Optional.empty()));
    return toStore(event, new Payload(payload, new Meta(Map.of())), Optional.of(fingerprint));
  }

  private static EventToStore toStore(
      WebhookEvent event, Payload payload, Optional<Fingerprint> fingerprint) {
    return new EventToStore(
        event.id(), event.type(), event.delivery(), payload, USER, fingerprint, event.createdAt());
  }

  private static DynamoEvents events(RandomGenerator random, Duration retention) {
    return events(random, RetentionRules.parse("", retention));
  }

  private static DynamoEvents events(RandomGenerator random, RetentionRules retention) {
    return new DynamoEvents(service.dynamoDb(), table, random, retention);
  }

  private static WebhookEvent event(UUID id, Instant created) {
    return new WebhookEvent(id, new EventType("github.push"), Deliveries.NONE, created);
  }
}
