package dev.connectorevents.acceptance.storm;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One attempt to store one event, alone or in a batch.
 *
 * @param status the status of the answer; in a successful batch, the status of the event's own
 *     result. It is 0 if there was no answer, and 500 if the batch has no result for the event
 * @param answer the stored event or the problem; a {@link MissingNode} if there is neither
 */
record Attempt(ClientCall call, Event event, int status, boolean isReplayed, JsonNode answer) {

  static List<Attempt> in(ClientCall call) {
    return switch (call.route()) {
      case EVENT -> List.of(alone(call, call.events().getFirst()));
      case BATCH -> inBatch(call);
      case LOGIN, READ, LIST -> List.of();
    };
  }

  private static Attempt alone(ClientCall call, Event event) {
    return new Attempt(
        call, event, call.status(), call.headers().containsKey("idempotency-replayed"), json(call));
  }

  private static List<Attempt> inBatch(ClientCall call) {
    if (!call.isOk()) {
      return call.events().stream().map(event -> alone(call, event)).toList();
    }
    JsonNode results = json(call).path("results");
    return IntStream.range(0, call.events().size())
        .mapToObj(i -> inBatch(call, call.events().get(i), results.path(i)))
        .toList();
  }

  private static Attempt inBatch(ClientCall call, Event event, JsonNode result) {
    int status = result.path("status").asInt(500); // without a result, the outcome is unknown
    return new Attempt(
        call,
        event,
        status,
        result.path("replayed").booleanValue(),
        status == 201 ? result.path("event") : result.path("problem"));
  }

  private static JsonNode json(ClientCall call) {
    return Stream.of(call.body())
        .filter(body -> !body.isEmpty())
        .map(body -> Client.json(body.getBytes(UTF_8)))
        .findFirst()
        .orElse(MissingNode.getInstance());
  }

  boolean isAcknowledged() {
    return status == 201;
  }

  /** The id of the stored event. Only an acknowledged attempt has it. */
  String id() {
    return answer.path("id").asText();
  }

  /** When the stored event was created. Only an acknowledged attempt has this time. */
  Instant createdAt() {
    return Instant.parse(answer.path("created_at").asText());
  }

  /** Whether the service refused the event because the event under its key was erased. */
  boolean isErased() {
    return status == 410;
  }

  boolean mayHaveStored() {
    return isAcknowledged() || isUnknown();
  }

  boolean isUnknown() {
    return status == 0 || status >= 500;
  }

  boolean isConflict() {
    return status == 422 && answer.path("code").asText().equals("idempotency_key_reused");
  }
}
