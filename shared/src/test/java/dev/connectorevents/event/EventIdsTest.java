package dev.connectorevents.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.AdjustableClock;
import dev.connectorevents.Promise;
import java.time.Duration;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventIdsTest {

  private static final UUID USER = UUID.fromString("01890000-0000-7000-8000-000000000001");
  private static final UUID OTHER = UUID.fromString("01890000-0000-7000-8000-000000000002");

  private final AdjustableClock clock = new AdjustableClock("2026-11-20T12:00:00.123Z");
  private final EventIds ids = new EventIds(clock, new Random(1));

  @Test
  void an_id_is_a_uuid_of_version_7_with_the_time_in_front() {
    UUID id = ids.next();

    assertThat(id.version()).isEqualTo(7);
    assertThat(id.variant()).isEqualTo(2);
    assertThat(id.getMostSignificantBits() >>> 16).isEqualTo(clock.millis());
  }

  @Test
  void ids_sort_by_their_time_and_never_repeat() {
    Set<String> seen = new HashSet<>();
    String last = "";
    for (int i = 0; i < 1_000; i++) {
      clock.advance(Duration.ofMillis(1));
      String id = ids.next().toString();
      assertThat(id).isGreaterThan(last);
      assertThat(seen.add(ids.next().toString())).isTrue();
      last = id;
    }
  }

  @Test
  @Promise("The service derives the event's id from the user and the key")
  void an_idempotency_key_gives_its_user_one_id() {
    UUID id = EventIds.of(USER, new IdempotencyKey("order-1"));

    assertThat(id.version()).isEqualTo(8);
    assertThat(id.variant()).isEqualTo(2);
    assertThat(EventIds.of(USER, new IdempotencyKey("order-1"))).isEqualTo(id);
    assertThat(EventIds.of(USER, new IdempotencyKey("order-2"))).isNotEqualTo(id);
    assertThat(EventIds.of(OTHER, new IdempotencyKey("order-1"))).isNotEqualTo(id);
  }

  @Test
  @Promise("The service derives the event's id from the user and the key")
  void the_id_of_a_key_never_changes_between_releases() {
    assertThat(EventIds.of(USER, new IdempotencyKey("order-1")))
        .hasToString("5922e651-0a7a-8e24-82c7-f3a7f990c9d5");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", " a", "a ", "é", "a\tb", "a\nb", "\u007f", "\0"})
  @Promise("1 to 255 printable ASCII characters, without a space at either end.")
  void a_key_that_is_empty_or_not_printable_ascii_or_ends_in_a_space_is_refused(String text) {
    assertThat(IdempotencyKey.parse(text)).isEmpty();
  }

  @Test
  @Promise("1 to 255 printable ASCII characters, without a space at either end.")
  void a_key_has_1_to_255_characters() {
    assertThat(IdempotencyKey.parse("~")).isPresent();
    assertThat(IdempotencyKey.parse("a b")).isPresent();
    assertThat(IdempotencyKey.parse("~".repeat(255))).isPresent();
    assertThat(IdempotencyKey.parse("~".repeat(256))).isEmpty();
  }
}
