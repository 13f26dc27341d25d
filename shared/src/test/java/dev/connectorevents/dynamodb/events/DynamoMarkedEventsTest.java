package dev.connectorevents.dynamodb.events;

import static org.assertj.core.api.Assertions.assertThat;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.SideBySide;
import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.feed.Beat;
import dev.connectorevents.feed.ItemVersion;
import dev.connectorevents.feed.MarkNote;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class DynamoMarkedEventsTest {

  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

  @AutoClose private static final Stores service = Endpoint.stores(Path.of("../template.yaml"));
  private static final String table = service.name("EventsTable");

  private final EventWriter writer = new EventWriter(service.dynamoDb(), table);
  private final DynamoMarkedEvents events =
      new DynamoMarkedEvents(
          service.dynamoDb(), table, new SideBySide(Runnable::run, 10), pause -> {});

  @BeforeEach
  void emptyTable() {
    writer.clear();
  }

  private Stream<MarkNote> notes() {
    return writer.items().stream()
        .map(Item::new)
        .filter(DynamoMarkedEvents::isMark)
        .map(item -> DynamoMarkedEvents.note(item, "shard", "stream"));
  }

  private static Beat beat(long number, int marks) {
    return new Beat(number, NOON.plusSeconds(number), marks);
  }

  private static MarkNote note(int mark, long number) {
    return new MarkNote(mark, number, NOON.plusSeconds(number), "shard", "stream");
  }

  @Test
  void a_beat_overwrites_the_marks_of_those_before_and_none_of_a_later_one() {
    assertThat(events.last()).isEmpty();
    assertThat(events.begin(Optional.empty(), beat(1, 3))).isTrue();
    events.mark(beat(1, 3));
    assertThat(events.begin(Optional.empty(), beat(2, 3))).as("not as it is").isFalse();
    assertThat(events.begin(Optional.of(beat(1, 3)), beat(2, 4))).isTrue();
    assertThat(events.begin(Optional.of(beat(1, 3)), beat(3, 3))).isFalse();
    events.mark(beat(2, 4));
    events.mark(beat(1, 3));

    assertThat(events.last()).contains(beat(2, 4));
    assertThat(notes()).containsExactlyInAnyOrder(note(0, 2), note(1, 2), note(2, 2), note(3, 2));
  }

  @Test
  void a_new_stack_has_the_versions_of_its_events_and_tombstones_and_marks_are_none() {
    events.begin(Optional.empty(), beat(1, 3));
    events.mark(beat(1, 3));
    UUID event = writer.store("a.b", Optional.empty(), NOON).id();
    UUID erased = writer.store("a.b", Optional.empty(), NOON).id();
    new Tombstones(service.dynamoDb(), table).put(erased);

    assertThat(events.all().orElseThrow())
        .extracting(ItemVersion::id)
        .containsExactlyInAnyOrder(event, erased);
  }

  @Test
  void a_table_with_more_than_one_page_is_not_that_of_a_new_stack() {
    for (int i = 0; i < 4; i++) {
      Map<String, AttributeValue> large =
          Map.of("id", fromS(UUID.randomUUID() + "#1"), "payload", fromS("x".repeat(390_000)));
      service.dynamoDb().putItem(put -> put.tableName(table).item(large));
    }

    assertThat(events.all()).isEmpty();
  }
}
