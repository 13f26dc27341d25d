package dev.connectorevents.local.inspector;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;

/**
 * What a note says of a request or of an event. On the page, each meaning has a look of its own.
 */
enum NoteKind {
  NEW,
  REPLAYED,
  REFUSED,
  FAILED,
  IGNORED,
  INFORMED;

  /** What became of one event of a batch. */
  static NoteKind of(JsonNode result) {
    int status = result.path("status").intValue();
    if (status >= 400) {
      return ofError(status);
    }
    return result.path("replayed").booleanValue() ? REPLAYED : NEW;
  }

  /** What became of a request whose status is at least 400. */
  static NoteKind ofError(int status) {
    return status < 500 ? REFUSED : FAILED;
  }

  @JsonValue
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
