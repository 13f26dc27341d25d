package dev.connectorevents.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.local.RunningService.Answer;
import java.util.List;

/** Makes batches, and reads their results. */
final class Batches {

  static final String TYPE = "{\"event_type\":\"shopify.orders/create\",";

  private Batches() {}

  static String event(String key, String payload) {
    return TYPE + "\"idempotency_key\":\"%s\",\"payload\":%s}".formatted(key, payload);
  }

  static String batch(List<String> events) {
    return "{\"events\":[" + String.join(",", events) + "]}";
  }

  static Answer send(RunningService to, String token, List<String> events) {
    return to.post(
        "/api/webhook-events/batch",
        batch(events),
        "Authorization",
        "Bearer " + token,
        "Content-Type", // without it, API Gateway would pass the body in base64
        "application/json");
  }

  static JsonNode results(Answer answer) {
    assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
    return answer.body().get("results");
  }

  /** {@code new}, {@code replayed}, or as {@link Batches#told}. */
  static String outcome(JsonNode result) {
    return result.path("status").asInt() == 201
        ? result.get("replayed").booleanValue() ? "replayed" : "new"
        : told(result.get("problem"));
  }

  /** Status and code, and the one fault if there are faults, or else the detail. */
  static String told(JsonNode problem) {
    JsonNode errors = problem.path("errors");
    assertThat(errors.size()).isLessThanOrEqualTo(1);
    return problem.path("status").asText()
        + " "
        + problem.path("code").asText()
        + " "
        + (errors.isEmpty()
            ? problem.path("detail").asText()
            : errors.path(0).path("pointer").asText()
                + " "
                + errors.path(0).path("detail").asText());
  }
}
