package dev.connectorevents.acceptance.attacks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.World;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Requests that a web page of another site can make the user's browser send to the local service.
 */
class OtherSitesTest {

  @AutoClose private static final World service = World.start(new Setup().inProcess());

  /**
   * A request to a port of the service, without Host and Origin: {@link #answer} inserts them.
   *
   * @param found the text in its answer that another site must not read
   */
  private record Sensitive(URI endpoint, String request, String found) {

    String answer(String host, String origin) throws IOException {
      int port = endpoint.getPort();
      String headers = header("Host", host, port) + header("Origin", origin, port);
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        socket.setSoTimeout(20_000);
        String sent = request.replaceFirst("\r\n", "\r\n" + headers);
        socket.getOutputStream().write(sent.getBytes(UTF_8));
        return new String(socket.getInputStream().readAllBytes(), UTF_8);
      }
    }

    private static String header(String name, String value, int port) {
      return value == null ? "" : name + ": " + value.replace("PORT", "" + port) + "\r\n";
    }

    private static String call(String path, String target, String body) {
      return """
      POST %s HTTP/1.1
      X-Amz-Target: %s
      Authorization: AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request
      Content-Type: application/json
      Content-Length: %d
      Connection: close

      %s\
      """
          .formatted(path, target, body.length(), body)
          .replace("\n", "\r\n");
    }
  }

  /** A signing key, the password hashes, a static token, and a login. */
  private static final List<Sensitive> SENSITIVE =
      List.of(
          new Sensitive(
              service.settings().secretsManager(),
              Sensitive.call(
                  "/", "secretsmanager.GetSecretValue", "{\"SecretId\":\"SigningKeySecret\"}"),
              "\"SecretString\""),
          new Sensitive(
              service.settings().dynamoDb(),
              Sensitive.call(
                  "/", "DynamoDB_20120810.Scan", "{\"TableName\":\"PasswordHashesTable\"}"),
              "password_hash"),
          new Sensitive(
              service.baseUrl(),
              Sensitive.call(
                  "/2015-03-31/functions/ManageUsersFunction/invocations",
                  "",
                  "{\"action\":\"issue-static-token\",\"email\":\"" + World.EMAIL + "\"}"),
              "\"access_token\""),
          new Sensitive(
              service.baseUrl(),
              Sensitive.call(
                  "/api/auth/login", "", "{\"email\":\"a@b.example\",\"password\":\"x\"}"),
              "\"access_token\"|invalid_credentials"));

  @ParameterizedTest
  @CsvSource({
    "localhost,",
    "localhost:PORT,",
    "LocalHost:PORT,",
    "127.0.0.1:PORT,",
    "127.255.0.254,",
    "[::1]:PORT,",
    "localhost:PORT, http://localhost:PORT",
    "127.0.0.1:PORT, http://127.0.0.1:PORT",
  })
  void programs_of_this_machine_are_served(String host, String origin) throws IOException {
    for (Sensitive request : SENSITIVE) {
      assertThat(request.answer(host, origin)).as(request.found).containsPattern(request.found);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "evil.example,, 'Host is ''evil.example'', but this service is called localhost or 127.0.0.1.'",
    "evil.example:PORT,, Host is 'evil.example:",
    "evil.example:PORT, http://evil.example:PORT, Host is 'evil.example:",
    "127.0.0.1.evil.example:PORT,, Host is",
    "localhost.evil.example,, Host is",
    "evil.localhost:PORT,, Host is",
    "localhost.:PORT,, Host is",
    "0.0.0.0:PORT,, Host is",
    "[::]:PORT,, Host is",
    "[::ffff:127.0.0.1]:PORT,, Host is",
    "128.0.0.1:PORT,, Host is",
    "192.168.0.2:PORT,, Host is",
    "2130706433:PORT,, Host is",
    "host.docker.internal:PORT,, Host is",
    "localhost:PORT, null, Origin is 'null'",
    "localhost:PORT, http://evil.example, Origin is 'http://evil.example'",
    "localhost:PORT, https://evil.example:PORT, Origin is",
    "localhost:PORT, http://localhost.evil.example:PORT, Origin is",
    "localhost:PORT, https://localhost:PORT, Origin is",
    "localhost:PORT, http://localhost:1, Origin is",
    "localhost:PORT, http://127.0.0.1:PORT, Origin is",
    "localhost:PORT, http://localhost:PORT http://evil.example, Origin is",
    "localhost:PORT, file://, Origin is",
  })
  void pages_of_other_sites_are_refused_on_every_port(String host, String origin, String reason)
      throws IOException {
    for (Sensitive request : SENSITIVE) {
      String answer = request.answer(host, origin);

      assertThat(answer)
          .as(request.found)
          .startsWith("HTTP/1.1 403 ")
          .contains("{\"message\":\"" + reason)
          .doesNotContainPattern(request.found)
          .doesNotContainIgnoringCase("Access-Control-Allow-Origin");
    }
  }

  @ParameterizedTest
  @CsvSource({
    ",", // no Host at all
    "'',",
    "localhost:PORT:80,",
    "user@localhost:PORT,",
    "127.0.0.1@evil.example,",
    "127.0.0.256,",
    "'localhost:PORT\r\nHost: evil.example',",
    "'evil.example\r\nHost: localhost:PORT',",
    "localhost:PORT, 'http://localhost:PORT\r\nOrigin: http://evil.example'",
  })
  void a_malformed_host_or_origin_gets_nothing_sensitive(String host, String origin)
      throws IOException {
    for (Sensitive request : SENSITIVE) {
      assertThat(request.answer(host, origin))
          .as(request.found)
          .matches("(?s)HTTP/1.1 40[03] .*")
          .doesNotContainPattern(request.found);
    }
  }
}
