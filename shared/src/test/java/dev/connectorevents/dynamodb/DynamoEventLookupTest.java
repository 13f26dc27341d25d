package dev.connectorevents.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.AdjustableClock;
import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.event.Deliveries;
import dev.connectorevents.event.EventType;
import dev.connectorevents.event.Meta;
import dev.connectorevents.event.Payload;
import dev.connectorevents.event.StoredEvent;
import dev.connectorevents.event.Submission;
import dev.connectorevents.event.WebhookEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIf;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Events by id, in the table that the template describes. */
class DynamoEventLookupTest {

  private static final Instant CREATED = Instant.parse("2026-11-20T12:00:00.123Z");

  @AutoClose private static final Stores service = Endpoint.stores(Path.of("../template.yaml"));
  private static final String table = service.name("EventsTable");

  private final AdjustableClock clock = new AdjustableClock("2026-11-20T12:00:01Z");
  private final DynamoEventLookup lookup =
      new DynamoEventLookup(service.dynamoDb(), table, clock, pause -> {});

  @Test
  void an_event_is_found_as_it_was_stored() {
    Submission small = submission("{}");
    store(small, Optional.empty());

    assertThat(lookup.find(small.event().id()))
        .hasValue(new StoredEvent(small.event(), small.userId(), "{}"));
  }

  @Test
  void an_unknown_id_finds_nothing() {
    assertThat(lookup.find(UUID.randomUUID())).isEmpty();
  }

  @Test
  void an_event_past_its_retention_is_gone_before_its_item_is() {
    Submission kept = submission("{}");
    store(kept, Optional.of(Duration.ofSeconds(10)));
    assertThat(lookup.find(kept.event().id())).isPresent();

    clock.advance(Duration.ofSeconds(9));

    assertThat(lookup.find(kept.event().id())).isEmpty();
  }

  @Test
  void ids_are_stored_if_an_event_is_kept_under_them() {
    Submission forEver = submission("{}");
    Submission kept = submission("{}");
    store(forEver, Optional.empty());
    store(kept, Optional.of(Duration.ofSeconds(10)));
    UUID unknown = UUID.randomUUID();
    Set<UUID> ids = Set.of(forEver.event().id(), kept.event().id(), unknown);

    assertThat(lookup.stored(ids))
        .containsExactlyInAnyOrder(forEver.event().id(), kept.event().id());
    clock.advance(Duration.ofSeconds(9));
    assertThat(lookup.stored(ids)).containsExactly(forEver.event().id());
  }

  @Test
  @DisabledIf(
      value = "dev.connectorevents.emulator.Endpoint#isMoto",
      disabledReason = Endpoint.MOTO_ITEM_SIZE)
  void a_missing_part_is_a_failing_dependency_and_no_shorter_payload() {
    Submission large = submission(Payloads.random(2_000_000));
    store(large, Optional.empty());
    service
        .dynamoDb()
        .deleteItem(
            delete -> delete.tableName(table).key(Map.of("id", fromS(large.event().id() + "#2"))));

    assertThatExceptionOfType(DependencyUnavailableException.class)
        .isThrownBy(() -> lookup.find(large.event().id()))
        .withMessageContaining("missing");
  }

  @Test
  @DisabledIf(
      value = "dev.connectorevents.emulator.Endpoint#isMoto",
      disabledReason = Endpoint.MOTO_ITEM_SIZE)
  void parts_that_do_not_belong_together_are_a_failing_dependency() {
    Submission large = submission(Payloads.random(2_000_000));
    store(large, Optional.empty());
    Map<String, AttributeValue> part = new HashMap<>(item(large.event().id() + "#2"));
    part.put("id", fromS(large.event().id() + "#1"));
    service.dynamoDb().putItem(put -> put.tableName(table).item(part));

    assertThatExceptionOfType(DependencyUnavailableException.class)
        .isThrownBy(() -> lookup.find(large.event().id()))
        .withMessageContaining("incomplete");
  }

  private static Map<String, AttributeValue> item(String id) {
    return service
        .dynamoDb()
        .getItem(get -> get.tableName(table).key(Map.of("id", fromS(id))))
        .item();
  }

  private static void store(Submission submission, Optional<Duration> retention) {
    new DynamoEvents(service.dynamoDb(), table, new Random(), retention).store(submission);
  }

  private static Submission submission(String payload) {
    WebhookEvent event =
        new WebhookEvent(
            UUID.randomUUID(), new EventType("shopify.orders/create"), Deliveries.FULL, CREATED);
    return new Submission(
        event,
        new Payload(payload, new Meta(Map.of())),
        UUID.randomUUID(),
        Optional.empty(),
        Optional.empty());
  }
}
