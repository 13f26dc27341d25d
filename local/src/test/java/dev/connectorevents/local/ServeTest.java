package dev.connectorevents.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.emulator.CommandOnPath;
import dev.connectorevents.emulator.CommandOnPath.Result;
import dev.connectorevents.emulator.Emulator;
import dev.connectorevents.emulator.EmulatorOptions;
import dev.connectorevents.emulator.Fixtures;
import dev.connectorevents.local.contract.Traffic;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.ProcessBuilder.Redirect;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The start of {@code local/serve}: its first answer, its progress lines and its greeting. */
@SuppressWarnings("NullAway.Init")
public class ServeTest {

  private static final String PASSWORD = "correct horse battery staple";
  private static final Map<String, String> USER =
      Map.of("CONNECTOR_API_EMAIL", "connector@example.com", "CONNECTOR_API_PASSWORD", PASSWORD);

  /** Finds the README's {@code curl} command, and the answer that the README shows after it. */
  private static final Pattern CURL_AND_ANSWER =
      Pattern.compile("(?s)\n    (curl -si .*?)\n\n.*?```http\n(.*?)```");

  private final ByteArrayOutputStream output = new ByteArrayOutputStream();

  @TempDir private Path directory;

  @Test
  void the_first_login_succeeds_however_early_it_is_sent() throws Exception {
    int port = freePort();
    CompletableFuture<HttpResponse<String>> answer = new CompletableFuture<>();
    Thread client = Thread.startVirtualThread(() -> answer.complete(firstAnswer(port)));

    try (Emulator service = start(options(port, Optional.empty()))) {
      assertThat(answer.get(20, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
      assertThat(service.baseUrl()).hasPort(port);
    } finally {
      client.interrupt();
    }
  }

  /**
   * Logs in again and again until the service answers, like a script that waits for the service.
   */
  private static HttpResponse<String> firstAnswer(int port) {
    HttpRequest login =
        Fixtures.post(
                URI.create("http://127.0.0.1:" + port),
                "/api/auth/login",
                "{\"email\":\"connector@example.com\",\"password\":\"" + PASSWORD + "\"}")
            .build();
    while (true) {
      try {
        return Fixtures.HTTP.send(login, BodyHandlers.ofString());
      } catch (IOException e) {
        LockSupport.parkNanos(1_000_000); // the port is not open yet
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Test
  void a_client_that_comes_too_early_waits() throws Exception {
    try (Emulator service = Emulator.prepare(options(0, Optional.empty()), step -> {})) {
      CompletableFuture<HttpResponse<String>> answer =
          Fixtures.HTTP.sendAsync(
              HttpRequest.newBuilder(service.baseUrl().resolve("/none")).build(),
              BodyHandlers.ofString());
      Thread.sleep(500);
      assertThat(answer).isNotDone();

      service.open();

      assertThat(answer.get(20, TimeUnit.SECONDS).statusCode()).isEqualTo(404);
    }
  }

  @Test
  void the_greeting_names_the_services_own_port_to_local_user() throws IOException {
    try (Emulator service = start(options(0, Optional.empty()))) {
      assertThat(output.toString(UTF_8))
          .contains("local/user --port " + service.baseUrl().getPort() + " create");
    }
  }

  @Test
  void a_start_reports_only_the_tables_that_it_creates() throws IOException {
    EmulatorOptions stored = options(0, Optional.of(directory));
    start(stored).close();
    assertThat(output.toString(UTF_8)).contains("creating 4 tables");
    output.reset();

    try (Emulator service = start(stored)) {
      assertThat(output.toString(UTF_8)).contains("starting 11 functions").doesNotContain("tables");
      output.reset();
      service.dynamoDb().deleteTable(delete -> delete.tableName("LoginAttemptsTable"));
    }
    start(stored).close();

    assertThat(output.toString(UTF_8)).contains("creating 1 table\n");
  }

  @Test
  void the_aws_cli_finds_tables_streams_secrets_and_functions_by_what_the_greeting_exports()
      throws IOException, InterruptedException {
    CommandOnPath.assumeWorks("aws", "--version");
    try (Emulator _ = start(options(0, Optional.empty()))) {
      assertThat(aws("dynamodb list-tables").path("TableNames"))
          .extracting(JsonNode::textValue)
          .contains("EventsTable");
      assertThat(aws("dynamodbstreams list-streams").at("/Streams/0/TableName").textValue())
          .isEqualTo("EventsTable");
      assertThat(aws("secretsmanager list-secrets").at("/SecretList/0/Name").textValue())
          .isEqualTo("SigningKeySecret");
      Path answer = directory.resolve("answer.json");
      aws(
          "lambda invoke --function-name ManageUsersFunction"
              + " --payload fileb://../events/manage-users.create.json "
              + answer);
      assertThat(answer).content().contains("\"user\"");
    }
  }

  @Test
  void the_readmes_curl_gets_the_readmes_answer() throws IOException, InterruptedException {
    CommandOnPath.assumeWorks("curl", "--version");
    Matcher readme = CURL_AND_ANSWER.matcher(Files.readString(Path.of("../README.md")));
    assertThat(readme.find()).isTrue();
    try (Emulator service = start(options(0, Optional.empty()))) {
      String curl = readme.group(1).replace("http://127.0.0.1:3000", service.baseUrl().toString());
      String first = loggedIn(curl);
      String second = loggedIn(curl);

      assertThat(withoutIdsAndTimes(first)).isEqualTo(withoutIdsAndTimes(readme.group(2)));
      assertThat(second).containsIgnoringCase("Idempotency-Replayed: true\r\n");
      assertThat(second.lines().toList().getLast()).isEqualTo(first.lines().toList().getLast());
    }
  }

  /** Runs a command in a shell. First runs the greeting's line that sets the token. */
  private String loggedIn(String command) throws IOException, InterruptedException {
    String login =
        output
            .toString(UTF_8)
            .lines()
            .filter(line -> line.contains("TOKEN=$(curl"))
            .findFirst()
            .orElseThrow();
    return CommandOnPath.of("bash", "-c", login + "\n" + command).run(Redirect.INHERIT).output();
  }

  private static String withoutIdsAndTimes(String answer) {
    return answer
        .replace("\r", "")
        .replaceAll("(?m)^(Date|Apigw-requestid|Content-length): .*", "$1")
        .replaceAll("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "ID")
        .replaceAll("\"20[^\"]*Z\"", "TIME")
        .strip();
  }

  /**
   * Runs an AWS CLI command in a shell, after the greeting's {@code export} lines. These lines must
   * override a user's settings of endpoints: otherwise the command would call AWS, or refuse to.
   */
  private JsonNode aws(String command) throws IOException, InterruptedException {
    String exports =
        output
            .toString(UTF_8)
            .lines()
            .filter(line -> line.contains("  export "))
            .collect(Collectors.joining("\n"));
    Result result =
        CommandOnPath.of(
                "bash",
                "-c",
                "export AWS_IGNORE_CONFIGURED_ENDPOINT_URLS=true AWS_USE_FIPS_ENDPOINT=true\n"
                    + "%s\naws --output json %s".formatted(exports, command))
            .run(Redirect.INHERIT);
    assertThat(result.exitCode()).isZero();
    return new ObjectMapper().readTree(result.output());
  }

  private Emulator start(EmulatorOptions options) throws IOException {
    return Serve.start(options, USER, new PrintStream(output, true, UTF_8), false);
  }

  private static EmulatorOptions options(int port, Optional<Path> data) {
    Path template = CheapHashes.allowedIn(ServedLocally.TEMPLATE);
    return new EmulatorOptions(template, port, data, CheapHashes.PARAMETERS)
        .observed(Traffic.RECORDED);
  }

  /** A free port. The next two ports are also free: DynamoDB and Secrets Manager use them. */
  public static int freePort() throws IOException {
    while (true) {
      try (ServerSocket api = new ServerSocket(0);
          ServerSocket _ = new ServerSocket(api.getLocalPort() + 1);
          ServerSocket _ = new ServerSocket(api.getLocalPort() + 2)) {
        return api.getLocalPort();
      } catch (IOException | IllegalArgumentException e) {
        // One of the three ports is taken or too large: try others.
      }
    }
  }
}
