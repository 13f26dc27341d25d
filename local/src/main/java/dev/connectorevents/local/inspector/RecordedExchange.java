package dev.connectorevents.local.inspector;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.emulator.function.Invocation;
import dev.connectorevents.emulator.function.RecordedInvocation;
import dev.connectorevents.emulator.gateway.Exchange;
import dev.connectorevents.http.Fault;
import dev.connectorevents.local.inspector.RequestOutcome.BatchOfEvents;
import dev.connectorevents.local.inspector.RequestRow.EventSummary;
import dev.connectorevents.local.inspector.RequestRow.ExchangeSummary;
import dev.connectorevents.local.inspector.RequestRow.StoredItems;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A request and its answer, without passwords and tokens.
 *
 * @param isMasked whether the body had any
 * @param log the function's lines
 */
record RecordedExchange(
    RequestRow row,
    Map<String, String> headers,
    String body,
    boolean isMasked,
    Map<String, String> answerHeaders,
    String answer,
    List<String> log) {

  /** What a pointer into an event of a batch begins with. */
  private static final Pattern IN_BATCH = Pattern.compile("^/events/\\d+(?=/)");

  static RecordedExchange of(Exchange exchange, RequestHints hints) {
    String body = new String(exchange.body(), UTF_8);
    String masked = Masking.maskBody(exchange.path(), body);
    Map<String, String> headers = Masking.maskHeaders(exchange.headers());
    Map<String, String> answerHeaders = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    exchange.answer().headers().forEach(each -> answerHeaders.put(each.getKey(), each.getValue()));
    String answer = new String(exchange.answer().body(), UTF_8);
    RequestOutcome outcome =
        RequestOutcome.of(answer, answerHeaders.containsKey("idempotency-replayed"));
    SentBody sent = SentBody.of(masked);
    return new RecordedExchange(
        new RequestRow(
            ExchangeSummary.of(exchange),
            hints.operation(exchange),
            event(headers, sent, outcome),
            outcome,
            exchange.call().map(call -> StoredItems.of(call.writes())).orElse(null),
            exchange.call().flatMap(RecordedExchange::error).orElse(null),
            hints.of(exchange, notRefused(sent.members(), outcome.faults()), sent.slips())),
        headers,
        masked,
        !masked.equals(body),
        Masking.maskHeaders(answerHeaders),
        Masking.mask(answer),
        exchange.call().map(RecordedInvocation::log).orElse(List.of()));
  }

  String id() {
    return row.exchange().id();
  }

  /** About how many bytes of memory it takes. */
  @JsonIgnore
  long size() {
    return 4_000L + 2L * (body.length() + answer.length() + headers.toString().length());
  }

  private static EventSummary event(
      Map<String, String> headers, SentBody sent, RequestOutcome outcome) {
    String key = headers.getOrDefault("idempotency-key", sent.key());
    return new EventSummary(
        sent.eventType(), sent.brand(), outcome instanceof BatchOfEvents ? null : key);
  }

  /**
   * Why the service failed: from the log, or from Lambda if the function failed before it logged.
   */
  private static Optional<String> error(RecordedInvocation call) {
    return call.log().stream()
        .map(line -> RequestOutcome.json(line).path("error"))
        .filter(JsonNode::isTextual)
        .map(JsonNode::asText)
        .findFirst()
        .or(() ->
            call.outcome() instanceof Invocation.Failed failed
                ? Optional.of(failed.errorType() + ": " + failed.errorMessage())
                : Optional.empty());
  }

  /** Drops the hints about members that the service refused: it did not ignore these. */
  private static Set<String> notRefused(Set<String> members, List<Fault> faults) {
    Set<String> refused =
        faults.stream()
            .map(fault -> IN_BATCH.matcher(fault.pointer()).replaceFirst(""))
            .collect(Collectors.toSet());
    Set<String> others = new LinkedHashSet<>(members);
    others.removeIf(name -> refused.contains(Fault.pointer("", name)));
    return others;
  }
}
