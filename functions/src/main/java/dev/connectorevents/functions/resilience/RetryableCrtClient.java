package dev.connectorevents.functions.resilience;

import java.io.IOException;
import software.amazon.awssdk.crt.http.HttpException;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;

/**
 * Turns all failures of a CRT client, such as a host that DNS does not know, into {@link
 * IOException}s: the SDK retries only these, and wraps only these in its own exceptions.
 */
public final class RetryableCrtClient implements SdkHttpClient {

  private final SdkHttpClient crt;

  public RetryableCrtClient(SdkHttpClient crt) {
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
