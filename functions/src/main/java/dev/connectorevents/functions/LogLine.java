package dev.connectorevents.functions;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.http.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a function writes to its log: one line of JSON for each call of it. */
public final class LogLine {

  private LogLine() {}

  /** Bytes, since Lambda's runtime would take a text for a message and wrap it into JSON. */
  public static byte[] of(Map<String, ?> line) {
    return (Json.write(line) + "\n").getBytes(UTF_8);
  }

  /** Why a dependency failed; where is no question, and many lines of it would be a flood. */
  public static String causes(Throwable failure) {
    return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
        .map(Throwable::toString)
        .collect(Collectors.joining(" <- "));
  }

  /** Where a defect lies, and why. */
  static String stackTrace(Throwable defect) {
    StringWriter text = new StringWriter();
    defect.printStackTrace(new PrintWriter(text, true));
    return text.toString();
  }
}
