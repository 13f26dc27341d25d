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
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A request and its answer, reduced to what the contract covers.
 *
 * @param query the decoded parameters
 * @param requestHeaders the documented and standard headers of the request, by lower-case name
 * @param request the request's body; a payload keeps only {@code _meta}
 * @param headers the answer's headers, by lower-case name
 * @param answer the answer's body, decompressed; a payload keeps only {@code _meta}
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

  /** Reads numbers, texts and names of any length, as the service does. */
  static final ObjectMapper JSON =
      new ObjectMapper(
          JsonFactory.builder()
              .enable(JsonWriteFeature.ESCAPE_NON_ASCII) // half a surrogate pair cannot be UTF-8
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

  /** The answer's body. A payload, in it or all of it, keeps only its {@code _meta}. */
  private static String answer(String path, byte[] body) {
    String text = new String(body, UTF_8);
    JsonNode json = json(text);
    if (path.endsWith("/payload") && json.has("_meta")) {
      return ((ObjectNode) json).retain("_meta").toString();
    }
    return json.has("payload") ? withoutPayload(body) : text;
  }

  private static byte[] decoded(byte[] body, Map<String, String> headers) {
    if (!headers.containsKey("content-encoding")) {
      return body;
    }
    try (InputStream bytes = Gzip.decompressing(new ByteArrayInputStream(body))) {
      return bytes.readAllBytes();
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

  /** The answer's {@code code}. An error of API Gateway has none: the result is "message". */
  public String code() {
    return isOfApiGateway() ? "message" : answerBody().path("code").asText();
  }

  boolean isOfApiGateway() {
    return status >= 400 && answerBody().has("message");
  }
}
