package dev.connectorevents.emulator.stream;

import dev.connectorevents.emulator.function.FunctionInvoker;
import dev.connectorevents.emulator.function.Invocation;
import dev.connectorevents.emulator.function.InvokeEndpoint;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/**
 * Calls functions in another process: those of {@code sam local start-lambda}, which knows no event
 * source mapping.
 *
 * @see <a href="https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html">Invoke</a>
 */
public final class LambdaEndpoint implements FunctionInvoker {

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI endpoint;

  public LambdaEndpoint(URI endpoint) {
    this.endpoint = endpoint;
  }

  @Override
  public Invocation invoke(String function, byte[] event) {
    URI uri = endpoint.resolve(InvokeEndpoint.PATH + function + "/invocations");
    HttpRequest request =
        HttpRequest.newBuilder(uri).POST(BodyPublishers.ofByteArray(event)).build();
    try {
      HttpResponse<byte[]> answer = client.send(request, BodyHandlers.ofByteArray());
      boolean isError = answer.headers().firstValue("X-Amz-Function-Error").isPresent();
      return answer.statusCode() == 200 && !isError
          ? new Invocation.Answered(answer.body())
          : failed("status " + answer.statusCode());
    } catch (IOException e) {
      return failed(uri + ": " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return failed("stopped");
    }
  }

  private static Invocation failed(String message) {
    return Invocation.Failed.of("LambdaEndpoint", message);
  }
}
