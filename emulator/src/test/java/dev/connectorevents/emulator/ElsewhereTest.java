package dev.connectorevents.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.emulator.EmulatorOptions.Elsewhere;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;

/** The emulator with moto, an AWS mock, as its DynamoDB and Secrets Manager. */
class ElsewhereTest {

  private static @Nullable Process moto;
  private static URI endpoint;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    CommandOnPath.assumeWorks("sh", "-c", "command -v moto_server"); // a start takes 3 s of CPU
    int port = freePort();
    endpoint = URI.create("http://127.0.0.1:" + port);
    moto =
        CommandOnPath.of("moto_server", "-H", "127.0.0.1", "-p", String.valueOf(port))
            .process()
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    while (!answers(port)) {
      assertThat(moto.isAlive()).isTrue();
      Thread.sleep(100);
    }
  }

  @AfterAll
  static void stop() {
    if (moto != null) {
      moto.destroy();
    }
  }

  @Test
  void temporary_tables_and_secrets_are_created_for_the_functions_and_deleted() throws IOException {
    Elsewhere temporary = Elsewhere.temporary(endpoint);

    assertThat(whatFunctionsFind(temporary)).contains("[" + temporary.prefix() + "Things] 64");

    assertThat(tables()).isEmpty();
  }

  @Test
  void other_tables_and_secrets_are_kept_and_reused() throws IOException {
    Elsewhere kept = Elsewhere.kept(endpoint, "kept-");

    assertThat(whatFunctionsFind(kept)).contains("[kept-Things] 64");
    assertThat(whatFunctionsFind(kept)).contains("[kept-Things] 64");
    try (DynamoDbClient client = new SdkSettings(endpoint, endpoint).dynamoDbClient();
        SecretsManagerClient secrets = new SdkSettings(endpoint, endpoint).secretsManagerClient()) {
      assertThat(tables()).containsExactly("kept-Things");
      client.deleteTable(delete -> delete.tableName("kept-Things"));
      secrets.deleteSecret(delete -> delete.secretId("kept-Secret"));
    }
  }

  private static String whatFunctionsFind(Elsewhere elsewhere) throws IOException {
    EmulatorOptions options =
        new EmulatorOptions(
            Fixtures.echoTemplate(), 0, Optional.empty(), Map.of(), Optional.of(elsewhere));
    try (Emulator service = Emulator.start(options)) {
      HttpRequest.Builder request = Fixtures.post(service.baseUrl(), "/echo", "aws");
      return Fixtures.send(request.header("Content-Type", "text/plain")).body();
    }
  }

  private static List<String> tables() {
    try (DynamoDbClient client = new SdkSettings(endpoint, endpoint).dynamoDbClient()) {
      return client.listTables().tableNames();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static boolean answers(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }
}
