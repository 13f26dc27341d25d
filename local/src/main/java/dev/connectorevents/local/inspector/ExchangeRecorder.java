package dev.connectorevents.local.inspector;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.connectorevents.dynamodb.ItemSize;
import dev.connectorevents.emulator.dynamodb.CapacityMeter.Write;
import dev.connectorevents.emulator.gateway.Exchange;
import dev.connectorevents.emulator.lambda.Call;
import dev.connectorevents.emulator.lambda.Invocation;
import dev.connectorevents.http.Fault;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Records an exchange without passwords and tokens. */
record ExchangeRecorder(RequestHints hints) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final JsonNode NONE = MissingNode.getInstance();

  /** What a pointer into an event of a batch begins with. */
  private static final Pattern IN_BATCH = Pattern.compile("^/events/\\d+(?=/)");

  /** Longer answers have no problem and no new event, but payloads. */
  private static final int MAX_ANSWER = 512 * 1024;

  RecordedExchange recorded(Exchange exchange) {
    String body = new String(exchange.body(), UTF_8);
    String masked = Masking.maskBody(exchange.path(), body);
    boolean isMasked = !masked.equals(body);
    String answer = new String(exchange.answer().body(), UTF_8);
    Map<String, String> answerHeaders = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    exchange.answer().headers().forEach(each -> answerHeaders.put(each.getKey(), each.getValue()));
    Map<String, String> headers = Masking.maskHeaders(exchange.headers());
    RequestRow row = row(exchange, headers, SentBody.of(masked), answer, answerHeaders);
    return new RecordedExchange(
        row,
        headers,
        masked,
        isMasked,
        marks(masked, isMasked, row),
        Masking.maskHeaders(answerHeaders),
        Masking.mask(answer),
        exchange.call().map(Call::log).orElse(List.of()));
  }

  /** The line and the column of malformed JSON are those of the text before it was masked. */
  private static List<FaultPlace> marks(String body, boolean isMasked, RequestRow row) {
    if (row.status() == 400) {
      return isMasked ? List.of() : FaultPlace.named(body, String.valueOf(row.detail()));
    }
    return FaultPlace.of(body, row.faults());
  }

  private RequestRow row(
      Exchange exchange,
      Map<String, String> headers,
      SentBody sent,
      String answerText,
      Map<String, String> answerHeaders) {
    JsonNode answer = answerText.length() > MAX_ANSWER ? NONE : json(answerText);
    List<Fault> faults = faults(answer);
    String query = exchange.query().isEmpty() ? "" : "?" + Masking.mask(exchange.query());
    return new RequestRow(
        exchange.id(),
        exchange.receivedAt().toString(),
        exchange.method(),
        Masking.maskTokens(exchange.path()) + query,
        exchange.answer().status(),
        text(answer, "/code"),
        text(answer, "/detail"),
        sent.eventType(),
        sent.brand(),
        answer.has("results") ? null : key(headers, sent),
        answerHeaders.containsKey("idempotency-replayed"),
        answer.has("event_type") ? text(answer, "/id") : null,
        exchange.body().length,
        exchange.call().map(call -> stored(call.writes())).orElse(null),
        batch(answer.path("results")),
        Math.round(exchange.duration().toNanos() / 1e4) / 1e2,
        exchange.call().map(ExchangeRecorder::error).orElse(null),
        faults,
        hints.of(exchange, notRefused(sent.members(), faults)));
  }

  private static @Nullable String key(Map<String, String> headers, SentBody sent) {
    String header = headers.get("idempotency-key");
    return header == null ? sent.key() : header;
  }

  /** What the service refuses it does not ignore. */
  private static Set<String> notRefused(Set<String> members, List<Fault> faults) {
    Set<String> refused =
        faults.stream()
            .map(fault -> IN_BATCH.matcher(fault.pointer()).replaceFirst(""))
            .collect(Collectors.toSet());
    Set<String> others = new LinkedHashSet<>(members);
    others.removeIf(name -> refused.contains(Fault.pointer("", name)));
    return others;
  }

  private static RequestRow.@Nullable Stored stored(List<Write> writes) {
    if (writes.isEmpty()) {
      return null;
    }
    return new RequestRow.Stored(
        writes.stream().mapToInt(write -> write.items().size()).sum(),
        writes.stream().flatMap(write -> write.items().stream()).mapToLong(ItemSize::of).sum(),
        writes.stream().mapToDouble(Write::tableUnits).sum(),
        writes.stream().mapToDouble(Write::indexUnits).sum());
  }

  /** From the log, or from Lambda if the function did not get so far. */
  private static @Nullable String error(Call call) {
    return call.log().stream()
        .map(line -> text(json(line), "/error"))
        .filter(error -> error != null)
        .findFirst()
        .orElse(
            call.outcome() instanceof Invocation.Failed failed
                ? failed.errorType() + ": " + failed.errorMessage()
                : null);
  }

  private static RequestRow.@Nullable Batch batch(JsonNode results) {
    if (results.isMissingNode()) {
      return null;
    }
    int replayed = 0;
    int refused = 0;
    int failed = 0;
    for (JsonNode result : results) {
      int status = result.path("status").intValue();
      replayed += result.path("replayed").booleanValue() ? 1 : 0;
      refused += status / 100 == 4 ? 1 : 0;
      failed += status / 100 == 5 ? 1 : 0;
    }
    int stored = results.size() - replayed - refused - failed;
    return new RequestRow.Batch(results.size(), stored, replayed, refused, failed);
  }

  /** Pointers of a batch begin at the body, as those of its text do. */
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

  private static @Nullable String text(JsonNode object, String pointer) {
    return object.at(pointer).textValue();
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
