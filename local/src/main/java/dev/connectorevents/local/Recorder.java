package dev.connectorevents.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.connectorevents.dynamodb.ItemSize;
import dev.connectorevents.emulator.dynamodb.CapacityMeter.Write;
import dev.connectorevents.emulator.gateway.Exchange;
import dev.connectorevents.emulator.lambda.Call;
import dev.connectorevents.http.Fault;
import dev.connectorevents.http.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps each exchange for the inspector, without passwords and tokens, and prints it.
 *
 * @param rows prints
 */
record Recorder(Hints hints, History history, Consumer<Row> rows) implements Consumer<Exchange> {

  private static final ObjectMapper JSON = new ObjectMapper(Json.FACTORY);

  @Override
  public void accept(Exchange exchange) {
    Recorded recorded = recorded(exchange);
    history.add(recorded);
    rows.accept(recorded.row());
  }

  private Recorded recorded(Exchange exchange) {
    String body = new String(exchange.body(), UTF_8);
    String masked = Secrets.mask(body);
    String answer = new String(exchange.answer().body(), UTF_8);
    Map<String, String> answerHeaders = new LinkedHashMap<>();
    exchange.answer().headers().forEach(each -> answerHeaders.put(each.getKey(), each.getValue()));
    Row row = row(exchange, json(body), json(answer));
    return new Recorded(
        row,
        Secrets.maskHeaders(exchange.headers()),
        masked,
        !masked.equals(body),
        marks(masked, row),
        Secrets.maskHeaders(answerHeaders),
        Secrets.mask(answer),
        exchange.call().map(Call::log).orElse(List.of()));
  }

  private static List<Mark> marks(String body, Row row) {
    return row.status() == 400
        ? Mark.ofPlace(body, String.valueOf(row.detail()))
        : Mark.of(body, row.faults());
  }

  private Row row(Exchange exchange, JsonNode body, JsonNode answer) {
    return new Row(
        exchange.id(),
        exchange.receivedAt().toString(),
        exchange.method(),
        exchange.path() + (exchange.query().isEmpty() ? "" : "?" + Secrets.mask(exchange.query())),
        exchange.answer().status(),
        text(answer, "/code"),
        text(answer, "/detail"),
        text(body, "/event_type"),
        text(body, "/payload/_meta/brand_id"),
        exchange.headers().get("idempotency-key"),
        exchange.answer().headers().stream()
            .anyMatch(header -> header.getKey().equalsIgnoreCase("idempotency-replayed")),
        answer.has("event_type") ? text(answer, "/id") : null,
        exchange.body().length,
        exchange.call().map(call -> stored(call.writes())).orElse(null),
        Math.round(exchange.duration().toNanos() / 1e4) / 1e2,
        exchange.call().map(call -> error(call.log())).orElse(null),
        faults(answer.path("errors")),
        hints.of(exchange, body));
  }

  private static Row.@Nullable Stored stored(List<Write> writes) {
    if (writes.isEmpty()) {
      return null;
    }
    return new Row.Stored(
        writes.stream().mapToInt(write -> write.items().size()).sum(),
        writes.stream().flatMap(write -> write.items().stream()).mapToLong(ItemSize::of).sum(),
        writes.stream().mapToDouble(Write::tableUnits).sum(),
        writes.stream().mapToDouble(Write::indexUnits).sum());
  }

  private static @Nullable String error(List<String> log) {
    return log.stream()
        .map(line -> text(json(line), "/error"))
        .filter(error -> error != null)
        .findFirst()
        .orElse(null);
  }

  private static List<Fault> faults(JsonNode errors) {
    List<Fault> faults = new ArrayList<>();
    for (JsonNode error : errors) {
      faults.add(new Fault(error.path("pointer").asText(), error.path("detail").asText()));
    }
    return faults;
  }

  private static @Nullable String text(JsonNode object, String pointer) {
    return object.at(pointer).textValue();
  }

  private static JsonNode json(String text) {
    try {
      JsonNode json = JSON.readTree(text);
      return json == null ? MissingNode.getInstance() : json;
    } catch (JsonProcessingException e) {
      return MissingNode.getInstance();
    }
  }
}
