package dev.connectorevents.functions.operators;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.Json;
import dev.connectorevents.functions.lambda.LogLine;
import dev.connectorevents.functions.resilience.RequestDeadline;
import dev.connectorevents.http.Problem;
import dev.connectorevents.http.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Map;

/**
 * Adapts Lambda to an {@link OperatorHandler}: it writes the answer and the invocation's one log
 * line. Only a failing dependency becomes an answer. Lambda reports any other exception to the
 * operator.
 */
public class OperatorFunction implements RequestStreamHandler {

  private final OperatorHandler handler;

  public OperatorFunction(OperatorHandler handler) {
    this.handler = handler;
  }

  @Override
  public final void handleRequest(InputStream input, OutputStream output, Context context)
      throws IOException {
    Map<String, Object> line = LogLine.begin(context);
    try {
      byte[] event = input.readAllBytes();
      Map<String, Object> answer =
          RequestDeadline.within(
              Duration.ofMillis(context.getRemainingTimeInMillis()),
              () -> answer(context.getAwsRequestId(), event, line));
      output.write(Json.write(answer).getBytes(UTF_8));
      line.put("outcome", answer.getOrDefault("code", "done"));
    } finally {
      line.putIfAbsent("outcome", "failed"); // the runtime logs the exception, with its stack
      context.getLogger().log(LogLine.of(line));
    }
  }

  private Map<String, Object> answer(String requestId, byte[] event, Map<String, Object> line) {
    try {
      return handler.handle(requestId, event, line);
    } catch (DependencyUnavailableException e) {
      line.put("error", LogLine.causes(e));
      return Problem.body(requestId, Reason.of(e));
    }
  }
}
