package dev.connectorevents.local.inspector;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.connectorevents.emulator.function.Invocation;
import dev.connectorevents.emulator.function.RecordedInvocation;
import dev.connectorevents.http.Fault;
import dev.connectorevents.local.inspector.RequestOutcome.BatchOfEvents;
import dev.connectorevents.local.inspector.RequestOutcome.MissingKeys;
import dev.connectorevents.local.inspector.RequestOutcome.NoEvent;
import dev.connectorevents.local.inspector.RequestOutcome.OneEvent;
import dev.connectorevents.local.inspector.RequestOutcome.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads what became of a request from its answer, and from what its function has logged. */
final class OutcomeReader {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final JsonNode NONE = MissingNode.getInstance();

  /** In characters. A longer answer can only hold stored payloads, so it is not parsed. */
  private static final int MAX_ANSWER = 512 * 1024;

  private OutcomeReader() {}

  static RequestOutcome outcome(String answerText, boolean isReplayed) {
    JsonNode answer = answerText.length() > MAX_ANSWER ? NONE : json(answerText);
    List<Fault> faults = faults(answer);
    if (answer.has("results")) {
      return new BatchOfEvents(
          answer.path("results").valueStream().map(NoteKind::of).toList(), faults);
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

  /**
   * Why the service failed: from the log, or from Lambda if the function failed before it logged.
   */
  static Optional<String> error(RecordedInvocation call) {
    return call.log().stream()
        .map(line -> json(line).path("error"))
        .filter(JsonNode::isTextual)
        .map(JsonNode::asText)
        .findFirst()
        .or(() ->
            call.outcome() instanceof Invocation.Failed failed
                ? Optional.of(failed.errorType() + ": " + failed.errorMessage())
                : Optional.empty());
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

  private static JsonNode json(String text) {
    try {
      JsonNode json = JSON.readTree(text);
      return json == null ? NONE : json;
    } catch (JsonProcessingException e) {
      return NONE;
    }
  }
}
