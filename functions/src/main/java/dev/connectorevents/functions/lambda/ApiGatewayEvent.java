package dev.connectorevents.functions.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.connectorevents.http.Json;
import dev.connectorevents.http.Request;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What a request is made of in API Gateway's event (HTTP API Developer Guide, "payload format
 * version 2.0"), and no more: to have the runtime build the whole event costs a quarter of a cold
 * start.
 *
 * @param routeKey such as {@code POST /api/auth/login}
 * @param timeEpoch when API Gateway took the request, in milliseconds since the epoch
 */
record ApiGatewayEvent(Request request, String routeKey, long timeEpoch) {

  /**
   * Reads one event.
   *
   * @throws IOException if it is none, without a word of it: it would end in the log
   */
  static ApiGatewayEvent read(InputStream input) throws IOException {
    // Without a cache of names Jackson leaves the decoding to a reader, which would guess.
    try (JsonParser parser =
        Json.FACTORY.createParser(new InputStreamReader(input, UTF_8.newDecoder()))) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("the function's event is no JSON object");
      }
      Reader reader = new Reader(parser);
      reader.readObject("");
      return reader.event();
    } catch (JsonProcessingException e) {
      throw notAnEvent(e);
    }
  }

  /** Jackson's own message quotes what it did not understand. */
  private static IOException notAnEvent(JsonProcessingException e) {
    return new IOException(
        "the function's event is none of API Gateway's: " + e.getLocation().offsetDescription());
  }

  private static final class Reader {

    private final JsonParser parser;
    private final Map<String, String> headers = new HashMap<>();
    private String routeKey = "";
    private String requestId = "";
    private String sourceIp = "";
    private long timeEpoch;
    private String body = "";
    private boolean bodyIsBase64;

    Reader(JsonParser parser) {
      this.parser = parser;
    }

    ApiGatewayEvent event() {
      return new ApiGatewayEvent(
          new Request(requestId, sourceIp, headers, body, bodyIsBase64), routeKey, timeEpoch);
    }

    /** Reads up to the end of the object whose start was just read, and goes into its objects. */
    void readObject(String path) throws IOException {
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String member = path + parser.currentName();
        switch (parser.nextToken()) {
          case START_OBJECT -> enterOrSkip(member);
          case VALUE_NULL -> {}
          default -> readValue(path, member);
        }
      }
    }

    private void enterOrSkip(String member) throws IOException {
      switch (member) {
        case "headers", "requestContext", "requestContext.http" -> readObject(member + ".");
        default -> parser.skipChildren();
      }
    }

    private void readValue(String path, String member) throws IOException {
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
}
