package dev.connectorevents.eventformat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.event.Delivery;
import dev.connectorevents.json.FieldReader;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the fields of a {@link Delivery}, and checks each by its rule. */
final class DeliveryReader {

  private static final int MAX_STATUS_CHARACTERS = 255;
  private static final int MAX_RESPONSE_BYTES = 64 * 1024;

  private static final String STATUS_RULE =
      "a string of at most " + MAX_STATUS_CHARACTERS + " characters, well-formed Unicode";
  private static final String RESPONSE_RULE =
      "a string of at most "
          + MAX_RESPONSE_BYTES
          + " bytes in UTF-8, well-formed Unicode; write an object as text";
  private static final String TIME_RULE =
      Rfc3339.RULE
          + " or 2026-11-20T13:00:00.5+01:00; no leap second, at most 9 digits of fraction";

  private final FieldReader fields;

  private @Nullable Long connectorInstallationId;
  private @Nullable String status;
  private @Nullable String response;
  private @Nullable Integer attempts;
  private @Nullable Instant sentAt;
  private @Nullable Instant nextRetryAt;

  DeliveryReader(FieldReader fields) {
    this.fields = fields;
  }

  /**
   * Reads the value of a member whose name was just read.
   *
   * @return false if a delivery has no such field; then nothing was read
   */
  boolean readField(String name) throws IOException {
    switch (name) {
      case "connector_installation_id" -> connectorInstallationId = fields.number(Long.MAX_VALUE);
      case "status" -> status = fields.text(STATUS_RULE, DeliveryReader::status);
      case Delivery.RESPONSE -> response = fields.text(RESPONSE_RULE, DeliveryReader::response);
      case "attempts" -> attempts = attempts(fields.number(Integer.MAX_VALUE));
      case "sent_at" -> sentAt = fields.text(TIME_RULE, Rfc3339::parse);
      case "next_retry_at" -> nextRetryAt = fields.text(TIME_RULE, Rfc3339::parse);
      default -> {
        return false;
      }
    }
    return true;
  }

  /** The fields that were read. A field that breaks its rule is a fault, and null here. */
  Delivery delivery() {
    return new Delivery(connectorInstallationId, status, response, attempts, sentAt, nextRetryAt);
  }

  private static Optional<String> status(String text) {
    return Optional.of(text)
        .filter(status -> status.codePointCount(0, status.length()) <= MAX_STATUS_CHARACTERS);
  }

  private static Optional<String> response(String text) {
    return Optional.of(text)
        .filter(response -> response.getBytes(UTF_8).length <= MAX_RESPONSE_BYTES);
  }

  private static @Nullable Integer attempts(@Nullable Long number) {
    return number == null ? null : Math.toIntExact(number);
  }
}
