package dev.connectorevents.functions.createevent;

import dev.connectorevents.access.Caller;
import dev.connectorevents.event.StoreOutcome;
import dev.connectorevents.event.WebhookEvent;
import dev.connectorevents.eventformat.EventJson;
import dev.connectorevents.eventformat.EventRequest;
import dev.connectorevents.functions.lambda.LogLine;
import dev.connectorevents.http.Fault;
import dev.connectorevents.http.Problem;
import dev.connectorevents.http.ProblemCode;
import dev.connectorevents.http.Reason;
import dev.connectorevents.http.Request;
import dev.connectorevents.http.Response;
import dev.connectorevents.json.Body;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The answer to a batch: a result for each event, and counts of them for the log. */
final class BatchResponse {

  private static final String REPLAYED = "replayed";

  private final Request request;
  private final Caller caller;
  private final List<Map<String, Object>> results = new ArrayList<>();
  private final Map<String, Integer> stored = new TreeMap<>(); // by provider
  private final Map<String, Integer> replayed = new TreeMap<>();
  private final Map<ProblemCode, List<Map<String, Object>>> refused =
      new EnumMap<>(ProblemCode.class); // what names each event
  private int roomForFaults = Reason.MAX_FAULTS;
  private int failed;
  private String error = "";

  private BatchResponse(Request request, Caller caller) {
    this.request = request;
    this.caller = caller;
  }

  static Response of(Request request, Caller caller, List<BatchResult> results) {
    BatchResponse response = new BatchResponse(request, caller);
    results.forEach(response::add);
    return response.response();
  }

  private Response response() {
    Response response =
        Response.json(200, Map.of("results", results))
            .noting("events", results.size())
            .noting(EventResponse.STORED, sum(stored))
            .noting(REPLAYED, sum(replayed))
            .logging(Stream.concat(linesOfProviders(), linesOfCodes()).toList());
    if (!refused.isEmpty()) {
      response =
          response.noting(
              LogLine.CLIENT_ERRORS, refused.values().stream().mapToInt(List::size).sum());
    }
    int reusedKeys = refused.getOrDefault(ProblemCode.IDEMPOTENCY_KEY_REUSED, List.of()).size();
    if (reusedKeys > 0) {
      response = response.noting(EventResponse.REUSED_KEYS, reusedKeys);
    }
    if (failed > 0) {
      response = response.noting(LogLine.SERVER_ERRORS, failed).noting("error", error);
    }
    return response;
  }

  /** A line for each provider: a metric filter cannot count a part of a line. */
  private Stream<Map<String, Object>> linesOfProviders() {
    return Stream.concat(stored.keySet().stream(), replayed.keySet().stream())
        .distinct()
        .map(provider -> {
          Map<String, Object> line = line();
          line.put(EventResponse.PROVIDER, provider);
          line.put(EventResponse.COUNTED_AS, EventResponse.countedAs(provider, caller));
          line.put(EventResponse.STORED, stored.getOrDefault(provider, 0));
          line.put(REPLAYED, replayed.getOrDefault(provider, 0));
          return line;
        });
  }

  /** A line for each code of refused events, for the same reason. */
  private Stream<Map<String, Object>> linesOfCodes() {
    return refused.entrySet().stream()
        .filter(refusal -> EventResponse.mayBeLost(refusal.getKey()))
        .map(refusal -> {
          Map<String, Object> line = line();
          line.put("code", refusal.getKey().text());
          line.put(EventResponse.REFUSED, refusal.getValue().size());
          line.put("refused_events", refusal.getValue());
          return line;
        });
  }

  private Map<String, Object> line() {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("request_id", request.id());
    line.put("user_id", caller.user().id().toString());
    return line;
  }

  private static int sum(Map<?, Integer> counts) {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }

  private void add(BatchResult result) {
    switch (result) {
      case BatchResult.Tried(_, StoreOutcome.Stored(WebhookEvent event)) -> {
        stored.merge(event.type().provider(), 1, Integer::sum);
        addEvent(event, false);
      }
      case BatchResult.Tried(_, StoreOutcome.Replayed(WebhookEvent first)) -> {
        replayed.merge(first.type().provider(), 1, Integer::sum);
        addEvent(first, true);
      }
      case BatchResult.Tried(EventRequest event, StoreOutcome.Refused why) ->
          addRefusal(EventResponse.reason(why, caller), EventResponse.named(event));
      case BatchResult.Invalid(Body.Invalid<EventRequest> event) -> addFaults(event);
      case BatchResult.OutOfScope(EventRequest event, Reason reason) ->
          addRefusal(reason, EventResponse.named(event));
      case BatchResult.Tried(_, StoreOutcome.Unknown(RuntimeException failure)) -> {
        failed++;
        error = LogLine.error(failure); // one is enough: they mostly have the same cause
        addProblem(Reason.of(failure));
      }
    }
  }

  private void addEvent(WebhookEvent event, boolean isReplayed) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("status", 201);
    result.put("event", EventJson.membersInBatch(event));
    result.put("replayed", isReplayed);
    results.add(result);
  }

  private void addFaults(Body.Invalid<EventRequest> invalid) {
    List<Fault> faults = invalid.faults();
    String subject = "The event with index " + results.size();
    Map<String, Object> event = new LinkedHashMap<>(); // its type and its key may be what is wrong
    event.put("index", results.size());
    event.put("pointers", faults.stream().map(Fault::pointer).map(LogLine::shortened).toList());
    event.putAll(EventResponse.named(invalid));
    addRefusal(Reason.invalid(subject, faults, roomForFaults), event);
    roomForFaults = Math.max(0, roomForFaults - faults.size());
  }

  private void addRefusal(Reason why, Map<String, Object> event) {
    refused.computeIfAbsent(why.code(), _ -> new ArrayList<>()).add(event);
    addProblem(why);
  }

  private void addProblem(Reason why) {
    Map<String, Object> problem = Problem.body(request.id(), why);
    problem.put("index", results.size());
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("status", why.code().status());
    result.put("problem", problem);
    results.add(result);
  }
}
