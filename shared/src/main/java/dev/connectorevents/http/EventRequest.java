package dev.connectorevents.http;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import dev.connectorevents.event.EventType;
import dev.connectorevents.event.Fingerprint;
import dev.connectorevents.event.SentPayload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request to store an event, checked by the table of fields in {@code docs/api.md}.
 */
public sealed interface EventRequest {

  /**
   * All rules hold.
   *
   * @param text the whole request
   */
  record Valid(
      EventType type,
      SentPayload payload,
      @Nullable Long connectorInstallationId,
      @Nullable String status,
      @Nullable String response,
      @Nullable Integer attempts,
      @Nullable Instant sentAt,
      @Nullable Instant nextRetryAt,
      String text)
      implements EventRequest {

    /** The fingerprint that every retry of this request has. */
    public Fingerprint fingerprint() {
      return Fingerprint.of(type, connectorInstallationId, payload);
    }
  }

  /**
   * The body is well-formed JSON, but breaks rules.
   *
   * @param faults all of them
   */
  record Invalid(List<Fault> faults) implements EventRequest {

    public Invalid {
      faults = List.copyOf(faults);
    }
  }

  /**
   * The body is not one JSON object, is nested too deep, or has a name twice.
   *
   * @param detail what is wrong and where; quotes nothing of what was sent
   */
  record Malformed(String detail) implements EventRequest {}

  /** Reads and checks a request's text. The text must be well-formed Unicode. */
  static EventRequest read(String text) {
    try (JsonParser parser = Json.FACTORY.createParser(text)) {
      return new EventReader(text, parser).read();
    } catch (FieldReader.DuplicateName e) {
      return new Malformed(String.valueOf(e.getMessage()));
    } catch (StreamConstraintsException e) {
      return new Malformed("The body is nested deeper than " + Json.MAX_DEPTH + " levels.");
    } catch (JsonProcessingException e) {
      return new Malformed(
          "The body is not valid JSON: "
              + Json.place(e.getLocation())
              + ". Names and strings need double quotes; NaN, comments and a comma before } are not"
              + " JSON.");
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory", e);
    }
  }
}
