package dev.connectorevents.emulator.function;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.connectorevents.emulator.http.HttpAnswer;
import dev.connectorevents.emulator.http.RequestBody;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lambda's Invoke operation.
 *
 * @see <a href="https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html">Invoke</a>
 */
public record InvokeEndpoint(LocalFunctions functions) implements HttpHandler {
  /** The prefix of all paths. */
  public static final String PATH = "/2015-03-31/functions/";

  private static final Pattern INVOCATIONS = Pattern.compile(PATH + "([^/]+)/invocations");
  private static final ObjectMapper JSON = new ObjectMapper();

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    String requestId = UUID.randomUUID().toString();
    answer(exchange, requestId).with("x-amzn-RequestId", requestId).send(exchange);
  }

  private HttpAnswer answer(HttpExchange exchange, String requestId) throws IOException {
    Matcher path = INVOCATIONS.matcher(exchange.getRequestURI().getRawPath());
    if (!path.matches() || !exchange.getRequestMethod().equals("POST")) {
      return fault(404, "UnknownOperationException", "only Invoke is served here");
    }
    String name = URLDecoder.decode(path.group(1), StandardCharsets.UTF_8);
    Optional<LocalFunction> function = functions.find(name);
    if (function.isEmpty()) {
      return fault(404, "ResourceNotFoundException", "Function not found: " + name);
    }
    Optional<byte[]> payload = RequestBody.read(exchange, LocalFunction.MAX_EVENT);
    if (payload.isEmpty()) {
      return fault(
          413,
          "RequestTooLargeException",
          "Request must be smaller than %d bytes for the InvokeFunction operation"
              .formatted(LocalFunction.MAX_EVENT + 1));
    }
    byte[] event = payload.get().length == 0 ? new byte[] {'{', '}'} : payload.get();
    try {
      JSON.readTree(event);
    } catch (JsonProcessingException e) {
      return fault(
          400,
          "InvalidRequestContentException",
          "Could not parse request body into json: " + e.getOriginalMessage());
    }
    String type = exchange.getRequestHeaders().getFirst("X-Amz-Invocation-Type");
    return invoke(function.get(), event, type == null ? "RequestResponse" : type, requestId);
  }

  private static HttpAnswer invoke(
      LocalFunction function, byte[] event, String type, String requestId) throws IOException {
    return switch (type.toLowerCase(Locale.ROOT)) {
      case "event" -> {
        Thread.startVirtualThread(() -> function.invoke(event, requestId));
        yield new HttpAnswer(202, List.of(), new byte[0]);
      }
      case "dryrun" -> new HttpAnswer(204, List.of(), new byte[0]);
      case "requestresponse" -> result(function.invoke(event, requestId).outcome());
      default -> fault(400, "InvalidParameterValueException", "unknown invocation type " + type);
    };
  }

  private static HttpAnswer result(Invocation invocation) throws IOException {
    List<Map.Entry<String, String>> headers =
        List.of(Map.entry("X-Amz-Executed-Version", "$LATEST"));
    return switch (invocation) {
      case Invocation.Answered answered -> new HttpAnswer(200, headers, answered.payload());
      case Invocation.Throttled throttled ->
          fault(429, "TooManyRequestsException", "Rate Exceeded.");
      case Invocation.Failed failed ->
          new HttpAnswer(200, headers, JSON.writeValueAsBytes(failed))
              .with("X-Amz-Function-Error", "Unhandled");
    };
  }

  private static HttpAnswer fault(int status, String type, String message) throws IOException {
    String body = JSON.writeValueAsString(Map.of("Type", "User", "Message", message));
    return HttpAnswer.json(status, body).with("x-amzn-errortype", type);
  }
}
