package dev.connectorevents.emulator.stream;

import dev.connectorevents.emulator.function.FunctionInvoker;
import dev.connectorevents.emulator.function.Invocation;
import dev.connectorevents.emulator.function.InvokeEndpoint;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Calls functions in another process: those of {@code sam local start-lambda}, which knows no event
 * source mapping.
 *
 * @see <a href="https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html">Invoke</a>
 */
public final class LambdaEndpoint implements FunctionInvoker {

  private static final int LONGEST_TOLD = 300;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI endpoint;
  private final Consumer<String> told;
  private String lastFailure = "";

  /**
   * @param told receives what makes calls fail, once until they succeed or fail otherwise
   */
  public LambdaEndpoint(URI endpoint, Consumer<String> told) {
    this.endpoint = endpoint;
    this.told = told;
  }

  @Override
  public Invocation invoke(String function, byte[] event) {
    Invocation outcome = call(function, event);
    String failure =
        outcome instanceof Invocation.Failed failed
            ? "%s at %s fails, and is called again: %s"
                .formatted(function, endpoint, failed.errorMessage())
            : "";
    if (!failure.isEmpty() && !failure.equals(lastFailure)) {
      told.accept(failure);
    }
    lastFailure = failure;
    return outcome;
  }

  private Invocation call(String function, byte[] event) {
    URI uri = endpoint.resolve(InvokeEndpoint.PATH + function + "/invocations");
    HttpRequest request =
        HttpRequest.newBuilder(uri).POST(BodyPublishers.ofByteArray(event)).build();
    try {
      HttpResponse<byte[]> answer = client.send(request, BodyHandlers.ofByteArray());
      boolean isError = answer.headers().firstValue("X-Amz-Function-Error").isPresent();
      return answer.statusCode() == 200 && !isError
          ? new Invocation.Answered(answer.body())
          : failed(answer.statusCode() + " " + beginning(answer.body()));
    } catch (ConnectException e) {
      return failed("nothing answers there");
    } catch (IOException e) {
      return failed(e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return failed("stopped");
    }
  }

  /** Enough of an answer to see the error in it, without its stack trace. */
  private static String beginning(byte[] answer) {
    String text = new String(answer, StandardCharsets.UTF_8);
    return text.substring(0, Math.min(text.length(), LONGEST_TOLD));
  }

  private static Invocation failed(String message) {
    return Invocation.Failed.of("LambdaEndpoint", message);
  }
}
