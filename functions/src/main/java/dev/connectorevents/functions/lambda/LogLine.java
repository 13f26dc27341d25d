package dev.connectorevents.functions.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.http.Json;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a function writes to its log: one line of JSON for each call of it. */
public final class LogLine {

  /** Characters of an error: a request may leave a kilobyte, an outage no flood. */
  private static final int MAX_ERROR = 400;

  private LogLine() {}

  /** Bytes, since Lambda's runtime would take a text for a message and wrap it into JSON. */
  public static byte[] of(Map<String, ?> line) {
    return (Json.write(line) + "\n").getBytes(UTF_8);
  }

  /** Why something failed whose messages hold no secret: a dependency, or an operator's event. */
  public static String causes(RuntimeException failure) {
    return chain(failure, cause -> cause.getClass().getSimpleName() + ": " + cause.getMessage());
  }

  /** Where a defect lies. No message: many quote what they were given, and it may be a secret. */
  static String defect(Throwable failure) {
    return chain(failure, cause -> cause.getClass().getName() + ownFrames(cause));
  }

  private static String chain(Throwable failure, Function<Throwable, String> description) {
    String text =
        Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
            .map(description)
            .collect(Collectors.joining(" <- "));
    return text.substring(0, Math.min(text.length(), MAX_ERROR));
  }

  private static String ownFrames(Throwable failure) {
    return Stream.of(failure.getStackTrace())
        .filter(frame -> frame.getClassName().startsWith("dev.connectorevents."))
        .limit(3)
        .map(frame -> " at " + frame.getFileName() + ":" + frame.getLineNumber())
        .collect(Collectors.joining());
  }
}
