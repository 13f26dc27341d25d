package dev.connectorevents.eventformat;

import com.fasterxml.jackson.core.JsonParser;
import dev.connectorevents.http.Request;
import dev.connectorevents.json.Body;
import dev.connectorevents.json.BodyReader;
import dev.connectorevents.json.FieldReader;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request to store 1 to {@value #MAX_EVENTS} events, checked by the rules in {@code docs/api.md}.
 *
 * @param events in the order that they were sent; each is checked by itself, and may be invalid
 */
public record BatchRequest(List<Body.Checked<EventRequest>> events) {

  /** Most events of one batch. */
  public static final int MAX_EVENTS = 100;

  private static final String EXAMPLE = "{\"events\": [{…}]}";

  public BatchRequest {
    events = List.copyOf(events);
  }

  /**
   * Reads and checks a request's body. It is invalid if {@code events} is missing or breaks a rule
   * for all events: too many, none, not all objects, or keys beside it instead of in each event.
   */
  public static Body<BatchRequest> of(Request request) {
    return BodyReader.read(request, EXAMPLE, BatchRequest::read);
  }

  /** As {@link #of}, of a well-formed text. */
  static Body<BatchRequest> read(String text) {
    return BodyReader.read(text, EXAMPLE, BatchRequest::read);
  }

  private static Body.Checked<BatchRequest> read(String text, JsonParser parser)
      throws IOException {
    return new EventsReader(text, parser).read();
  }

  /** Reads the events in one pass over the request's text. */
  private static final class EventsReader {

    private static final String RULE = "an array of 1 to " + MAX_EVENTS + " events, each an object";

    private final String text;
    private final JsonParser parser;
    private final FieldReader fields;
    private final MisplacedMembers slips = new MisplacedMembers();
    private @Nullable List<Body.Checked<EventRequest>> events;
    private boolean everyEventHasKey = true;

    EventsReader(String text, JsonParser parser) {
      this.text = text;
      this.parser = parser;
      this.fields = new FieldReader(parser);
    }

    Body.Checked<BatchRequest> read() throws IOException {
      fields.readMembers(this::readMember);
      fields.require("events", events, RULE);
      if (!everyEventHasKey) {
        slips.checkKeys("belongs in each event, as its own idempotency_key", fields);
      }
      return events == null || !fields.faults().isEmpty()
          ? new Body.Invalid<>(fields.faults())
          : new Body.Read<>(new BatchRequest(events));
    }

    private void readMember(String name) throws IOException {
      if (name.equals("events")) {
        events = fields.array(RULE, MAX_EVENTS, this::readEvent);
      } else {
        slips.note(name);
        parser.skipChildren();
      }
    }

    private Body.@Nullable Checked<EventRequest> readEvent(String pointer) throws IOException {
      if (!fields.isObject(pointer, "an event: an object")) {
        return null;
      }
      EventReader reader = EventReader.inBatch(text, parser);
      Body.Checked<EventRequest> event = reader.read();
      everyEventHasKey &= reader.hasKey();
      return event;
    }
  }
}
