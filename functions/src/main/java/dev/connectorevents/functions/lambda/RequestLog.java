package dev.connectorevents.functions.lambda;

import dev.connectorevents.Version;
import dev.connectorevents.http.Request;
import dev.connectorevents.http.Response;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A request's line in the log. The template's metric filters make metrics of its numbers. Logs are
 * billed by the byte: so the line has {@code cold_start}, the version, the counts of errors and the
 * trace only where they apply.
 */
final class RequestLog {

  private static final String SAMPLED = "Sampled=1";

  private RequestLog() {}

  /**
   * The line's members, in their order.
   *
   * @param trace X-Ray's trace header
   * @param isFirst whether this is the instance's first request
   */
  static Map<String, Object> of(
      Request request,
      Optional<String> trace,
      Response response,
      Duration duration,
      boolean isFirst) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("request_id", request.id());
    line.put("route", request.route());
    line.put("status", response.status());
    line.putAll(response.notes());
    line.put("bytes", request.bodySize());
    line.put("duration_ms", Math.round(duration.toNanos() / 1e3) / 1e3);
    switch (response.status() / 100) {
      case 4 -> line.put(LogLine.CLIENT_ERRORS, 1);
      case 5 -> line.put(LogLine.SERVER_ERRORS, 1);
      default -> {}
    }
    if (isFirst) {
      line.put("cold_start", true);
      line.put("version", Version.CURRENT);
      Version.COMMIT.ifPresent(commit -> line.put("commit", commit));
    }
    // X-Ray keeps only sampled traces.
    trace
        .filter(header -> header.contains(SAMPLED))
        .ifPresent(header -> line.put("trace_id", header));
    return line;
  }
}
