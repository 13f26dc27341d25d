package dev.connectorevents.functions;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.connectorevents.http.Request;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Reads from API Gateway's event only what a request is made of (HTTP API Developer Guide, "payload
 * format version 2.0"): to have the runtime build the whole event costs a quarter of a cold start.
 */
final class ApiGatewayEvent {

  private static final JsonFactory JSON =
      new JsonFactoryBuilder()
          .streamReadConstraints(
              StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build())
          .build();

  private final Map<String, String> headers = new HashMap<>();
  private String routeKey = "";
  private String requestId = "";
  private String sourceIp = "";
  private String body = "";
  private boolean bodyIsBase64;

  private ApiGatewayEvent() {}

  /**
   * Reads one event.
   *
   * @throws IOException if it is no JSON object
   */
  static ApiGatewayEvent read(InputStream input) throws IOException {
    ApiGatewayEvent event = new ApiGatewayEvent();
    try (JsonParser parser = JSON.createParser(input)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("the function's event is no JSON object");
      }
      event.readObject(parser, "");
    }
    return event;
  }

  Request request() {
    return new Request(requestId, sourceIp, headers, body, bodyIsBase64);
  }

  /** Such as {@code POST /api/auth/login}. */
  String routeKey() {
    return routeKey;
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
