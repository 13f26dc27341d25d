package dev.connectorevents.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.Json;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Lambda's limit for an answer: 6 MB as JSON, in which the body is a string.
 *
 * @see <a href="https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html">Lambda
 *     quotas</a>
 */
public final class AnswerSize {

  /** In bytes; leaves room for the answer's headers. */
  private static final int MAX_BODY = 6_291_556 - 16 * 1024;

  /** A character takes at most this many bytes of JSON. */
  private static final int MOST_BYTES = 6;

  private AnswerSize() {}

  /** Whether a body must be compressed. */
  public static boolean exceeds(String body) {
    return body.length() > MAX_BODY / MOST_BYTES
        && Json.write(Map.of("body", body)).getBytes(UTF_8).length > MAX_BODY;
  }

  /** Whether the client accepts gzip: {@code Accept-Encoding} (RFC 9110, 12.5.3). */
  public static boolean acceptsGzip(Request request) {
    Map<String, Boolean> accepted = new HashMap<>();
    request.header("accept-encoding").stream()
        .flatMap(header -> Arrays.stream(header.toLowerCase(Locale.ROOT).split(",", -1)))
        .map(coding -> Arrays.stream(coding.split(";", -1)).map(String::strip).toList())
        .forEach(coding ->
            accepted.put(coding.getFirst(), coding.stream().skip(1).noneMatch(AnswerSize::isZero)));
    // The wildcard stands only for codings that are not named.
    return accepted.getOrDefault("gzip", accepted.getOrDefault("*", false));
  }

  private static boolean isZero(String weight) {
    return weight.matches("q\\s*=\\s*0(\\.0*)?");
  }
}
