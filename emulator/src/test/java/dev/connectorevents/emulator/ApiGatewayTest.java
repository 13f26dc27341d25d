package dev.connectorevents.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that the emulated API Gateway refuses, and requests that a client breaks off. */
class ApiGatewayTest {

  @AutoClose private static final Emulator service = Fixtures.startEcho();

  @ParameterizedTest
  @CsvSource({"GET, /echo", "HEAD, /echo", "POST, /echo/", "POST, /", "GET, /things/", "GET, /x"})
  void a_request_without_a_route_is_not_found(String method, String path) {
    HttpResponse<String> answer =
        Fixtures.send(HttpRequest.newBuilder(url(path)).method(method, BodyPublishers.noBody()));
    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.body()).isEqualTo(method.equals("HEAD") ? "" : "{\"message\":\"Not Found\"}");
    assertThat(answer.headers().firstValue("apigw-requestid")).isPresent();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/echo/%zz", "/%", "//", "*", "foo:bar", "http://[", "/things/%ff"})
  void a_malformed_target_does_not_stop_the_server(String target) throws IOException {
    try (Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), service.baseUrl().getPort())) {
      socket.setSoTimeout(5_000);
      socket
          .getOutputStream()
          .write(
              ("GET " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      // The JDK's server closes the connection if the target is not a path.
      assertThat(answer).containsPattern("^(HTTP/1.1 (400|404|200) |$)");
    }
    assertThat(answered("{\"statusCode\":200}").statusCode()).isEqualTo(200);
  }

  @Test
  void a_client_that_disconnects_does_not_stop_the_server() throws IOException {
    try (Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), service.baseUrl().getPort())) {
      socket
          .getOutputStream()
          .write(
              "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\nhalf"
                  .getBytes(StandardCharsets.US_ASCII));
    }
    assertThat(answered("{\"statusCode\":200}").statusCode()).isEqualTo(200);
  }

  private static HttpResponse<String> answered(String behaviour) {
    return Fixtures.send(
        Fixtures.post(service.baseUrl(), "/answer", behaviour)
            .header("Content-Type", "text/plain"));
  }

  private static URI url(String path) {
    return URI.create(service.baseUrl() + path);
  }
}
