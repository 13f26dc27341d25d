package dev.connectorevents.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.connectorevents.emulator.function.FunctionFault;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

@SuppressWarnings("NullAway.Init")
class EmulatorTest {
  @TempDir private Path directory;

  @Test
  void nothing_listens_beyond_loopback() throws IOException {
    try (Emulator service = Emulator.start(EmulatorOptions.inMemory(Fixtures.echoTemplate()))) {
      List<InetAddress> outside =
          NetworkInterface.networkInterfaces()
              .flatMap(NetworkInterface::inetAddresses)
              .filter(address -> !address.isLoopbackAddress())
              .toList();
      for (URI endpoint :
          List.of(
              service.baseUrl(),
              service.settings().dynamoDb(),
              service.settings().secretsManager())) {
        assertThat(connects(InetAddress.getLoopbackAddress(), endpoint.getPort())).isTrue();
        assertThat(outside).noneMatch(address -> connects(address, endpoint.getPort()));
      }
    }
  }

  @Test
  void what_is_stored_is_for_its_owner_only() throws IOException {
    EmulatorOptions options = stored(Fixtures.echoTemplate());
    Path folder = options.data().orElseThrow();
    Emulator.start(options).close();
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.setPosixFilePermissions(
        folder.resolve("shared-local-instance.db"), PosixFilePermissions.fromString("rw-r--r--"));

    try (Emulator service = Emulator.start(options)) {
      service
          .dynamoDb()
          .putItem(r -> r.tableName("Things").item(Map.of("id", AttributeValue.fromS("1"))));

      assertThat(permissions(folder)).isEqualTo("rwx------");
      try (Stream<Path> files = Files.list(folder)) {
        assertThat(files).hasSizeGreaterThan(2).allMatch(it -> permissions(it).equals("rw-------"));
      }
    }
  }

  private static String permissions(Path path) {
    try {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void a_second_service_cannot_use_the_data_directory() throws IOException {
    EmulatorOptions options = stored(Fixtures.echoTemplate());
    try (Emulator service = Emulator.start(options)) {
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> Emulator.start(options))
          .withMessageContaining("in use by another service");
      assertThat(service.baseUrl()).isNotNull();
    }
  }

  @Test
  void a_taken_port_is_named() throws IOException {
    try (Emulator service = Emulator.start(EmulatorOptions.inMemory(Fixtures.echoTemplate()))) {
      int port = service.baseUrl().getPort();
      EmulatorOptions options =
          new EmulatorOptions(Fixtures.echoTemplate(), port, Optional.empty(), Map.of());
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> Emulator.start(options))
          .withMessage("port " + port + " is taken");
    }
  }

  @Test
  void stored_tables_of_another_shape_are_refused() throws IOException {
    Emulator.start(stored(Fixtures.echoTemplate())).close();
    Path changed = changed("AttributeName: kind", "AttributeName: sort");
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> Emulator.start(stored(changed)))
        .withMessageContaining("Things has other keys");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "emulator.AnswerFunction | emulator.AnswreFunction | there is no class",
        "::handleRequest | ::handle | its method is called handleRequest",
        "emulator.AnswerFunction | emulator.Fixtures | is no RequestStreamHandler",
      })
  void a_function_that_cannot_start_is_named(String right, String wrong, String message)
      throws IOException {
    Path changed = changed(right, wrong);
    assertThatExceptionOfType(FunctionFault.class)
        .isThrownBy(() -> Emulator.start(EmulatorOptions.inMemory(changed)))
        .withMessageContainingAll("Function (Handler ", message);
  }

  private EmulatorOptions stored(Path template) {
    return new EmulatorOptions(template, 0, Optional.of(directory.resolve("data")), Map.of());
  }

  private Path changed(String right, String wrong) throws IOException {
    String text = Files.readString(Fixtures.echoTemplate()).replace(right, wrong);
    return Files.writeString(directory.resolve("changed.yaml"), text);
  }

  private static boolean connects(InetAddress address, int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(address, port), 500);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
