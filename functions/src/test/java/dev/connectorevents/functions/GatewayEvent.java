package dev.connectorevents.functions;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.functions.lambda.ApiGatewayFunction;
import dev.connectorevents.http.Handler;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * An API Gateway event, read from a file in {@code events/}. A test can change it and send it to a
 * function.
 */
public final class GatewayEvent {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Path EVENTS = Path.of("../events");

  private final APIGatewayV2HTTPEvent event;

  private GatewayEvent(APIGatewayV2HTTPEvent event) {
    this.event = event;
  }

  public static GatewayEvent read(String name) {
    try {
      return new GatewayEvent(
          JSON.readValue(EVENTS.resolve(name + ".json").toFile(), APIGatewayV2HTTPEvent.class));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public GatewayEvent withHeader(String name, String value) {
    event.getHeaders().put(name, value);
    return this;
  }

  public GatewayEvent withoutHeader(String name) {
    event.getHeaders().remove(name);
    return this;
  }

  public GatewayEvent from(String sourceIp) {
    event.getRequestContext().getHttp().setSourceIp(sourceIp);
    return this;
  }

  public GatewayEvent withToken(String token) {
    return withHeader("authorization", "Bearer " + token);
  }

  public GatewayEvent withQuery(Map<String, String> parameters) {
    return withQuery(
        parameters.entrySet().stream()
            .map(each -> each.getKey() + "=" + URLEncoder.encode(each.getValue(), UTF_8))
            .collect(Collectors.joining("&")));
  }

  public GatewayEvent withQuery(String raw) {
    event.setRawQueryString(raw);
    return this;
  }

  public GatewayEvent withBody(String body) {
    event.setBody(body);
    return this;
  }

  public GatewayEvent withBase64Body(String base64) {
    event.setIsBase64Encoded(true);
    return withBody(base64);
  }

  public String body() {
    return event.getBody();
  }

  public ParsedAnswer sendTo(Handler route) {
    return sendTo(route, new RecordingContext());
  }

  public ParsedAnswer sendTo(Handler route, RecordingContext context) {
    return sendTo(new ApiGatewayFunction(route), context);
  }

  public ParsedAnswer sendTo(RequestStreamHandler function) {
    return sendTo(function, new RecordingContext());
  }

  public ParsedAnswer sendTo(RequestStreamHandler function, RecordingContext context) {
    try {
      ByteArrayOutputStream output = new ByteArrayOutputStream();
      function.handleRequest(
          new ByteArrayInputStream(JSON.writeValueAsBytes(event)), output, context);
      JsonNode answer = JSON.readTree(output.toByteArray());
      String body = answer.get("body").textValue();
      return new ParsedAnswer(
          answer.get("statusCode").intValue(),
          JSON.convertValue(answer.get("headers"), HEADERS),
          body,
          JSON.readTree(body));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final com.fasterxml.jackson.core.type.TypeReference<Map<String, String>> HEADERS =
      new com.fasterxml.jackson.core.type.TypeReference<>() {};

  /** A function's output, read as API Gateway's answer to the client. */
  public record ParsedAnswer(int status, Map<String, String> headers, String text, JsonNode body) {

    public String code() {
      return body.path("code").asText();
    }
  }
}
