package dev.connectorevents.event;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class WebhookEventTest {

  @Test
  void the_table_could_not_keep_a_fraction_of_a_millisecond() {
    Instant createdAt = Instant.parse("2026-11-20T12:00:00.123456Z");

    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            new WebhookEvent(UUID.randomUUID(), new EventType("a.b"), Deliveries.NONE, createdAt));
  }
}
