package dev.connectorevents.functions.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.connectorevents.Json;
import dev.connectorevents.functions.resilience.RequestDeadline;
import dev.connectorevents.http.Handler;
import dev.connectorevents.http.Problem;
import dev.connectorevents.http.Reason;
import dev.connectorevents.http.Request;
import dev.connectorevents.http.Response;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Adapts API Gateway to a {@link Handler}: it reads the event, writes the response and the
 * request's log, and turns every exception of the handler into a response.
 */
public class ApiGatewayFunction implements RequestStreamHandler {

  private final Handler handler;
  private boolean isFirst = true; // an instance serves one request at a time

  public ApiGatewayFunction(Handler handler) {
    this.handler = handler;
  }

  @Override
  public final void handleRequest(InputStream input, OutputStream output, Context context)
      throws IOException {
    long start = System.nanoTime();
    // Outside the catch-all: API Gateway sends no broken event. Its sender has the right to invoke
    // the function, or wired it wrongly. Lambda logs and counts this error.
    Request request = ApiGatewayEvent.read(input);
    Duration timeLeft = Duration.ofMillis(context.getRemainingTimeInMillis());
    Response response = answer(request, timeLeft);
    Duration duration = Duration.ofNanos(System.nanoTime() - start);
    Optional<String> trace = Optional.ofNullable(context.getXrayTraceId());
    Map<String, Object> line = RequestLog.of(request, trace, response, duration, isFirst);
    context.getLogger().log(LogLine.of(line));
    response.furtherLines().forEach(further -> context.getLogger().log(LogLine.of(further)));
    isFirst = false;
    write(response, output);
  }

  private Response answer(Request request, Duration timeLeft) {
    try {
      return RequestDeadline.within(timeLeft, () -> handler.handle(request));
    } catch (RuntimeException | Error e) {
      return Problem.of(request, Reason.of(e)).noting("error", LogLine.error(e));
    }
  }

  private static void write(Response response, OutputStream output) throws IOException {
    Map<String, String> headers = new LinkedHashMap<>(response.headers());
    // Answers hold tokens or personal data: no cache may store them (RFC 9111, 5.2.2.5).
    headers.put("Cache-Control", "no-store");
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("statusCode", response.status());
    answer.put("headers", headers);
    answer.put("body", response.body());
    answer.put("isBase64Encoded", response.bodyIsBase64());
    output.write(Json.write(answer).getBytes(UTF_8));
  }
}
