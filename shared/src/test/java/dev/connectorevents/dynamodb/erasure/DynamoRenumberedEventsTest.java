package dev.connectorevents.dynamodb.erasure;

import static org.assertj.core.api.Assertions.assertThat;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.Promise;
import dev.connectorevents.SideBySide;
import dev.connectorevents.dynamodb.events.EventWriter;
import dev.connectorevents.dynamodb.events.Tombstones;
import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.erasure.RenumberedEvents.Renumbered;
import dev.connectorevents.feed.ItemVersion;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

@Order(1)
class DynamoRenumberedEventsTest {

  private static final Instant FROM = Instant.parse("2026-11-20T12:00:00Z");
  private static final Instant TO = FROM.plusSeconds(60);
  private static final Instant NOW = Instant.parse("2026-11-25T12:00:00.456Z");

  @AutoClose private static final Stores service = Endpoint.stores(Path.of("../template.yaml"));
  private static final String table = service.name("EventsTable");

  private final EventWriter writer = new EventWriter(service.dynamoDb(), table);
  private final Tombstones tombstones = new Tombstones(service.dynamoDb(), table);
  private final DynamoRenumberedEvents events =
      new DynamoRenumberedEvents(
          service.dynamoDb(), table, () -> NOW, new SideBySide(Runnable::run, 10));

  @BeforeEach
  void emptyTable() {
    writer.clear();
  }

  private Renumbered renumberAll() {
    return renumber(version -> false);
  }

  private Renumbered renumber(Predicate<ItemVersion> isKnown) {
    return events.renumber(FROM, TO, NOW, isKnown, Optional.empty());
  }

  private Optional<String> renumberedAt(UUID id) {
    return Optional.ofNullable(tombstones.item(id).get("renumbered_at")).map(AttributeValue::s);
  }

  @Test
  void what_is_not_known_of_the_time_and_not_expired_gets_a_new_position_and_stays_as_it_is() {
    UUID early = store(FROM.minusMillis(1));
    UUID first = store(FROM);
    UUID known = store(FROM.plusSeconds(1));
    UUID last = store(TO.minusMillis(1));
    UUID late = store(TO);
    writer.store(
        UUID.randomUUID(), "a.b", Optional.empty(), FROM, Optional.of(Duration.ofHours(1)));
    Map<String, AttributeValue> before = tombstones.item(first);

    assertThat(renumber(version -> version.id().equals(known)))
        .isEqualTo(new Renumbered(3, 2, Optional.empty()));

    assertThat(List.of(first, last))
        .allSatisfy(id -> assertThat(renumberedAt(id)).hasValue("2026-11-25T12:00:00.456Z"));
    assertThat(List.of(early, known, late))
        .allSatisfy(id -> assertThat(renumberedAt(id)).isEmpty());
    assertThat(tombstones.item(first)).containsAllEntriesOf(before).hasSize(before.size() + 1);
  }

  private UUID store(Instant createdAt) {
    return writer.store("a.b", Optional.empty(), createdAt).id();
  }

  /** The time of the tombstones of this test is 5 s after FROM. */
  @Test
  @Promise("gives those that the feed lacks the attribute `renumbered_at`.")
  void an_erasure_gets_a_new_position_too() {
    UUID erased = store(FROM.minusSeconds(999));
    tombstones.put(erased);

    assertThat(renumberAll().renumbered()).isEqualTo(1);

    assertThat(renumberedAt(erased)).isPresent();
  }

  /** As a copy of a restore keeps the old time of its creation. */
  @Test
  void what_was_renumbered_in_the_time_gets_a_new_position_too() {
    UUID copied = store(FROM.minusSeconds(999));
    writer.set(copied, "renumbered_at", fromS("2026-11-20T12:00:59.999Z"));

    assertThat(renumberAll().renumbered()).isEqualTo(1);
    assertThat(renumberedAt(copied)).hasValue("2026-11-25T12:00:00.456Z");
  }

  @Test
  @Promise("send its events again with `next` until it is absent. Everything may be repeated.")
  void what_this_fill_has_renumbered_is_left_alone() {
    store(FROM);

    assertThat(renumberAll().renumbered()).isEqualTo(1);
    assertThat(renumberAll()).isEqualTo(new Renumbered(1, 0, Optional.empty()));
  }

  @Test
  @Promise("An event that is replaced or erased meanwhile is left as it is")
  void what_changes_meanwhile_is_left_alone() {
    UUID id = store(FROM);

    Renumbered renumbered =
        renumber(version -> {
          tombstones.put(id);
          return false;
        });

    assertThat(renumbered).isEqualTo(new Renumbered(1, 0, Optional.empty()));
    assertThat(renumberedAt(id)).isEmpty();
  }

  @Test
  void pages_have_every_item_once() {
    for (int i = 0; i < 501; i++) {
      store(FROM.plusMillis(i));
    }
    List<Renumbered> pages = new ArrayList<>();
    Optional<String> next = Optional.empty();
    do {
      pages.add(events.renumber(FROM, TO, NOW, version -> false, next));
      next = pages.getLast().next();
    } while (next.isPresent());

    assertThat(pages).extracting(Renumbered::renumbered).containsExactly(500, 1);
  }
}
