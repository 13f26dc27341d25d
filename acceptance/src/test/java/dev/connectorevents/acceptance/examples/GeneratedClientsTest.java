package dev.connectorevents.acceptance.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.acceptance.service.AwsFault;
import dev.connectorevents.acceptance.service.NodePackages;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.emulator.CommandOnPath;
import dev.connectorevents.user.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients that openapi-generator makes of {@code docs/openapi.yaml}. They take each step of a
 * connector and of a consumer, and read all answers. What drives them is in {@code clients/}.
 */
@Tag("nightly")
class GeneratedClientsTest {

  private static final String CONSUMER = "consumer@example.com";

  /** The users table answers no call about this user. */
  private static final String UNLUCKY = "unlucky@example.com";

  private static final String PAYLOAD =
      """
      {"id":820982911,"total":"199.00","note":"ü < 1","empty":null,"lines":[{"sku":"a","n":1.5}],\
      "_meta":{"source":"shopify","topic":"orders/create","brand_id":"acme","own":"key","received_at":"2026-11-20T12:00:00Z"}}\
      """;

  private static final String READ =
      """
      role connector
      created true
      batch replayed true, 422 idempotency_key_reused, replayed false
      missing absent
      newest 5,4,3
      feed 5 events, 1 erasure, 4 pages
      by id true
      payload true
      401 invalid_credentials
      401 invalid_token
      403 forbidden
      404 not_found
      410 event_erased
      413 Request Entity Too Large
      422 validation_failed
      422 idempotency_key_reused
      429 too_many_attempts
      503 temporarily_unavailable
      """;

  @AutoClose private static final World service = World.start();

  private static String erased;

  @TempDir private Path folder;

  @BeforeAll
  static void storeEvents() {
    service.createUser(CONSUMER, World.PASSWORD, Role.CONSUMER);
    erased = service.store("{\"n\":0}");
    for (int n = 1; n <= 5; n++) {
      service.store("{\"n\":" + n + "}");
      service.number();
    }
    ObjectNode erasure = new ObjectMapper().createObjectNode().put("reason", "a test");
    erasure.putArray("ids").add(erased);
    service.operator().eraseToTheEnd(erasure);
    service.number();
    service.fail(call -> call.body().contains(UNLUCKY) ? AwsFault.ACCESS_DENIED : AwsFault.NONE);
  }

  @Test
  void that_in_java_reads_all() throws Exception {
    generate("java", "--library", "native", "--additional-properties", "useJakartaEe=true");
    List<String> javac = new ArrayList<>(List.of("-nowarn", "-proc:none", "-d", folder.toString()));
    try (Stream<Path> files = Files.walk(folder.resolve("src/main"))) {
      files.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(javac::add);
    }
    javac.add("clients/Drive.java");

    assertThat(
            ToolProvider.findFirst("javac")
                .orElseThrow()
                .run(System.out, System.err, javac.toArray(String[]::new)))
        .isZero();
    String classes = folder + ":" + System.getProperty("java.class.path");
    assertReadsAll(System.getProperty("java.home") + "/bin/java", "-cp", classes, "Drive");
  }

  @Test
  void that_in_php_reads_all() throws Exception {
    CommandOnPath.assumeWorks("php", "-r", "require 'GuzzleHttp/autoload.php';");
    generate("php", "--type-mappings", "StoredPayload=mixed,EventToStorePayload=mixed");
    assertReadsAll("php", copied("drive.php"));
  }

  @Test
  void that_in_python_reads_all() throws Exception {
    CommandOnPath.assumeWorks(
        "python3", "-c", "import dateutil, pydantic, urllib3; assert pydantic.VERSION >= '2'");
    generate("python");
    assertReadsAll("python3", copied("drive.py"));
  }

  @Test
  void that_in_typescript_reads_all() throws Exception {
    String tsc = NodePackages.command("tsc");
    generate("typescript-fetch", "--additional-properties", "modelPropertyNaming=original");
    String program = copied("drive.ts");
    run(
        tsc,
        "--strict",
        "--target",
        "es2022",
        "--module",
        "commonjs",
        "--lib",
        "es2022,dom",
        program);
    assertReadsAll("node", program.replace(".ts", ".js"));
  }

  @Test
  void that_in_go_compiles() throws Exception {
    CommandOnPath.assumeWorks("go", "-C", "clients", "version"); // go.mod asks for a Go with -C
    generate("go");
    ScriptRun library =
        ScriptRun.of(List.of("go", "-C", folder.toString(), "mod", "download"), Map.of(), folder);
    assumeTrue(library.exitCode() == 0, "the library of its go.mod cannot be fetched here");
    run("go", "-C", folder.toString(), "vet", ".");
  }

  private void generate(String language, String... options) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                System.getProperty("java.home") + "/bin/java",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-jar",
                "target/openapi-generator-cli.jar",
                "generate",
                "-i",
                "../docs/openapi.yaml",
                "-o",
                folder.toString(),
                "-g",
                language));
    Collections.addAll(command, options);
    run(command.toArray(String[]::new));
  }

  private void run(String... command) throws Exception {
    ScriptRun run = ScriptRun.of(List.of(command), Map.of(), folder);
    assertThat(run.exitCode()).as("%s %s", run.output(), run.errors()).isZero();
  }

  private String copied(String program) throws IOException {
    return Files.copy(Path.of("clients", program), folder.resolve(program)).toString();
  }

  private void assertReadsAll(String... command) throws Exception {
    Map<String, String> settings =
        Map.of(
            "API_URL",
            service.baseUrl().toString(),
            "CONNECTOR",
            World.EMAIL,
            "CONSUMER",
            CONSUMER,
            "PASSWORD",
            World.PASSWORD,
            "PAYLOAD",
            PAYLOAD,
            "ERASED",
            erased);

    ScriptRun run = ScriptRun.of(List.of(command), settings, folder);

    assertThat(run.errors()).isEmpty();
    assertThat(run.output()).containsExactlyElementsOf(READ.lines().toList());
  }
}
