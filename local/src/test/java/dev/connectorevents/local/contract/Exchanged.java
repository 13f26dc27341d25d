package dev.connectorevents.local.contract;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.Gzip;
import dev.connectorevents.emulator.gateway.Exchange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A request and its answer, as far as the contract says something about them.
 *
 * @param query decoded
 * @param requestHeaders by lower-cased name
 * @param request the body. Of a payload, only {@code _meta} is left: the rest is free
 * @param headers of the answer, by lower-cased name
 */
public record Exchanged(
    String method,
    String path,
    Map<String, String> query,
    Map<String, String> requestHeaders,
    String request,
    int status,
    Map<String, String> headers,
    String answer) {

  /** Reads any number and any name, as the service does. */
  static final ObjectMapper JSON =
      new ObjectMapper(
          JsonFactory.builder()
              .enable(JsonWriteFeature.ESCAPE_NON_ASCII) // half a surrogate pair has no UTF-8
              .streamReadConstraints(
                  StreamReadConstraints.builder()
                      .maxNumberLength(Integer.MAX_VALUE)
                      .maxStringLength(Integer.MAX_VALUE)
                      .maxNameLength(Integer.MAX_VALUE)
                      .build())
              .build());

  private static final List<String> DOCUMENTED_OR_STANDARD =
      List.of(
          "content-type",
          "content-encoding",
          "authorization",
          "idempotency-key",
          "accept-encoding",
          "if-none-match");

  public static Exchanged of(Exchange exchange) {
    Map<String, String> sent = new TreeMap<>(exchange.headers());
    sent.keySet().retainAll(DOCUMENTED_OR_STANDARD);
    Map<String, String> headers = new TreeMap<>();
    exchange
        .answer()
        .headers()
        .forEach(
            header -> headers.put(header.getKey().toLowerCase(Locale.ROOT), header.getValue()));
    return new Exchanged(
        exchange.method(),
        exchange.path(),
        query(exchange.query()),
        sent,
        withoutPayload(exchange.body()),
        exchange.answer().status(),
        headers,
        answer(exchange.path(), decoded(exchange.answer().body(), headers)));
  }

  private static Map<String, String> query(String raw) {
    Map<String, String> query = new TreeMap<>();
    for (String parameter : raw.isEmpty() ? new String[0] : raw.split("&", -1)) {
      String[] parts = parameter.split("=", 2);
      query.merge(
          parts[0], URLDecoder.decode(parts[1], UTF_8), (first, next) -> first + "," + next);
    }
    return query;
  }

  /** Of a payload, only {@code _meta} is left in an answer, too. */
  private static String answer(String path, byte[] body) {
    String text = new String(body, UTF_8);
    if (path.endsWith("/payload")) {
      return json(text).has("code") || json(text).has("message") || text.isEmpty() ? text : "{}";
    }
    return json(text).has("payload") ? withoutPayload(body) : text;
  }

  private static byte[] decoded(byte[] body, Map<String, String> headers) {
    if (!headers.containsKey("content-encoding")) {
      return body;
    }
    try {
      return Gzip.decompress(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String withoutPayload(byte[] body) {
    JsonNode json = json(new String(body, UTF_8));
    strip(json);
    json.path("events").forEach(Exchanged::strip);
    return json.isMissingNode() ? "" : json.toString();
  }

  private static void strip(JsonNode event) {
    if (event.path("payload") instanceof ObjectNode payload) {
      payload.retain("_meta");
    }
  }

  public static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (IOException e) {
      return MissingNode.getInstance();
    }
  }

  JsonNode requestBody() {
    return json(request);
  }

  JsonNode answerBody() {
    return json(answer);
  }

  /** The answer's {@code code}, or {@code message} for an error of API Gateway. */
  public String code() {
    return isOfApiGateway() ? "message" : answerBody().path("code").asText();
  }

  boolean isOfApiGateway() {
    return status >= 400 && answerBody().has("message");
  }
}
