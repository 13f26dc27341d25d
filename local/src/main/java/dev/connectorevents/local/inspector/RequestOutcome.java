package dev.connectorevents.local.inspector;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.connectorevents.http.Fault;
import dev.connectorevents.local.inspector.RowNote.Meaning;
import java.util.ArrayList;
import java.util.List;

/**
 * What became of a request, read from its answer. The page gets it as JSON, and tells the kinds
 * apart by their members.
 */
sealed interface RequestOutcome {

  /** The broken rules, at most 100. */
  default List<Fault> faults() {
    return List.of();
  }

  /** The service has answered with a problem. */
  record Refusal(String code, String detail, List<Fault> faults) implements RequestOutcome {}

  /**
   * The service has judged each event of a batch.
   *
   * @param events what became of each
   * @param faults the broken rules of its events, and their other problems
   */
  record BatchOfEvents(List<Meaning> events, List<Fault> faults) implements RequestOutcome {}

  /** The answer is an event: a new one, one stored before, or one that was read. */
  record OneEvent(String eventId, boolean isReplayed) implements RequestOutcome {}

  /** The answer names the keys without an event. */
  record MissingKeys(int missing) implements RequestOutcome {}

  /** The answer is anything else. */
  record NoEvent() implements RequestOutcome {}

  static RequestOutcome of(String answerText, boolean isReplayed) {
    // A longer answer can only hold stored payloads.
    JsonNode answer = json(answerText.length() > 512 * 1024 ? "" : answerText);
    List<Fault> faults = faults(answer);
    if (answer.has("results")) {
      return new BatchOfEvents(
          answer.path("results").valueStream().map(Meaning::of).toList(), faults);
    }
    if (answer.path("code").isTextual() || !faults.isEmpty()) {
      return new Refusal(answer.path("code").asText(), answer.path("detail").asText(), faults);
    }
    if (answer.path("missing").isArray()) {
      return new MissingKeys(answer.path("missing").size());
    }
    return answer.has("event_type") && answer.path("id").isTextual()
        ? new OneEvent(answer.path("id").asText(), isReplayed)
        : new NoEvent();
  }

  /** A text as JSON; a missing node if it is none. */
  static JsonNode json(String text) {
    try {
      return new ObjectMapper().readTree(text);
    } catch (JsonProcessingException e) {
      return MissingNode.getInstance();
    }
  }

  /** A batch answers with pointers into each event: this prefixes them with the event's own. */
  private static List<Fault> faults(JsonNode answer) {
    List<Fault> faults = new ArrayList<>(faults("", answer.path("errors")));
    for (JsonNode result : answer.path("results")) {
      JsonNode problem = result.path("problem");
      String event = "/events/" + problem.path("index").asText();
      List<Fault> ofEvent = faults(event, problem.path("errors"));
      faults.addAll(ofEvent);
      if (ofEvent.isEmpty() && problem.isObject()) {
        String code = problem.path("code").asText();
        faults.add(new Fault(event, code + ": " + problem.path("detail").asText()));
      }
    }
    return faults;
  }

  private static List<Fault> faults(String event, JsonNode errors) {
    return errors
        .valueStream()
        .map(error ->
            new Fault(event + error.path("pointer").asText(), error.path("detail").asText()))
        .toList();
  }
}
