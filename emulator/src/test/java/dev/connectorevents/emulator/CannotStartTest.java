package dev.connectorevents.emulator;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.connectorevents.emulator.EmulatorOptions.Elsewhere;
import dev.connectorevents.emulator.http.HttpAnswer;
import dev.connectorevents.emulator.http.LoopbackServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The messages if the emulator cannot start because of a wrong path or endpoint. */
@SuppressWarnings("NullAway.Init")
class CannotStartTest {

  @TempDir private Path directory;

  @BeforeEach
  void make() throws IOException {
    Files.writeString(directory.resolve("file"), "");
    Files.write(directory.resolve("binary"), new byte[] {(byte) 0xff, (byte) 0xfe});
    Files.createDirectory(directory.resolve("folder"));
  }

  @ParameterizedTest
  @CsvSource({
    "none.yaml, the template %s cannot be read: it does not exist",
    "folder, the template %s cannot be read: Is a directory",
    "binary, the template %s cannot be read: it is not UTF-8 text",
    "file, %s: not a YAML map",
  })
  void a_template(String name, String message) {
    Path template = directory.resolve(name);

    assertThatThrownBy(() -> Emulator.start(EmulatorOptions.inMemory(template)))
        .hasMessage(message.formatted(template));
  }

  @ParameterizedTest
  @CsvSource({
    "file, 'the data directory %s cannot be used: it is a file, not a directory'",
    "file/below, the data directory %s cannot be used: Not a directory",
  })
  void a_data_directory(String name, String message) {
    Path data = directory.resolve(name);

    assertThatThrownBy(() ->
            Emulator.start(
                new EmulatorOptions(Fixtures.echoTemplate(), 0, Optional.of(data), Map.of())))
        .hasMessage(message.formatted(data));
  }

  @Test
  void an_endpoint_where_nothing_listens() throws IOException {
    URI endpoint;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      endpoint = URI.create("http://127.0.0.1:" + socket.getLocalPort());
    }

    assertThatThrownBy(() -> startAt(endpoint))
        .hasMessage(
            "nothing listens at %s: start LocalStack or moto first, or correct --endpoint"
                .formatted(endpoint));
  }

  @Test
  void an_endpoint_whose_host_does_not_exist() {
    assertThatThrownBy(() -> startAt(URI.create("http://nowhere.invalid:4566")))
        .hasMessage("there is no host called nowhere.invalid");
  }

  @ParameterizedTest
  @CsvSource({
    "404, <html>Not Found</html>, it answered with status 404",
    "501, Unsupported method, it answered with status 501",
    "200, {}, its answer has another format",
    "200, <html>Welcome</html>, Unexpected character",
  })
  void an_endpoint_of_another_service(int status, String body, String reason) throws IOException {
    try (LoopbackServer other =
        LoopbackServer.answering(exchange -> HttpAnswer.json(status, body).send(exchange))) {
      assertThatThrownBy(() -> startAt(other.endpoint()))
          .hasMessageStartingWith(
              "%s is not the endpoint of a DynamoDB: %s".formatted(other.endpoint(), reason));
    }
  }

  @Test
  void an_endpoint_of_dynamodb_only() throws IOException {
    try (Emulator other = Emulator.start(EmulatorOptions.inMemory(Fixtures.echoTemplate()))) {
      URI endpoint = other.settings().dynamoDb();

      assertThatThrownBy(() -> startAt(endpoint))
          .hasMessageStartingWith(endpoint + " is not the endpoint of a Secrets Manager: ");
    }
  }

  @Test
  void an_endpoint_that_never_answers() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      URI endpoint = URI.create("http://127.0.0.1:" + silent.getLocalPort());
      EndpointProbe probe = new EndpointProbe(endpoint, Duration.ofSeconds(1));

      assertThatThrownBy(probe::requireBoth).hasMessage(endpoint + " did not answer within 1 s");
    }
  }

  private static void startAt(URI endpoint) throws IOException {
    Emulator.start(
        new EmulatorOptions(
            Fixtures.echoTemplate(),
            0,
            Optional.empty(),
            Map.of(),
            Optional.of(Elsewhere.temporary(endpoint))));
  }
}
