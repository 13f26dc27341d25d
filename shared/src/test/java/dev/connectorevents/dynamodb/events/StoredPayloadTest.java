package dev.connectorevents.dynamodb.events;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.connectorevents.Gzip;
import dev.connectorevents.Promise;
import dev.connectorevents.dynamodb.FakeDynamoDb;
import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.event.Deliveries;
import dev.connectorevents.event.Delivery;
import dev.connectorevents.event.EventToStore;
import dev.connectorevents.event.EventType;
import dev.connectorevents.event.Fingerprint;
import dev.connectorevents.event.LookupOutcome;
import dev.connectorevents.event.Meta;
import dev.connectorevents.event.Payload;
import dev.connectorevents.event.Payloads;
import dev.connectorevents.event.RetentionRules;
import dev.connectorevents.event.SentPayload;
import dev.connectorevents.event.StoreOutcome;
import dev.connectorevents.event.StoreOutcome.Stored;
import dev.connectorevents.event.StoreOutcome.TooLarge;
import dev.connectorevents.event.StoredEvent;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIf;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Capacity;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;

/**
 * Checks what payloads of many sizes cost in DynamoDB, and that each payload is read back
 * unchanged.
 */
class StoredPayloadTest {

  private static final Duration FOREVER = Duration.ZERO;
  private static final Instant CREATED = Instant.parse("2026-11-20T12:00:00.123Z");

  @AutoClose private static final Stores service = Endpoint.stores(Path.of("../template.yaml"));
  private static final String table = service.name("EventsTable");

  @ParameterizedTest
  @DisabledIfSystemProperty(
      named = Endpoint.PROPERTY,
      matches = ".*",
      disabledReason = "only DynamoDB Local reports the capacity that DynamoDB consumes")
  @CsvSource(
      textBlock =
          """
          # payload bytes, optional fields, brand, key | units at most
             500, SENDING,       true,  true, 1
            2000, NONE,         false, false, 1
            2000, NONE,         false,  true, 1
            2000, NONE,          true,  true, 1
            2000, INSTALLATION, false, false, 1
            2000, INSTALLATION, false,  true, 1
            2000, INSTALLATION,  true, false, 1
          # With these fields, an event of 2,000 bytes needs a second unit.
            2000, INSTALLATION,  true,  true, 2
            2000, SENDING,      false, false, 2
            2000, SENDING,       true,  true, 2
            8000, SENDING,       true,  true, 2
           32000, SENDING,       true,  true, 4
          """)
  void an_event_costs_at_most(
      int payloadBytes, OptionalFields fields, boolean brand, boolean key, double units) {
    String payload = Payloads.webhook(payloadBytes);
    if (brand) {
      payload = payload.replaceFirst("}}$", ",\"brand_id\":\"brand-7\"}}");
    }

    EventToStore toStore = toStore(payload, fields, brand, key);

    assertThat(unitsOf(toStore)).isLessThanOrEqualTo(units);
    assertThat(indexUnits(items(toStore).getFirst())).isEqualTo(brand ? 1 : 0);
  }

  @Test
  @DisabledIfSystemProperty(
      named = Endpoint.PROPERTY,
      matches = ".*",
      disabledReason = "only DynamoDB Local reports the capacity that DynamoDB consumes")
  void only_the_first_item_of_a_large_event_costs_units_of_the_index() {
    EventToStore toStore = toStore(Payloads.random(1_000_000));
    store(toStore);

    assertThat(items(toStore))
        .hasSizeGreaterThan(1)
        .allSatisfy(item -> {
          assertThat(reported(item).table().capacityUnits())
              .isEqualTo((double) ItemSize.units(ItemSize.of(item)));
          assertThat(indexUnits(item)).isEqualTo(item.containsKey("brand_key") ? 1 : 0);
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1_000, 100_000, 390_000, 410_000, 1_000_000, 5_000_000})
  @Promise("stored event, payload compressed")
  void a_payload_reads_back_whole_whatever_its_size(int bytes) {
    assumeFalse(Endpoint.isMoto() && bytes > 300_000, Endpoint.MOTO_ITEM_SIZE);
    for (String payload : new String[] {Payloads.webhook(bytes), Payloads.random(bytes)}) {
      EventToStore toStore = toStore(payload);

      StoreOutcome outcome = store(toStore);

      if (outcome instanceof TooLarge(long size, long limit)) {
        // Only a payload of more than 4 MB may be refused. The refusal names the limit.
        assertThat(size).isGreaterThan(limit);
        assertThat(bytes).isGreaterThan(4_000_000);
        assertThat(count(toStore)).isZero();
      } else {
        assertThat(outcome).isEqualTo(new Stored(toStore.event()));
        assertThat(read(toStore)).isEqualTo(payload.getBytes(UTF_8));
        assertThat(lookup().find(toStore.id(), Optional.empty()))
            .isEqualTo(
                new LookupOutcome.Found(
                    new StoredEvent(toStore.event(), toStore.userId(), payload)));
      }
    }
  }

  @Test
  @DisabledIf(
      value = "dev.connectorevents.emulator.Endpoint#isMoto",
      disabledReason = Endpoint.MOTO_ITEM_SIZE)
  void around_the_item_limit_every_size_reads_back_whole() {
    int limit = (int) ItemSize.LIMIT;
    // Gzip shrinks these payloads to a little more than half, which is about the limit.
    for (int bytes = 2 * limit - 60_000; bytes < 2 * limit - 20_000; bytes += 8_001) {
      EventToStore toStore = toStore(Payloads.random(bytes));
      store(toStore);
      assertThat(read(toStore)).isEqualTo(toStore.payload().text().getBytes(UTF_8));
    }
  }

  /** A walk would need luck: a part must fail while the event is written. */
  @Test
  void the_parts_of_an_event_are_written_in_one_transaction() {
    List<TransactWriteItemsRequest> calls = new ArrayList<>();
    FakeDynamoDb only =
        new FakeDynamoDb() {
          @Override
          public TransactWriteItemsResponse transactWriteItems(TransactWriteItemsRequest request) {
            calls.add(request);
            return TransactWriteItemsResponse.builder().build();
          }
        };
    EventWrite write = SizedEvents.write(UUID.randomUUID(), 1_000_000);

    new DynamoEvents(only, table, new Random(), RetentionRules.parse("", FOREVER)).put(write);

    assertThat(calls).singleElement().extracting(each -> each.transactItems().size()).isEqualTo(11);
  }

  @Test
  void compression_is_used_only_where_it_saves_units() {
    assertThat(EventItem.of(toStore(""), Optional.empty(), 0, Optional.empty()).attributes())
        .doesNotContainKey("payload");
    assertThat(stored(Payloads.webhook(500)).s()).isNotNull();
    assertThat(stored(Payloads.webhook(2_000)).b()).isNotNull();
    assertThat(stored(Payloads.incompressible(1_200)).s()).isNotNull();
  }

  @Test
  @DisabledIf(
      value = "dev.connectorevents.emulator.Endpoint#isMoto",
      disabledReason = Endpoint.MOTO_ITEM_SIZE)
  @Promise("The stored event would exceed 4 MB compressed.")
  void each_size_around_the_largest_transaction_is_stored_or_refused() {
    DynamoEvents events =
        new DynamoEvents(
            service.dynamoDb(), table, new Random(), RetentionRules.parse("", FOREVER));
    for (long size = ItemSize.TRANSACTION_LIMIT - 2; size < (4 << 20) + 3; size++) {
      EventWrite write = SizedEvents.write(UUID.randomUUID(), size);

      assertThat(events.put(write))
          .isInstanceOf(size > ItemSize.TRANSACTION_LIMIT ? TooLarge.class : Stored.class);
    }
  }

  @Test
  @DisabledIf(
      value = "dev.connectorevents.emulator.Endpoint#isMoto",
      disabledReason = Endpoint.MOTO_ITEM_SIZE)
  @Promise("stored event, payload compressed")
  void base64_of_noise_is_stored_up_to_5_4_megabytes() {
    byte[] noise = new byte[5_400_000 / 4 * 3];
    new Random(1).nextBytes(noise);
    String payload = "{\"a\":\"" + Base64.getEncoder().encodeToString(noise) + "\"}";

    assertThat(store(toStore(payload))).isInstanceOf(Stored.class);
  }

  @Test
  @DisabledIf(
      value = "dev.connectorevents.emulator.Endpoint#isMoto",
      disabledReason = Endpoint.MOTO_ITEM_SIZE)
  void all_items_of_an_event_expire_together() {
    EventToStore toStore = toStore(Payloads.random(1_000_000));
    Duration retention = Duration.ofDays(36_500);

    store(toStore, retention);

    long expiry = CREATED.plus(retention).getEpochSecond();
    assertThat(items(toStore))
        .hasSizeGreaterThan(1)
        .allSatisfy(item ->
            assertThat(item).containsEntry("expires_at", AttributeValue.fromN("" + expiry)));
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "99, 99", "'', 0"})
  void the_parts_of_an_event_are_as_many_as_its_item_says(String parts, int ids) {
    Item event =
        new Item().put("id", "i").put("parts", parts.isEmpty() ? null : new BigDecimal(parts));

    assertThat(StoredPayload.partIds(event)).hasSize(ids);
  }

  @ParameterizedTest
  @ValueSource(strings = {"30000000000", "2147483648", "100", "0", "-1", "1.5", "1E+30"})
  void a_number_of_parts_that_is_never_written_is_damage(BigDecimal parts) {
    Item event = new Item().put("id", "i").put("parts", parts);

    assertThatIllegalArgumentException().isThrownBy(() -> StoredPayload.partIds(event));
    assertThat(StoredPayload.erasablePartIds(event)).hasSize(99).contains("i#1", "i#99");
  }

  @Test
  void a_payload_that_unpacks_to_more_than_a_request_has_is_damage() {
    byte[] largest = new byte[6 << 20];
    Item event = new Item().put("id", "i").put("payload", Gzip.compress(largest));
    Item larger =
        new Item().put("id", "i").put("payload", Gzip.compress(new byte[largest.length + 1]));

    assertThat(StoredPayload.text(event, List.of())).hasSize(largest.length);
    assertThatIllegalArgumentException().isThrownBy(() -> StoredPayload.text(larger, List.of()));
  }

  private static DynamoEventLookup lookup() {
    return new DynamoEventLookup(service.dynamoDb(), table, InstantSource.system(), pause -> {});
  }

  private static StoreOutcome store(EventToStore toStore) {
    return store(toStore, FOREVER);
  }

  private static StoreOutcome store(EventToStore toStore, Duration retention) {
    return new DynamoEvents(
            service.dynamoDb(), table, new Random(), RetentionRules.parse("", retention))
        .store(toStore);
  }

  private static double unitsOf(EventToStore toStore) {
    store(toStore);
    return reported(items(toStore).getFirst()).table().capacityUnits();
  }

  /** What DynamoDB reports for this item, written anew: for a transaction it reports less. */
  private static ConsumedCapacity reported(Map<String, AttributeValue> item) {
    Map<String, AttributeValue> key = Map.of("id", requireNonNull(item.get("id")));
    service.dynamoDb().deleteItem(delete -> delete.tableName(table).key(key));
    return service
        .dynamoDb()
        .putItem(put ->
            put.tableName(table).item(item).returnConsumedCapacity(ReturnConsumedCapacity.INDEXES))
        .consumedCapacity();
  }

  private static double indexUnits(Map<String, AttributeValue> item) {
    return reported(item).globalSecondaryIndexes().values().stream()
        .mapToDouble(Capacity::capacityUnits)
        .sum();
  }

  private static AttributeValue stored(String payload) {
    Item head =
        StoredPayload.put(
                EventItem.of(toStore(payload), Optional.empty(), 0, Optional.empty()), payload)
            .getFirst();
    return requireNonNull(head.attributes().get("payload"));
  }

  private static byte[] read(EventToStore toStore) {
    return ReadBack.read(service.dynamoDb(), table, toStore.id().toString());
  }

  private static int count(EventToStore toStore) {
    return items(toStore).size();
  }

  /** Reads all items of an event. Asks for 20 items: the largest event has fewer. */
  private static List<Map<String, AttributeValue>> items(EventToStore toStore) {
    String head = toStore.id().toString();
    List<Map<String, AttributeValue>> keys =
        Stream.concat(Stream.of(head), IntStream.range(1, 20).mapToObj(part -> head + "#" + part))
            .map(id -> Map.of("id", AttributeValue.fromS(id)))
            .toList();
    return requireNonNull(
        service
            .dynamoDb()
            .batchGetItem(get ->
                get.requestItems(
                    Map.of(
                        table,
                        KeysAndAttributes.builder().keys(keys).consistentRead(true).build())))
            .responses()
            .get(table));
  }

  private static EventToStore toStore(String payload) {
    return toStore(payload, OptionalFields.NONE, true, true);
  }

  private static EventToStore toStore(
      String payload, OptionalFields fields, boolean brand, boolean key) {
    Map<String, String> meta = brand ? Map.of("brand_id", "brand-7") : Map.of();
    EventType type = new EventType("shopify.orders/create");
    Fingerprint fingerprint =
        Fingerprint.of(type, null, new SentPayload(payload, false, Optional.empty()));
    return new EventToStore(
        UUID.randomUUID(),
        type,
        fields.delivery(),
        new Payload(payload, new Meta(meta)),
        UUID.randomUUID(),
        key ? Optional.of(fingerprint) : Optional.empty(),
        CREATED);
  }

  /** A selection of the optional fields that a connector may send. */
  enum OptionalFields {
    NONE,
    INSTALLATION,
    SENDING;

    Delivery delivery() {
      return switch (this) {
        case NONE -> Deliveries.NONE;
        case INSTALLATION -> new Delivery(42L, null, null, null, null, null);
        case SENDING ->
            new Delivery(42L, "received", null, 1, Instant.parse("2026-11-20T11:59:59.250Z"), null);
      };
    }
  }
}
