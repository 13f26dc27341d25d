package dev.connectorevents.acceptance.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import java.util.ArrayList;
import java.util.List;

/** Makes and sends batches of events, and reads the results. */
public final class Batches {

  public static final String TYPE = "{\"event_type\":\"shopify.orders/create\",";

  private Batches() {}

  public static String event(String key, String payload) {
    return TYPE + "\"idempotency_key\":\"%s\",\"payload\":%s}".formatted(key, payload);
  }

  public static String batch(List<String> events) {
    return "{\"events\":[" + String.join(",", events) + "]}";
  }

  public static Answer send(World to, String token, List<String> events) {
    return to.client()
        .post(
            "/api/webhook-events/batch",
            batch(events),
            "Authorization",
            "Bearer " + token,
            "Content-Type", // without it, API Gateway would pass the body in base64
            "application/json");
  }

  public static JsonNode results(Answer answer) {
    assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
    return answer.body().get("results");
  }

  /**
   * The outcome of one event of a batch: {@code new}, {@code replayed}, or the problem in the
   * format of {@link Batches#inOneLine}.
   */
  public static String outcome(JsonNode result) {
    return result.path("status").asInt() == 201
        ? result.get("replayed").booleanValue() ? "replayed" : "new"
        : inOneLine(result.get("problem"));
  }

  /**
   * A problem in one line: its status, its code, and then the only entry of its {@code errors}. If
   * there is none, the line ends with the problem's {@code detail}.
   */
  public static String inOneLine(JsonNode problem) {
    List<String> faults = new ArrayList<>();
    for (JsonNode fault : problem.path("errors")) {
      faults.add(fault.path("pointer").asText() + " " + fault.path("detail").asText());
    }
    return problem.path("status").asText()
        + " "
        + problem.path("code").asText()
        + " "
        + (faults.isEmpty() ? problem.path("detail").asText() : String.join("; ", faults));
  }
}
