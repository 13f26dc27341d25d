package dev.connectorevents.functions;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.functions.operators.OperatorFunction;
import dev.connectorevents.functions.operators.OperatorHandler;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/** Invokes a function without a route, as an operator does. */
public final class OperatorCalls {

  private static final ObjectMapper JSON = new ObjectMapper();

  public final RecordingContext context = new RecordingContext();
  private final OperatorFunction function;

  public OperatorCalls(OperatorHandler handler) {
    this.function = new OperatorFunction(handler);
  }

  public JsonNode call(String request) {
    return call(request.getBytes(UTF_8));
  }

  public JsonNode call(byte[] request) {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    try {
      function.handleRequest(new ByteArrayInputStream(request), output, context);
      return JSON.readTree(output.toByteArray());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Repeats the request with the {@code next} of an answer. */
  public JsonNode next(String request, JsonNode answer) {
    return call(with(request, answer.get("next").textValue()));
  }

  public static String with(String request, String next) {
    try {
      return ((ObjectNode) JSON.readTree(request)).put("next", next).toString();
    } catch (IOException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** All lines that the function has logged. */
  public String log() {
    return context.lines().toString();
  }

  /** The line that the last call has logged. */
  public JsonNode lastLine() {
    try {
      return JSON.readTree(context.lines().getLast());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
