package dev.connectorevents.aws;

import java.io.IOException;
import software.amazon.awssdk.crt.http.HttpException;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;

/**
 * An HTTP client of CRT all of whose failures are {@link IOException}s, as the SDK wants them: it
 * would neither retry the others nor make them its own, such as a host that DNS does not know.
 */
public final class IoFailures implements SdkHttpClient {

  private final SdkHttpClient crt;

  public IoFailures(SdkHttpClient crt) {
    this.crt = crt;
  }

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    ExecutableHttpRequest prepared = crt.prepareRequest(request);
    return new ExecutableHttpRequest() {
      @Override
      public HttpExecuteResponse call() throws IOException {
        try {
          return prepared.call();
        } catch (HttpException e) {
          throw new IOException(e.getMessage(), e);
        }
      }

      @Override
      public void abort() {
        prepared.abort();
      }
    };
  }

  @Override
  public String clientName() {
    return crt.clientName();
  }

  @Override
  public void close() {
    crt.close();
  }
}
