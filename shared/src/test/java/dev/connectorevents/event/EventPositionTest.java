package dev.connectorevents.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EventPositionTest {

  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

  private static final List<EventPosition> OLDEST_FIRST =
      List.of(
          position("2026-11-20T11:59:59.999Z", "ffffffff-0000-7000-8000-000000000000"),
          position("2026-11-20T12:00:00Z", "10000000-0000-7000-8000-000000000000"),
          position("2026-11-20T12:00:00Z", "10000000-0000-7000-8000-000000000001"),
          position("2026-11-20T12:00:00Z", "f0000000-0000-7000-8000-000000000000"),
          position("2026-11-20T12:00:00.001Z", "00000000-0000-7000-8000-000000000000"));

  @Test
  void positions_are_ordered_by_time_and_by_id_within_a_millisecond() {
    List<EventPosition> positions = new ArrayList<>(OLDEST_FIRST);
    Collections.reverse(positions);
    assertThat(positions).isSortedAccordingTo(EventOrder.DESC.comparator());

    positions.sort(EventOrder.ASC.comparator());

    assertThat(positions).isEqualTo(OLDEST_FIRST);
  }

  @ParameterizedTest
  @EnumSource
  void no_position_is_before_itself(EventOrder order) {
    assertThat(OLDEST_FIRST).noneMatch(position -> order.isBefore(position, position));
  }

  @Test
  void the_place_before_a_millisecond_has_all_its_events_on_one_side() {
    EventPosition before = EventOrder.ASC.before(NOON);
    EventPosition beforeInReverse = EventOrder.DESC.before(NOON);

    for (EventPosition position : OLDEST_FIRST) {
      assertThat(EventOrder.ASC.isBefore(before, position))
          .isEqualTo(!position.createdAt().isBefore(NOON));
      assertThat(EventOrder.DESC.isBefore(beforeInReverse, position))
          .isEqualTo(!position.createdAt().isAfter(NOON));
    }
  }

  private static EventPosition position(String createdAt, String id) {
    return new EventPosition(Instant.parse(createdAt), UUID.fromString(id));
  }
}
