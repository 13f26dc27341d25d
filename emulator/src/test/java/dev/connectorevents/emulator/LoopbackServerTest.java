package dev.connectorevents.emulator;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpHandler;
import dev.connectorevents.emulator.http.HttpAnswer;
import dev.connectorevents.emulator.http.LoopbackServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LoopbackServerTest {

  @AutoClose private final LoopbackServer server = LoopbackServer.bind(0);

  LoopbackServerTest() throws IOException {}

  @Test
  void a_defect_of_a_handler_is_a_500() {
    serve(exchange -> {
      throw new IllegalStateException("on purpose");
    });

    assertThat(Fixtures.send(HttpRequest.newBuilder(server.endpoint())).statusCode())
        .isEqualTo(500);
  }

  @Test
  void a_defect_after_the_answer_changes_nothing() {
    serve(exchange -> {
      HttpAnswer.json(200, "{}").send(exchange);
      throw new IllegalStateException("on purpose");
    });

    assertThat(Fixtures.send(HttpRequest.newBuilder(server.endpoint())).body()).isEqualTo("{}");
  }

  @ParameterizedTest
  @CsvSource({
    "/a/b?c=//d, /a/b, c=//d",
    "//x/a, //x/a,",
    "//x:80/a?b=c, //x:80/a, b=c",
    "//user@x/a%2Fb, //user@x/a%2Fb,",
    "///a, ///a,",
    "//[::1]/a, //%5B::1%5D/a,",
    "//[fe80::1%eth0]/a, //%5Bfe80::1%25eth0%5D/a,",
    "http://127.0.0.1/a?b, /a, b",
  })
  void a_target_that_begins_with_two_slashes_is_a_path(String target, String path, String query)
      throws IOException {
    serve(exchange -> {
      URI read = exchange.getRequestURI();
      HttpAnswer.json(200, read.getRawPath() + " " + read.getRawQuery()).send(exchange);
    });

    assertThat(answer(target)).startsWith("HTTP/1.1 200 ").endsWith("\r\n" + path + " " + query);
  }

  /** Another limit of it: its own answer to a URL that breaks RFC 3986. */
  @ParameterizedTest
  @ValueSource(strings = {"/a?b=c|d", "/a?b=%", "/a?b=%zz"})
  void a_target_that_is_no_url_gets_the_answer_that_the_guide_shows(String target)
      throws IOException {
    serve(exchange -> HttpAnswer.json(200, "{}").send(exchange));

    assertThat(answer(target)).contains("400 Bad Request", "URISyntaxException thrown");
    assertThat(Files.readString(Path.of("../docs/running-locally.md")))
        .contains("400 Bad Request", "URISyntaxException thrown");
  }

  private String answer(String target) throws IOException {
    try (Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), server.endpoint().getPort())) {
      String request =
          "GET " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), US_ASCII);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/, root",
    "/a, a",
    "/a/, a",
    "/a/b, ab",
    "/a/b/c, ab",
    "/c, root",
    "//x/a/b, root",
  })
  void the_longest_prefix_selects_the_handler(String path, String handler) {
    server.serve(Map.of("/", handler("root"), "/a", handler("a"), "/a/b", handler("ab")));

    assertThat(get(path).body()).isEqualTo(handler);
  }

  @Test
  void a_path_without_a_handler_is_a_404() {
    server.serve(Map.of("/a", handler("a")));

    assertThat(get("/b").statusCode()).isEqualTo(404);
  }

  private static HttpHandler handler(String body) {
    return exchange -> HttpAnswer.json(200, body).send(exchange);
  }

  private HttpResponse<String> get(String path) {
    return Fixtures.send(HttpRequest.newBuilder(URI.create(server.endpoint() + path)));
  }

  private void serve(HttpHandler handler) {
    server.serve(Map.of("/", handler));
  }
}
