package dev.connectorevents.functions.createevent;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.event.Envelope;
import dev.connectorevents.event.EventType;
import dev.connectorevents.event.Meta;
import dev.connectorevents.event.Value;
import dev.connectorevents.http.Fault;
import dev.connectorevents.http.Rfc3339;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the body of a create request says: the contract's table of fields. */
sealed interface CreateEventRequest {

  int MAX_STATUS_CHARACTERS = 255;
  int MAX_RESPONSE_BYTES = 64 * 1024;

  /**
   * All rules hold.
   *
   * @param meta what the payload brought, if it did
   */
  record Valid(
      EventType type,
      Value.Cut payload,
      Optional<Meta> meta,
      @Nullable Long connectorInstallationId,
      @Nullable String status,
      @Nullable String response,
      @Nullable Integer attempts,
      @Nullable Instant sentAt,
      @Nullable Instant nextRetryAt)
      implements CreateEventRequest {}

  record Invalid(List<Fault> faults) implements CreateEventRequest {}

  record Malformed(String detail) implements CreateEventRequest {}

  static CreateEventRequest of(String text) {
    return switch (Envelope.read(text)) {
      case Envelope.Malformed(var detail) -> new Malformed(detail);
      case Envelope.Read(var members) -> of(new Members(members));
    };
  }

  private static CreateEventRequest of(Members body) {
    Optional<EventType> type =
        body.required(
            "event_type",
            "<provider>.<topic>, at most " + EventType.MAX_LENGTH + " characters",
            value -> Members.text(value).flatMap(EventType::parse));
    Optional<Value.Cut> payload =
        body.required("payload", "an object", CreateEventRequest::payload);
    Optional<Meta> meta = payload.flatMap(cut -> MetaRules.read(cut, type, body));
    Long installation =
        body.optional(
            "connector_installation_id",
            "an integer from 0 to " + Long.MAX_VALUE,
            value -> Members.number(value, Long.MAX_VALUE));
    String status =
        body.optional(
            "status",
            "well-formed text of at most " + MAX_STATUS_CHARACTERS + " characters",
            value -> Members.text(value).filter(CreateEventRequest::isStatus));
    String response =
        body.optional(
            "response",
            "well-formed text of at most " + MAX_RESPONSE_BYTES + " bytes in UTF-8",
            value -> Members.text(value).filter(CreateEventRequest::isResponse));
    Integer attempts =
        body.optional(
            "attempts",
            "an integer from 0 to " + Integer.MAX_VALUE,
            value -> Members.number(value, Integer.MAX_VALUE).map(Math::toIntExact));
    Instant sentAt = time(body, "sent_at");
    Instant nextRetryAt = time(body, "next_retry_at");
    return type.isPresent() && payload.isPresent() && body.faults().isEmpty()
        ? new Valid(
            type.get(),
            payload.get(),
            meta,
            installation,
            status,
            response,
            attempts,
            sentAt,
            nextRetryAt)
        : new Invalid(body.faults());
  }

  private static Optional<Value.Cut> payload(Value value) {
    return value instanceof Value.Cut cut ? Optional.of(cut) : Optional.empty();
  }

  private static boolean isStatus(String text) {
    return text.codePointCount(0, text.length()) <= MAX_STATUS_CHARACTERS;
  }

  private static boolean isResponse(String text) {
    return text.getBytes(UTF_8).length <= MAX_RESPONSE_BYTES;
  }

  private static @Nullable Instant time(Members body, String name) {
    return body.optional(
        name,
        "a date-time with an offset, as in RFC 3339",
        value -> Members.text(value).flatMap(Rfc3339::parse));
  }
}
