package dev.connectorevents.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class EventPlaceTest {

  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

  private static final List<EventPlace> OLDEST_FIRST =
      List.of(
          place("2026-11-20T11:59:59.999Z", "ffffffff-0000-7000-8000-000000000000"),
          place("2026-11-20T12:00:00Z", "10000000-0000-7000-8000-000000000000"),
          place("2026-11-20T12:00:00Z", "10000000-0000-7000-8000-000000000001"),
          place("2026-11-20T12:00:00Z", "f0000000-0000-7000-8000-000000000000"),
          place("2026-11-20T12:00:00.001Z", "00000000-0000-7000-8000-000000000000"));

  @Test
  void places_are_ordered_by_time_and_by_id_within_a_millisecond() {
    List<EventPlace> places = new ArrayList<>(OLDEST_FIRST);
    Collections.reverse(places);

    Collections.sort(places);

    assertThat(places).isEqualTo(OLDEST_FIRST);
  }

  @Test
  void the_place_before_a_millisecond_has_all_its_events_on_one_side() {
    EventPlace before = EventPlace.before(NOON);

    assertThat(before.isBeforeMillisecond()).isTrue();
    for (EventPlace place : OLDEST_FIRST) {
      assertThat(place.isBeforeMillisecond()).isFalse();
      assertThat(before.compareTo(place) < 0).isEqualTo(!place.createdAt().isBefore(NOON));
    }
  }

  private static EventPlace place(String createdAt, String id) {
    return new EventPlace(Instant.parse(createdAt), UUID.fromString(id));
  }
}
