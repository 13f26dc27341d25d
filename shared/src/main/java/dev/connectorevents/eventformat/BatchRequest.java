package dev.connectorevents.eventformat;

import dev.connectorevents.http.BodyReader;
import dev.connectorevents.http.Fault;
import dev.connectorevents.http.Request;
import java.util.List;

/** The body of a request to store several events, checked by the rules in {@code docs/api.md}. */
public sealed interface BatchRequest {

  /** Most events of one batch. */
  int MAX_EVENTS = 100;

  /**
   * The body has 1 to {@value #MAX_EVENTS} events. Each is checked by itself, and may be invalid.
   *
   * @param events in the order that they were sent
   */
  record Valid(List<EventRequest.Checked> events) implements BatchRequest {

    public Valid {
      events = List.copyOf(events);
    }
  }

  /**
   * The body is well-formed JSON, but {@code events} is missing or breaks a rule for all events:
   * too many, none, not all objects, or keys beside it instead of in each event.
   *
   * @param faults all of them
   */
  record Invalid(List<Fault> faults) implements BatchRequest {

    public Invalid {
      faults = List.copyOf(faults);
    }
  }

  /**
   * The body is not one JSON object, is nested too deep, or has a name twice.
   *
   * @param detail what is wrong and where; quotes nothing of what was sent
   */
  record Malformed(String detail) implements BatchRequest {}

  /** Reads and checks a request's body. */
  static BatchRequest of(Request request) {
    return request
        .text()
        .map(BatchRequest::read)
        .orElseGet(() -> new Malformed(BodyReader.NOT_UTF_8));
  }

  /** Reads and checks a request's text. The text must be well-formed Unicode. */
  static BatchRequest read(String text) {
    return BodyReader.read(
        text,
        "{\"events\": [{…}]}",
        parser -> new BatchReader(text, parser).read(),
        Malformed::new);
  }
}
