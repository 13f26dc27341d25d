package dev.connectorevents.functions;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.connectorevents.http.Request;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Reads from API Gateway's event only what a request is made of (HTTP API Developer Guide, "payload
 * format version 2.0"): to have the runtime build the whole event costs a quarter of a cold start.
 */
final class ApiGatewayEvent {

  // Names are not cached, since a sender could fill the cache with names that collide.
  private static final JsonFactory JSON =
      new JsonFactoryBuilder()
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build())
          .build();

  private final Map<String, String> headers = new HashMap<>();
  private String routeKey = "";
  private String requestId = "";
  private String sourceIp = "";
  private long timeEpoch;
  private String body = "";
  private boolean bodyIsBase64;

  private ApiGatewayEvent() {}

  /**
   * Reads one event.
   *
   * @throws IOException if it is none, without a word of it: it would end in the log
   */
  static ApiGatewayEvent read(InputStream input) throws IOException {
    ApiGatewayEvent event = new ApiGatewayEvent();
    // Without a cache of names Jackson leaves the decoding to a reader, which would guess.
    try (JsonParser parser = JSON.createParser(new InputStreamReader(input, UTF_8.newDecoder()))) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("the function's event is no JSON object");
      }
      event.readObject(parser, "");
    } catch (JsonProcessingException e) {
      throw notAnEvent(e);
    }
    return event;
  }

  /** Jackson's own message quotes what it did not understand. */
  private static IOException notAnEvent(JsonProcessingException e) {
    return new IOException(
        "the function's event is none of API Gateway's: " + e.getLocation().offsetDescription());
  }

  Request request() {
    return new Request(requestId, sourceIp, headers, body, bodyIsBase64);
  }

  /** Such as {@code POST /api/auth/login}. */
  String routeKey() {
    return routeKey;
  }

  /** When API Gateway took the request, in milliseconds since the epoch. */
  long timeEpoch() {
    return timeEpoch;
  }

  /** Reads up to the end of the object whose start was just read, and goes into its objects. */
  private void readObject(JsonParser parser, String path) throws IOException {
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String member = path + parser.currentName();
      switch (parser.nextToken()) {
        case START_OBJECT -> enterOrSkip(parser, member);
        case VALUE_NULL -> {}
        default -> readValue(parser, path, member);
      }
    }
  }

  private void enterOrSkip(JsonParser parser, String member) throws IOException {
    switch (member) {
      case "headers", "requestContext", "requestContext.http" -> readObject(parser, member + ".");
      default -> parser.skipChildren();
    }
  }

  private void readValue(JsonParser parser, String path, String member) throws IOException {
    switch (member) {
      case "routeKey" -> routeKey = parser.getText();
      case "body" -> body = parser.getText();
      case "isBase64Encoded" -> bodyIsBase64 = parser.getBooleanValue();
      case "requestContext.requestId" -> requestId = parser.getText();
      case "requestContext.timeEpoch" -> timeEpoch = parser.getLongValue();
      case "requestContext.http.sourceIp" -> sourceIp = parser.getText();
      default -> {
        if (path.equals("headers.")) {
          headers.put(parser.currentName().toLowerCase(Locale.ROOT), parser.getText());
        }
        parser.skipChildren();
      }
    }
  }
}
