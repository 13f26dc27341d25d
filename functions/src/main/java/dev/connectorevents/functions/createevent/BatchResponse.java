package dev.connectorevents.functions.createevent;

import dev.connectorevents.access.Caller;
import dev.connectorevents.event.StoreOutcome;
import dev.connectorevents.event.WebhookEvent;
import dev.connectorevents.eventformat.EventJson;
import dev.connectorevents.functions.lambda.LogLine;
import dev.connectorevents.http.Fault;
import dev.connectorevents.http.Problem;
import dev.connectorevents.http.Reason;
import dev.connectorevents.http.Request;
import dev.connectorevents.http.Response;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The answer to a batch: a result for each event, and counts of them for the log. */
final class BatchResponse {

  private static final String STORED = "stored";
  private static final String REPLAYED = "replayed";

  private final Request request;
  private final Caller caller;
  private final List<Map<String, Object>> results = new ArrayList<>();
  private final Map<String, Integer> stored = new TreeMap<>(); // by provider
  private final Map<String, Integer> replayed = new TreeMap<>();
  private int roomForFaults = Reason.MAX_FAULTS;
  private int refused;
  private int reusedKeys;
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
            .noting(STORED, sum(stored))
            .noting(REPLAYED, sum(replayed))
            .logging(linesOfProviders());
    if (refused > 0) {
      response = response.noting(LogLine.CLIENT_ERRORS, refused);
    }
    if (reusedKeys > 0) {
      response = response.noting(EventResponse.REUSED_KEYS, reusedKeys);
    }
    if (failed > 0) {
      response = response.noting(LogLine.SERVER_ERRORS, failed).noting("error", error);
    }
    return response;
  }

  /** A line for each provider: a metric filter cannot count a part of a line. */
  private List<Map<String, Object>> linesOfProviders() {
    return Stream.concat(stored.keySet().stream(), replayed.keySet().stream())
        .distinct()
        .map(this::lineOf)
        .toList();
  }

  private Map<String, Object> lineOf(String provider) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("request_id", request.id());
    line.put("user_id", caller.user().id().toString());
    line.put("provider", provider);
    line.put(STORED, stored.getOrDefault(provider, 0));
    line.put(REPLAYED, replayed.getOrDefault(provider, 0));
    return line;
  }

  private static int sum(Map<String, Integer> counts) {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }

  private void add(BatchResult result) {
    switch (result) {
      case BatchResult.Tried(StoreOutcome.Stored(WebhookEvent event)) -> {
        stored.merge(event.type().provider(), 1, Integer::sum);
        addEvent(event, false);
      }
      case BatchResult.Tried(StoreOutcome.Replayed(WebhookEvent first)) -> {
        replayed.merge(first.type().provider(), 1, Integer::sum);
        addEvent(first, true);
      }
      case BatchResult.Tried(StoreOutcome.Refused event) -> {
        refused++;
        reusedKeys += event instanceof StoreOutcome.KeyReused ? 1 : 0;
        addProblem(EventResponse.reason(event, caller));
      }
      case BatchResult.Invalid(List<Fault> faults) -> {
        refused++;
        addFaults(faults);
      }
      case BatchResult.OutOfScope(Reason reason) -> {
        refused++;
        addProblem(reason);
      }
      case BatchResult.Tried(StoreOutcome.Unknown(RuntimeException failure)) -> {
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

  private void addFaults(List<Fault> faults) {
    String subject = "The event with index " + results.size();
    addProblem(Reason.invalid(subject, faults, roomForFaults));
    roomForFaults = Math.max(0, roomForFaults - faults.size());
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
