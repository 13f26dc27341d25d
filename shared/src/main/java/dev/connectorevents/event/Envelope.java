package dev.connectorevents.event;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** What reading the text of a create request found. */
public sealed interface Envelope {

  /** Reads a request's text, which must be well-formed Unicode. */
  static Envelope read(String text) {
    return EnvelopeReader.read(text);
  }

  /** The request's members but those that are {@code null}, which count as absent. */
  record Read(Map<String, Value> members) implements Envelope {

    public Read {
      // Not Map.copyOf: it slows down badly on names that collide, and a sender chooses these.
      members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
    }
  }

  /**
   * Not one JSON object, or ambiguous.
   *
   * @param detail says what is wrong and where, and quotes nothing of what was sent
   */
  record Malformed(String detail) implements Envelope {}
}
