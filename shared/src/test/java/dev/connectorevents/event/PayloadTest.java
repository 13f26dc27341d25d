package dev.connectorevents.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PayloadTest {

  private static final String META =
      "\"_meta\":{\"source\":\"shopify\",\"topic\":\"orders/create\","
          + "\"request_id\":\"01890000-0000-7000-8000-000000000001\","
          + "\"received_at\":\"2026-11-20T12:00:00.123Z\"}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{}            | {@}",
        "{ }           | { @}",
        "{\"a\":1}     | {\"a\":1,@}",
        "{\"a\":\"}\" }| {\"a\":\"}\" ,@}",
      })
  @Promise("the service appends one as the last member")
  void meta_is_appended_and_what_was_sent_stays_in_front_of_it(String sent, String stored) {
    SentPayload cut = new SentPayload(sent, sent.replace(" ", "").equals("{}"), Optional.empty());

    Payload payload =
        Payload.of(
            cut,
            new EventType("shopify.orders/create"),
            () -> UUID.fromString("01890000-0000-7000-8000-000000000001"),
            Instant.parse("2026-11-20T12:00:00.123Z"));

    assertThat(payload.text()).isEqualTo(stored.replace("@", META));
    assertThat(payload.meta().brandId()).isEmpty();
    assertThat(payload.meta().requestId()).hasValue("01890000-0000-7000-8000-000000000001");
  }
}
