package dev.connectorevents.functions.createevent;

import dev.connectorevents.event.EventType;
import dev.connectorevents.event.Meta;
import dev.connectorevents.event.Value;
import dev.connectorevents.http.Fault;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The contract's rules for {@code payload._meta}. */
final class MetaRules {

  private static final String POINTER = "/payload/_meta";

  private MetaRules() {}

  /** The {@code _meta} of a payload, if it has one; what is wrong with it becomes a fault. */
  static Optional<Meta> read(Value.Cut payload, Optional<EventType> type, Members body) {
    return switch (payload.meta()) {
      case null -> Optional.empty();
      case Value.MetaMember(Value.Members(var values), int start, int end) -> {
        Meta meta = new Meta(strings(values, body));
        type.ifPresent(eventType -> checkAgainst(eventType, meta, body));
        yield Optional.of(meta);
      }
      default -> {
        body.fault(POINTER, "an object");
        yield Optional.empty();
      }
    };
  }

  private static Map<String, String> strings(Map<String, Value> values, Members body) {
    Map<String, String> strings = new LinkedHashMap<>();
    values.forEach((name, value) -> {
      if (value instanceof Value.Text(String text)) {
        strings.put(name, text);
      } else {
        body.fault(Fault.pointer(POINTER, name), "a string");
      }
    });
    return strings;
  }

  private static void checkAgainst(EventType type, Meta meta, Members body) {
    if (!meta.values().getOrDefault("source", type.provider()).equals(type.provider())) {
      body.fault(POINTER + "/source", "the provider in event_type");
    }
    if (!meta.values().getOrDefault("topic", type.topic()).equals(type.topic())) {
      body.fault(POINTER + "/topic", "the topic in event_type");
    }
  }
}
