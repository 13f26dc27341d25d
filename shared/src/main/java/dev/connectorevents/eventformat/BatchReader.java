package dev.connectorevents.eventformat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.connectorevents.http.FieldReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the events of a batch in one pass over the request's text. */
final class BatchReader {

  private static final String EVENTS = "/events";
  private static final String RULE =
      "an array of 1 to " + BatchRequest.MAX_EVENTS + " events, each an object";

  private final String text;
  private final JsonParser parser;
  private final FieldReader fields;
  private final Slips slips = new Slips();
  private @Nullable List<EventRequest.Checked> events;
  private boolean everyEventHasKey = true;

  BatchReader(String text, JsonParser parser) {
    this.text = text;
    this.parser = parser;
    this.fields = new FieldReader(parser);
  }

  /**
   * Reads the batch whose start was just read.
   *
   * @throws IOException if the text is not JSON, or has a name twice where that is ambiguous
   */
  BatchRequest read() throws IOException {
    fields.readMembers(this::readMember);
    fields.require("events", events, RULE);
    if (!everyEventHasKey) {
      slips.checkKeys("belongs in each event, as its own idempotency_key", fields);
    }
    return events == null || !fields.faults().isEmpty()
        ? new BatchRequest.Invalid(fields.faults())
        : new BatchRequest.Valid(events);
  }

  private void readMember(String name) throws IOException {
    if (!name.equals("events")) {
      slips.note(name);
      parser.skipChildren();
    } else if (parser.currentToken() == JsonToken.START_ARRAY) {
      events = readEvents();
    } else {
      fields.fault(EVENTS, RULE);
      parser.skipChildren();
    }
  }

  /** Counts events that are too many, but does not keep them. */
  private List<EventRequest.Checked> readEvents() throws IOException {
    List<EventRequest.Checked> read = new ArrayList<>();
    int count = 0;
    for (; parser.nextToken() != JsonToken.END_ARRAY; count++) {
      if (count >= BatchRequest.MAX_EVENTS) {
        parser.skipChildren();
      } else if (fields.isObject(EVENTS + "/" + count, "an event: an object")) {
        EventReader event = EventReader.inBatch(text, parser);
        read.add(event.read());
        everyEventHasKey &= event.hasKey();
      }
    }
    if (count == 0 || count > BatchRequest.MAX_EVENTS) {
      fields.fault(EVENTS, RULE + "; there are " + count);
    }
    return read;
  }
}
