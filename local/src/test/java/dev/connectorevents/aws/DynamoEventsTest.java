package dev.connectorevents.aws;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.event.EventType;
import dev.connectorevents.event.Fingerprint;
import dev.connectorevents.event.Meta;
import dev.connectorevents.event.Payload;
import dev.connectorevents.event.StoreOutcome;
import dev.connectorevents.event.Submission;
import dev.connectorevents.event.WebhookEvent;
import dev.connectorevents.local.Endpoint;
import dev.connectorevents.local.LocalService;
import java.io.IOException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The events' store in DynamoDB, in the tables that the template describes. */
class DynamoEventsTest {

  private static final Instant CREATED = Instant.parse("2026-11-20T12:00:00Z");
  private static final UUID USER = UUID.randomUUID();

  private static LocalService service;
  private static String table;
  private static DynamoEvents events;

  @BeforeAll
  static void start() throws IOException {
    service = LocalService.start(Endpoint.options(Map.of()));
    table = service.name("EventsTable");
    events = new DynamoEvents(service.dynamoDb(), table, new Random(1));
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  @Test
  void an_event_is_stored_with_all_its_fields() {
    WebhookEvent full =
        new WebhookEvent(
            UUID.randomUUID(),
            new EventType("shopify.orders/create"),
            Long.MAX_VALUE,
            "",
            "ok\0é😀",
            Integer.MAX_VALUE,
            CREATED,
            CREATED.plusNanos(1),
            CREATED);

    assertThat(events.store(submission(full, "{\"n\":1.0}")))
        .isEqualTo(new StoreOutcome.Stored(full));

    Item item = read(full.id());
    assertThat(item.text("payload")).isEqualTo("{\"n\":1.0}");
    assertThat(HexFormat.of().formatHex(item.bytes("user_id")))
        .isEqualTo(USER.toString().replace("-", ""));
    assertThat(EventItem.event(item)).isEqualTo(full);
  }

  @Test
  void an_event_may_have_no_optional_field() {
    WebhookEvent bare = event(UUID.randomUUID(), CREATED);

    events.store(submission(bare, "{}"));

    assertThat(EventItem.event(read(bare.id()))).isEqualTo(bare);
  }

  @Test
  void the_same_request_again_finds_the_first_event() {
    WebhookEvent first = event(UUID.randomUUID(), CREATED);
    WebhookEvent second = event(first.id(), CREATED.plusSeconds(60));

    events.store(submission(first, "{\"a\":1}"));

    assertThat(events.store(submission(second, "{\"a\":1}")))
        .isEqualTo(new StoreOutcome.Replayed(first));
    assertThat(read(first.id()).text("created_at")).isEqualTo("2026-11-20T12:00:00.000Z");
  }

  @Test
  void a_write_that_is_tried_again_because_its_answer_was_lost_is_the_first_one() {
    WebhookEvent event = event(UUID.randomUUID(), CREATED);
    // Two stores with one sequence of random numbers write what one store writes twice.
    DynamoEvents first = new DynamoEvents(service.dynamoDb(), table, new Random(2));
    DynamoEvents again = new DynamoEvents(service.dynamoDb(), table, new Random(2));

    first.store(submission(event, "{\"a\":1}"));

    assertThat(again.store(submission(event, "{\"a\":1}")))
        .isEqualTo(new StoreOutcome.Stored(event));
  }

  @Test
  void a_write_without_a_key_that_meets_its_id_is_the_first_one_too() {
    WebhookEvent event = event(UUID.randomUUID(), CREATED);
    Submission submission =
        new Submission(event, new Payload("{}", new Meta(Map.of())), USER, Optional.empty());

    events.store(submission);

    assertThat(events.store(submission)).isEqualTo(new StoreOutcome.Stored(event));
  }

  @Test
  void another_request_under_the_same_id_changes_nothing() {
    WebhookEvent event = event(UUID.randomUUID(), CREATED);

    events.store(submission(event, "{\"a\":1}"));

    assertThat(events.store(submission(event, "{\"a\":2}")))
        .isEqualTo(new StoreOutcome.KeyReused());
    assertThat(read(event.id()).text("payload")).isEqualTo("{\"a\":1}");
  }

  @Test
  void readers_find_events_by_type_and_by_brand() {
    WebhookEvent event = event(UUID.randomUUID(), CREATED);
    Payload payload = new Payload("{}", new Meta(Map.of("brand_id", "b-" + event.id())));

    events.store(new Submission(event, payload, USER, Optional.empty()));

    assertThat(find("by_brand", "brand_key", "b-" + event.id())).containsExactly(event.id());
    assertThat(find("by_event_type", "event_type_key", event.type().value())).contains(event.id());
  }

  @Test
  void a_brand_that_can_be_no_key_is_stored_and_not_indexed() {
    for (String brand : List.of("b".repeat(2_047), "\ud800")) {
      WebhookEvent event = event(UUID.randomUUID(), CREATED);
      Payload payload = new Payload("{}", new Meta(Map.of("brand_id", brand)));

      assertThat(events.store(new Submission(event, payload, USER, Optional.empty())))
          .isInstanceOf(StoreOutcome.Stored.class);
      assertThat(read(event.id()).attributes()).doesNotContainKey("brand_key");
    }
  }

  private static List<UUID> find(String index, String key, String value) {
    return java.util.stream.IntStream.range(0, IndexKeys.SHARDS)
        .mapToObj(shard ->
            service
                .dynamoDb()
                .query(query ->
                    query
                        .tableName(table)
                        .indexName(index)
                        .keyConditionExpression("#key = :key")
                        .expressionAttributeNames(Map.of("#key", key))
                        .expressionAttributeValues(
                            Map.of(":key", AttributeValue.fromS(value + "#" + shard)))))
        .flatMap(found -> found.items().stream())
        .map(item -> UUID.fromString(new Item(item).text("id")))
        .toList();
  }

  private static Item read(UUID id) {
    return new Item(
        service
            .dynamoDb()
            .getItem(get ->
                get.tableName(table)
                    .key(Map.of("id", AttributeValue.fromS(id.toString())))
                    .consistentRead(true))
            .item());
  }

  private static Submission submission(WebhookEvent event, String payload) {
    return new Submission(
        event,
        new Payload(payload, new Meta(Map.of())),
        USER,
        Optional.of(Fingerprint.of(payload.getBytes(UTF_8))));
  }

  private static WebhookEvent event(UUID id, Instant created) {
    return new WebhookEvent(
        id, new EventType("github.push"), null, null, null, null, null, null, created);
  }
}
