package dev.connectorevents.functions.lambda;

import dev.connectorevents.http.Response;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A request's one line in the log. CloudWatch extracts metrics from it (CloudWatch User Guide,
 * "Embedded metric format specification").
 */
final class RequestLog {

  private static final String NAMESPACE = "ConnectorEvents";
  private static final String DIMENSION = "function_name";
  private static final List<Map<String, String>> METRICS =
      List.of(
          Map.of("Name", "duration_ms", "Unit", "Milliseconds"),
          Map.of("Name", "client_errors"),
          Map.of("Name", "server_errors"));

  private RequestLog() {}

  /**
   * The line's members, in their order.
   *
   * @param function the function's deployed name
   * @param isFirst whether this is the instance's first request
   */
  static Map<String, Object> of(
      ApiGatewayEvent event,
      String function,
      Optional<String> traceId,
      Response response,
      Duration duration,
      boolean isFirst) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("request_id", event.request().id());
    traceId.ifPresent(id -> line.put("trace_id", id));
    line.put(DIMENSION, function);
    line.put("route", event.request().route());
    line.put("status", response.status());
    line.putAll(response.notes());
    line.put("bytes", event.request().bodySize());
    line.put("duration_ms", Math.round(duration.toNanos() / 1e3) / 1e3);
    line.put("cold_start", isFirst);
    line.put("client_errors", response.status() / 100 == 4 ? 1 : 0);
    line.put("server_errors", response.status() / 100 == 5 ? 1 : 0);
    line.put("_aws", metrics(event.timeEpoch()));
    return line;
  }

  private static Map<String, Object> metrics(long timestamp) {
    return Map.of(
        "Timestamp",
        timestamp,
        "CloudWatchMetrics",
        List.of(
            Map.of(
                "Namespace",
                NAMESPACE,
                "Dimensions",
                List.of(List.of(DIMENSION)),
                "Metrics",
                METRICS)));
  }
}
