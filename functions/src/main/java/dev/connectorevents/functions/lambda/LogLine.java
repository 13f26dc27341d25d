package dev.connectorevents.functions.lambda;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.amazonaws.services.lambda.runtime.Context;
import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A line of the log: a JSON object in ASCII. */
public final class LogLine {

  /**
   * How many errors of its sender a request has. Without such a note, an answer's status tells: 4xx
   * is one.
   */
  public static final String CLIENT_ERRORS = "client_errors";

  /** As {@link #CLIENT_ERRORS}, of the service: 5xx is one. */
  public static final String SERVER_ERRORS = "server_errors";

  /** Most characters of a text that a sender chose. */
  private static final int MAX_TEXT = 255;

  /** Most characters of an error: an outage must not flood the log. */
  private static final int MAX_ERROR = 400;

  private LogLine() {}

  /** The first members of the line of a function without a route. */
  public static Map<String, Object> begin(Context context) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("request_id", context.getAwsRequestId());
    line.put("function_name", context.getFunctionName());
    return line;
  }

  /**
   * The line as bytes: Lambda's runtime would wrap a string into JSON of its own. What is not
   * printable ASCII is escaped: a terminal that shows the log must not obey what a sender wrote.
   */
  public static byte[] of(Map<String, ?> line) {
    String json = Json.write(line);
    StringBuilder ascii = new StringBuilder(json.length() + 1);
    json.chars()
        .forEach(character -> {
          if (character >= ' ' && character <= '~') {
            ascii.append((char) character);
          } else {
            ascii.append("\\u%04x".formatted(character));
          }
        });
    return ascii.append('\n').toString().getBytes(US_ASCII);
  }

  /** The beginning of a text that a sender chose, as well-formed Unicode. */
  public static String shortened(String text) {
    String beginning = text.substring(0, Math.min(text.length(), MAX_TEXT));
    return new String(beginning.getBytes(UTF_8), UTF_8); // what is half a character becomes a ?
  }

  /**
   * A failure and its causes, with their messages. Only for failures whose messages hold no secret:
   * those of a dependency, and of an operator's event.
   */
  public static String causes(RuntimeException failure) {
    return chain(failure, cause -> cause.getClass().getSimpleName() + ": " + cause.getMessage());
  }

  /** A failure of a dependency with its messages, or a defect without. */
  public static String error(Throwable failure) {
    return failure instanceof DependencyUnavailableException unavailable
        ? causes(unavailable)
        : defect(failure);
  }

  /** A defect and its causes, with their places but no messages: a message may quote a secret. */
  private static String defect(Throwable failure) {
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
