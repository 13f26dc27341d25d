package dev.connectorevents.bench.coldstart;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** What a function may answer for its time to count. */
final class Answers {

  private static final ObjectMapper JSON = new ObjectMapper();

  private Answers() {}

  /** A status of 2xx or, of a function without a route, no problem's code. */
  static boolean isSuccess(String answer) {
    try {
      JsonNode json = JSON.readTree(answer);
      return json.has("statusCode") ? json.get("statusCode").asInt() / 100 == 2 : !json.has("code");
    } catch (JsonProcessingException e) {
      return false;
    }
  }
}
