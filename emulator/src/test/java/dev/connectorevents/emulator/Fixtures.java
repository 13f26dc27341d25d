package dev.connectorevents.emulator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Objects;

public final class Fixtures {
  public static final HttpClient HTTP = HttpClient.newHttpClient();

  private Fixtures() {}

  static Emulator startEcho() {
    return Endpoint.start(EmulatorOptions.inMemory(echoTemplate()));
  }

  public static Path echoTemplate() {
    try {
      return Path.of(
          Objects.requireNonNull(Fixtures.class.getResource("/echo-template.yaml")).toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  public static HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  public static HttpRequest.Builder post(URI base, String path, String body) {
    return HttpRequest.newBuilder(URI.create(base + path))
        .POST(HttpRequest.BodyPublishers.ofString(body));
  }
}
