package dev.connectorevents.functions.wiring;

import java.io.IOException;
import software.amazon.awssdk.crt.http.HttpException;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;

/**
 * A CRT client all of whose failures are {@link IOException}s. The SDK retries no others, and does
 * not take them for its own: for one, that DNS does not know a host.
 */
final class RetryableCrtClient implements SdkHttpClient {

  private final SdkHttpClient crt;

  RetryableCrtClient(SdkHttpClient crt) {
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
