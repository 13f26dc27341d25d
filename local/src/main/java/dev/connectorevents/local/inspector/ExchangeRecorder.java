package dev.connectorevents.local.inspector;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.emulator.function.RecordedInvocation;
import dev.connectorevents.emulator.gateway.Exchange;
import dev.connectorevents.http.Fault;
import dev.connectorevents.local.inspector.RequestOutcome.BatchOfEvents;
import dev.connectorevents.local.inspector.RequestOutcome.Refusal;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Records an exchange without passwords and tokens. */
record ExchangeRecorder(RequestHints hints) {

  /** What a pointer into an event of a batch begins with. */
  private static final Pattern IN_BATCH = Pattern.compile("^/events/\\d+(?=/)");

  RecordedExchange recorded(Exchange exchange) {
    String body = new String(exchange.body(), UTF_8);
    String masked = Masking.maskBody(exchange.path(), body);
    boolean isMasked = !masked.equals(body);
    Map<String, String> headers = Masking.maskHeaders(exchange.headers());
    Map<String, String> answerHeaders = answerHeaders(exchange);
    String answer = new String(exchange.answer().body(), UTF_8);
    RequestOutcome outcome =
        OutcomeReader.outcome(answer, answerHeaders.containsKey("idempotency-replayed"));
    RequestRow row = row(exchange, headers, SentBody.of(masked), outcome);
    return new RecordedExchange(
        row,
        headers,
        masked,
        isMasked,
        faultPlaces(masked, isMasked, row),
        answerHeaders,
        Masking.mask(answer),
        exchange.call().map(RecordedInvocation::log).orElse(List.of()));
  }

  private static Map<String, String> answerHeaders(Exchange exchange) {
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    exchange.answer().headers().forEach(each -> headers.put(each.getKey(), each.getValue()));
    return Masking.maskHeaders(headers);
  }

  private RequestRow row(
      Exchange exchange, Map<String, String> headers, SentBody sent, RequestOutcome outcome) {
    return new RequestRow(
        ExchangeSummary.of(exchange),
        hints.operation(exchange),
        event(headers, sent, outcome),
        outcome,
        exchange.call().map(call -> StoredItems.of(call.writes())).orElse(null),
        exchange.call().flatMap(OutcomeReader::error).orElse(null),
        hints.of(exchange, notRefused(sent.members(), outcome.faults()), sent.slips()));
  }

  private static EventSummary event(
      Map<String, String> headers, SentBody sent, RequestOutcome outcome) {
    String header = headers.get("idempotency-key");
    String key = header == null ? sent.key() : header;
    boolean isBatch = outcome instanceof BatchOfEvents;
    return new EventSummary(sent.eventType(), sent.brand(), isBatch ? null : key);
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

  /** The line and the column of malformed JSON are those of the text before it was masked. */
  private static List<FaultPlace> faultPlaces(String body, boolean isMasked, RequestRow row) {
    if (row.exchange().status() == 400 && row.outcome() instanceof Refusal refusal) {
      return isMasked ? List.of() : FaultPlace.named(body, refusal.detail());
    }
    return FaultPlace.of(body, row.outcome().faults());
  }
}
