package dev.connectorevents.functions;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.LambdaRuntime;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.connectorevents.aws.DependencyUnavailableException;
import dev.connectorevents.aws.RequestDeadline;
import dev.connectorevents.http.Handler;
import dev.connectorevents.http.Json;
import dev.connectorevents.http.Problem;
import dev.connectorevents.http.ProblemCode;
import dev.connectorevents.http.Request;
import dev.connectorevents.http.Response;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.crac.Core;
import org.crac.Resource;

/**
 * Between API Gateway and a {@link Handler}: event to request, response to JSON, the request's one
 * log line, and the only catch-all.
 */
public abstract class ApiGatewayFunction implements RequestStreamHandler, Resource {

  private final Handler handler;
  private Map<String, String> environment = Map.of();
  private boolean isFirst = true; // an instance serves one request at a time

  protected ApiGatewayFunction(Handler handler) {
    this.handler = handler;
  }

  /** Has the function rehearse before a snapshot of its process is taken. */
  protected final void rehearseIn(Map<String, String> environment) {
    this.environment = environment;
    // As the runtime does. To register costs any other cold start 25 ms.
    if ("snap-start".equals(environment.get("AWS_LAMBDA_INITIALIZATION_TYPE"))) {
      // The registry holds its entries weakly; the runtime holds the function for good.
      Core.getGlobalContext().register(this);
    }
  }

  /** What it does then. */
  protected abstract Rehearsal rehearsal();

  /** What this throws fails the version that is being published. */
  @Override
  public final void beforeCheckpoint(org.crac.Context<? extends Resource> context) {
    try {
      rehearsal().run(environment);
    } catch (RuntimeException e) {
      // The runtime tells that there was an exception, not which.
      String why =
          e instanceof DependencyUnavailableException failure
              ? LogLine.causes(failure)
              : e.toString();
      LambdaRuntime.getLogger().log(LogLine.of(Map.of("error", why)));
      throw e;
    }
  }

  @Override
  public final void afterRestore(org.crac.Context<? extends Resource> context) {
    // The first request opens what it needs.
  }

  @Override
  public final void handleRequest(InputStream input, OutputStream output, Context context)
      throws IOException {
    long start = System.nanoTime();
    // Outside the catch-all: API Gateway makes no broken event. Whoever does so has the right to
    // invoke the function, or wired it wrongly, and should meet an error that Lambda logs and
    // counts.
    ApiGatewayEvent event = ApiGatewayEvent.read(input);
    Duration timeLeft = Duration.ofMillis(context.getRemainingTimeInMillis());
    Response response = answer(event.request(), timeLeft);
    Duration duration = Duration.ofNanos(System.nanoTime() - start);
    Map<String, Object> line =
        RequestLine.of(
            event,
            context.getFunctionName(),
            Optional.ofNullable(context.getXrayTraceId()),
            response,
            duration,
            isFirst);
    context.getLogger().log(LogLine.of(line));
    isFirst = false;
    // Answers hold tokens or say whose they are: no cache may keep one (RFC 9111, 5.2.2.5).
    write(response.with("Cache-Control", "no-store"), output);
  }

  private Response answer(Request request, Duration timeLeft) {
    try {
      return RequestDeadline.within(timeLeft, () -> handler.handle(request));
    } catch (DependencyUnavailableException e) {
      return Problem.of(
              request,
              ProblemCode.TEMPORARILY_UNAVAILABLE,
              "A service that this one depends on does not answer. Try again.")
          .noting("error", LogLine.causes(e));
    } catch (RuntimeException | Error e) {
      return Problem.of(request, ProblemCode.INTERNAL_ERROR, "The service has a defect.")
          .noting("error", LogLine.defect(e));
    }
  }

  private static void write(Response response, OutputStream output) throws IOException {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("statusCode", response.status());
    answer.put("headers", response.headers());
    answer.put("body", response.body());
    answer.put("isBase64Encoded", false);
    output.write(Json.write(answer).getBytes(UTF_8));
  }
}
