package dev.connectorevents.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class EventPositionTest {

  /** Positions in the order of a list: the newest first. */
  private static final List<EventPosition> LISTED =
      List.of(
          position("2026-11-20T12:00:00.001Z", "00000000-0000-7000-8000-000000000000"),
          position("2026-11-20T12:00:00Z", "f0000000-0000-7000-8000-000000000000"),
          position("2026-11-20T12:00:00Z", "10000000-0000-7000-8000-000000000001"),
          position("2026-11-20T12:00:00Z", "10000000-0000-7000-8000-000000000000"),
          position("2026-11-20T11:59:59.999Z", "ffffffff-0000-7000-8000-000000000000"));

  @Test
  void a_list_is_newest_first_and_by_id_within_a_millisecond() {
    List<EventPosition> positions = new ArrayList<>(LISTED);
    Collections.reverse(positions);

    Collections.sort(positions);

    assertThat(positions).isEqualTo(LISTED);
  }

  @Test
  void an_event_is_after_those_before_it_in_the_list() {
    for (EventPosition position : LISTED) {
      assertThat(LISTED.stream().filter(position::isAfter))
          .isEqualTo(LISTED.subList(0, LISTED.indexOf(position)));
    }
  }

  private static EventPosition position(String createdAt, String id) {
    return new EventPosition(Instant.parse(createdAt), UUID.fromString(id));
  }
}
