package dev.connectorevents.functions.eraseevents;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.event.Erasure;
import dev.connectorevents.functions.lambda.LogLine;
import dev.connectorevents.functions.resilience.RequestDeadline;
import dev.connectorevents.functions.wiring.Wiring;
import dev.connectorevents.http.Json;
import dev.connectorevents.http.Problem;
import dev.connectorevents.http.ProblemCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The Lambda function for {@link EraseEvents}. Operators invoke it with IAM; it never has a route.
 */
public final class EraseEventsFunction implements RequestStreamHandler {

  private final EraseEvents eraseEvents;

  public EraseEventsFunction() {
    this(System.getenv());
  }

  public EraseEventsFunction(Map<String, String> environment) {
    this(new Wiring(environment));
  }

  public EraseEventsFunction(Wiring wiring) {
    this(
        new EraseEvents(
            wiring.erasableEvents(),
            wiring.erasureLedger(),
            wiring.sideBySide(),
            wiring.random(),
            wiring.clock(),
            wiring.indexLag(),
            wiring.backups()));
  }

  EraseEventsFunction(EraseEvents eraseEvents) {
    this.eraseEvents = eraseEvents;
  }

  @Override
  public void handleRequest(InputStream input, OutputStream output, Context context)
      throws IOException {
    Map<String, Object> line = LogLine.begin(context);
    try {
      EraseEventsRequest request = EraseEventsRequest.of(input.readAllBytes());
      Map<String, Object> answer =
          RequestDeadline.within(
              Duration.ofMillis(context.getRemainingTimeInMillis()),
              () -> answer(context.getAwsRequestId(), request, line));
      output.write(Json.write(answer).getBytes(UTF_8));
      line.put("outcome", answer.getOrDefault("code", "done"));
    } finally {
      line.putIfAbsent("outcome", "failed"); // the runtime logs the exception, with its stack
      context.getLogger().log(LogLine.of(line));
    }
  }

  private Map<String, Object> answer(
      String requestId, EraseEventsRequest request, Map<String, Object> line) {
    try {
      return switch (request) {
        case EraseEventsRequest.Erase erase -> erase(erase, line);
        case EraseEventsRequest.Show(var erasureId) -> {
          line.put("erasure_id", erasureId.toString());
          yield show(requestId, eraseEvents.find(erasureId));
        }
        case EraseEventsRequest.ListProofs(var after) ->
            EraseEventsAnswer.of(eraseEvents.list(after));
        case EraseEventsRequest.Invalid(var faults) -> Problem.invalidBody(requestId, faults);
        case EraseEventsRequest.Malformed() ->
            Problem.body(
                requestId,
                ProblemCode.MALFORMED_JSON,
                "The event must be one JSON object in UTF-8, and no name may appear twice.");
      };
    } catch (DependencyUnavailableException e) {
      line.put("error", LogLine.causes(e));
      return Problem.body(
          requestId,
          ProblemCode.TEMPORARILY_UNAVAILABLE,
          "A service that this one depends on does not answer. Send the same request again.");
    }
  }

  private Map<String, Object> erase(EraseEventsRequest.Erase request, Map<String, Object> line) {
    line.put("selector", request.selector().kind());
    line.put("dry_run", request.isDryRun());
    Map<String, Object> answer = EraseEventsAnswer.of(eraseEvents.erase(request), request.digest());
    for (String figure : new String[] {"erasure_id", "matched", "erased", "complete"}) {
      if (answer.containsKey(figure)) {
        line.put(figure, answer.get(figure));
      }
    }
    return answer;
  }

  private static Map<String, Object> show(String requestId, Optional<Erasure> erasure) {
    return erasure
        .map(EraseEventsAnswer::of)
        .orElseGet(() -> Problem.body(requestId, ProblemCode.NOT_FOUND, "No erasure has this id."));
  }
}
