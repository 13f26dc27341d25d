package dev.connectorevents.functions.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.amazonaws.services.lambda.runtime.Context;
import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.http.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A function's log line: one line of JSON per invocation. */
public final class LogLine {

  /**
   * How many errors of its sender a request has. Without such a note, an answer's status tells: 4xx
   * is one.
   */
  public static final String CLIENT_ERRORS = "client_errors";

  /** As {@link #CLIENT_ERRORS}, of the service: 5xx is one. */
  public static final String SERVER_ERRORS = "server_errors";

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

  /** The line as bytes: Lambda's runtime would wrap a string into JSON of its own. */
  public static byte[] of(Map<String, ?> line) {
    return (Json.write(line) + "\n").getBytes(UTF_8);
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
