package dev.connectorevents.eventformat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.connectorevents.event.EventType;
import dev.connectorevents.event.IdempotencyKey;
import dev.connectorevents.event.SentPayload;
import dev.connectorevents.json.Body;
import dev.connectorevents.json.FieldReader;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads an event's fields in one pass over the request's text, and checks each by its rule. */
final class EventReader {

  private static final String NO_STRING =
      "a string: <provider>.<topic> in double quotes, as in \"shopify.orders/create\"";

  private static final String KEY = "idempotency_key";
  private static final String KEY_RULE = "a string of " + IdempotencyKey.RULE;

  private final String text;
  private final JsonParser parser;
  private final FieldReader fields;
  private final DeliveryReader delivery;
  private final MisplacedMembers slips = new MisplacedMembers();
  private final Optional<IdempotencyKey> header;
  private final boolean isAlone;

  private @Nullable EventType type;
  private @Nullable SentPayload payload;
  private @Nullable IdempotencyKey idempotencyKey;
  private boolean hasEvents;

  private EventReader(
      String text, JsonParser parser, Optional<IdempotencyKey> header, boolean isAlone) {
    this.text = text;
    this.parser = parser;
    this.fields = new FieldReader(parser);
    this.delivery = new DeliveryReader(fields);
    this.header = header;
    this.isAlone = isAlone;
  }

  /** Reads a body that is one event: its key is a header or a member. */
  static EventReader ofOneEvent(String text, JsonParser parser, Optional<IdempotencyKey> header) {
    return new EventReader(text, parser, header, true);
  }

  /** Reads an event of a batch: its key is a member. */
  static EventReader inBatch(String text, JsonParser parser) {
    return new EventReader(text, parser, Optional.empty(), false);
  }

  /**
   * Reads the event whose start was just read.
   *
   * @throws IOException if the text is not JSON, or has a name twice where that is ambiguous
   */
  Body.Checked<EventRequest> read() throws IOException {
    fields.readMembers(this::readField);
    return checked();
  }

  /** Whether the event that was read has a key, be it a valid one or not. */
  boolean hasKey() {
    return header.isPresent() || idempotencyKey != null || fields.hasFault("/" + KEY);
  }

  private void readField(String name) throws IOException {
    switch (name) {
      case "event_type" -> type = fields.text(typeRule(), EventType::parse);
      case "payload" -> payload = new PayloadReader(text, parser, fields).read();
      case KEY -> idempotencyKey = fields.text(KEY_RULE, IdempotencyKey::parse);
      default -> readOther(name);
    }
  }

  private void readOther(String name) throws IOException {
    if (!delivery.readField(name)) {
      hasEvents |= name.equals("events");
      slips.note(name);
      parser.skipChildren();
    }
  }

  private String typeRule() {
    return parser.currentToken() == JsonToken.VALUE_STRING ? EventType.RULE : NO_STRING;
  }

  private Body.Checked<EventRequest> checked() {
    if (isAlone && hasEvents && isAbsent("event_type", type) && isAbsent("payload", payload)) {
      fields.fault(
          "/events", "belongs in POST /api/webhook-events/batch; here the body is one event");
    }
    fields.require("event_type", type, EventType.RULE);
    boolean isPayloadWrong = fields.hasFault("/payload");
    fields.require("payload", payload, PayloadReader.RULE);
    checkKey();
    if (!isPayloadWrong) {
      slips.checkMeta(payload, fields);
    }
    if (type == null || payload == null) {
      return invalid();
    }
    checkMeta(type, payload);
    return fields.faults().isEmpty()
        ? new Body.Read<>(
            new EventRequest(
                type,
                payload,
                delivery.delivery(),
                header.or(() -> Optional.ofNullable(idempotencyKey))))
        : invalid();
  }

  private Body.Invalid<EventRequest> invalid() {
    Map<String, String> names = new HashMap<>();
    if (type != null) {
      names.put("event_type", type.value());
    }
    header
        .or(() -> Optional.ofNullable(idempotencyKey))
        .ifPresent(key -> names.put(KEY, key.value()));
    return new Body.Invalid<>(fields.faults(), names);
  }

  private boolean isAbsent(String name, @Nullable Object value) {
    return value == null && !fields.hasFault("/" + name);
  }

  private void checkKey() {
    if (header.isPresent() && idempotencyKey != null && !header.get().equals(idempotencyKey)) {
      fields.fault(
          "/" + KEY, "the same as the header Idempotency-Key; or send only one of the two");
    }
    if (!hasKey()) {
      slips.checkKeys(
          "belongs in idempotency_key, or in the header Idempotency-Key of a single event", fields);
    }
  }

  private void checkMeta(EventType eventType, SentPayload sent) {
    Map<String, String> meta =
        sent.sentMeta().map(member -> member.meta().values()).orElse(Map.of());
    if (!meta.getOrDefault("source", eventType.provider()).equals(eventType.provider())) {
      fields.fault(
          PayloadReader.META + "/source",
          "the provider in event_type, which is the part before the first dot");
    }
    if (!meta.getOrDefault("topic", eventType.topic()).equals(eventType.topic())) {
      fields.fault(
          PayloadReader.META + "/topic",
          "the topic in event_type, which is the part after the first dot");
    }
  }
}
