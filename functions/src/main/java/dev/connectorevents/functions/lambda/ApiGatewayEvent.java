package dev.connectorevents.functions.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import dev.connectorevents.Json;
import dev.connectorevents.http.Request;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The part of API Gateway's event that a request needs (HTTP API Developer Guide, "payload format
 * version 2.0"). If the runtime built the whole event, that would cost a quarter of a cold start.
 */
final class ApiGatewayEvent {

  private ApiGatewayEvent() {}

  /**
   * Reads one event.
   *
   * @throws IOException if the input is not such an event. The message goes to the log, so it
   *     quotes nothing of the input.
   */
  static Request read(InputStream input) throws IOException {
    // Decodes UTF-8 here: without a cache of names, Jackson's own reader would guess the encoding.
    CharBuffer text = UTF_8.newDecoder().decode(ByteBuffer.wrap(input.readAllBytes()));
    try (JsonParser parser =
        Json.FACTORY.createParser(text.array(), text.arrayOffset(), text.remaining())) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("the function's event is not a JSON object");
      }
      Reader reader = new Reader(parser);
      reader.readObject(reader::readEvent);
      return reader.request();
    } catch (StreamConstraintsException e) {
      throw notAnEvent("it is nested too deep");
    } catch (JsonProcessingException e) {
      throw notAnEvent(e.getLocation().offsetDescription());
    }
  }

  /** Replaces Jackson's message, which quotes the input. */
  private static IOException notAnEvent(String why) {
    return new IOException("the function's event is not one of API Gateway's: " + why);
  }

  private static final class Reader {

    private final JsonParser parser;
    private final Map<String, String> headers = new HashMap<>();
    private final Map<String, String> pathParameters = new HashMap<>();
    private String routeKey = "";
    private String rawQuery = "";
    private String requestId = "";
    private String sourceIp = "";
    private String body = "";
    private boolean bodyIsBase64;

    Reader(JsonParser parser) {
      this.parser = parser;
    }

    Request request() {
      return new Request(
          requestId, routeKey, sourceIp, headers, pathParameters, rawQuery, body, bodyIsBase64);
    }

    void readEvent(String name) throws IOException {
      switch (name) {
        case "routeKey" -> routeKey = text();
        case "headers" -> readObject(it -> headers.put(it.toLowerCase(Locale.ROOT), text()));
        case "pathParameters" -> readObject(it -> pathParameters.put(it, text()));
        case "rawQueryString" -> rawQuery = text();
        case "requestContext" -> readObject(this::readContext);
        case "body" -> body = text();
        case "isBase64Encoded" -> bodyIsBase64 = parser.getBooleanValue();
        default -> parser.skipChildren();
      }
    }

    private void readContext(String name) throws IOException {
      switch (name) {
        case "requestId" -> requestId = text();
        case "http" -> readObject(this::readHttp);
        default -> parser.skipChildren();
      }
    }

    private void readHttp(String name) throws IOException {
      if (name.equals("sourceIp")) {
        sourceIp = text();
      } else {
        parser.skipChildren();
      }
    }

    private String text() throws IOException {
      String text = parser.getText();
      parser.skipChildren();
      return text;
    }

    /** Reads the members of the object whose start was just read; skips any other value. */
    void readObject(Json.MemberReader reader) throws IOException {
      if (parser.currentToken() != JsonToken.START_OBJECT) {
        parser.skipChildren();
        return;
      }
      Json.readMembers(
          parser,
          name -> {
            if (parser.currentToken() != JsonToken.VALUE_NULL) {
              reader.read(name);
            }
          });
    }
  }
}
