package dev.connectorevents.acceptance.zip;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.acceptance.awscalls.RecordingProxy;
import dev.connectorevents.acceptance.awscalls.RecordingProxy.AwsCall;
import dev.connectorevents.acceptance.service.RunningService;
import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.emulator.SdkSettings;
import dev.connectorevents.emulator.gateway.FunctionAnswer;
import dev.connectorevents.emulator.http.HttpAnswer;
import dev.connectorevents.emulator.http.LoopbackServer;
import dev.connectorevents.emulator.runtime.FunctionProcess;
import dev.connectorevents.emulator.runtime.LambdaRuntime;
import dev.connectorevents.emulator.runtime.LambdaRuntime.Initialization;
import dev.connectorevents.emulator.runtime.Report;
import dev.connectorevents.emulator.runtime.RequiresLambdaRuntime;
import dev.connectorevents.emulator.template.FunctionDefinition;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs the zip's functions under Lambda's Java runtime with SnapStart. The runtime calls the CRaC
 * hooks. Where Lambda would take the snapshot, the runtime waits until the test restores it.
 */
@RequiresLambdaRuntime
class SnapshotTest {

  /** Requests to each instance. There are four instances: two of each of two functions. */
  private static final int REQUESTS = 250;

  /**
   * Halves the duration of the rehearsal before a snapshot. No test here depends on the compiler.
   */
  private static final String QUICK_COMPILER = "-XX:TieredStopAtLevel=1";

  /**
   * The maximum number of classes that the first requests after a restore may load. Most of these
   * classes belong to Lambda's runtime.
   */
  private static final int CLASSES = 20;

  /**
   * An error of DynamoDB that fails the rehearsal at once. After other errors, the rehearsal
   * retries for a minute.
   */
  private static final String DEFECT =
      "{\"__type\":\"com.amazon.coral.validate#ValidationException\",\"message\":\"no such key\"}";

  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private static Path folder;
  @AutoClose private static RunningService service;
  @AutoClose private static RecordingProxy dynamoDb;
  @AutoClose private static RecordingProxy secrets;
  @AutoClose private static LoopbackServer credentials;
  private static LambdaRuntime runtime;
  private static String token;
  private static volatile String accessKey = "";

  @BeforeAll
  static void start() throws IOException {
    service = RunningService.start(Setup.DEFAULT.inProcess());
    token = service.client().token();
    dynamoDb = new RecordingProxy(service.emulator().settings().dynamoDb());
    secrets = new RecordingProxy(service.emulator().settings().secretsManager());
    // With SnapStart, Lambda provides credentials at a URL, not in environment variables.
    credentials =
        LoopbackServer.answering(exchange -> HttpAnswer.json(200, credentials()).send(exchange));
    runtime = BuiltZip.unpack(folder);
  }

  private static String credentials() {
    return JSON.createObjectNode()
        .put("AccessKeyId", accessKey)
        .put("SecretAccessKey", accessKey)
        .put("Token", accessKey)
        .put("Expiration", "2999-01-01T00:00:00Z")
        .toString();
  }

  @BeforeEach
  void beforeTheSnapshot() {
    accessKey = "before";
    dynamoDb.takeCalls();
    secrets.takeCalls();
  }

  @Test
  void the_first_requests_load_few_classes_and_read_the_key_with_the_credentials_of_their_instance()
      throws Exception {
    restore(
        "CreateEventFunction",
        "create-webhook-event.github.json create-webhook-event.shopify.json"
            + " create-webhook-event.stripe.json");
  }

  @ParameterizedTest
  @CsvSource({
    "LoginFunction, login.json",
    "RefreshFunction, refresh.json",
    "MeFunction, me.json",
    "CreateBatchFunction, create-webhook-event-batch.json",
  })
  @Tag("nightly")
  void so_do_the_first_requests_of_other_functions(String function, String events)
      throws Exception {
    restore(function, events);
  }

  private void restore(String function, String events) throws Exception {
    Path classes = folder.resolve("classes");
    try (FunctionProcess process = suspended(function, classes)) {
      assertThat(secrets.takeCalls()).as("reads of the signing key before the snapshot").isEmpty();
      assertThat(dynamoDb.takeCalls()).isNotEmpty().containsOnly(new AwsCall("GetItem", "before"));
      accessKey = "after";
      List<String> before = Files.readAllLines(classes);

      process.restore();
      for (String event : events.split(" ", -1)) {
        answer(process, event(event));
      }
      process.awaitIdle();

      assertThat(secrets.takeCalls()).containsExactly(new AwsCall("GetSecretValue", "after"));
      assertThat(dynamoDb.takeCalls()).extracting(AwsCall::accessKey).containsOnly("after");
      List<String> loaded = Files.readAllLines(classes);
      assertThat(loaded.subList(before.size(), loaded.size())).hasSizeLessThanOrEqualTo(CLASSES);
    }
  }

  @Test
  @Tag("nightly")
  void no_id_is_made_twice_in_a_thousand_requests_of_two_restored_instances() throws Exception {
    Set<String> ids = new HashSet<>();
    for (int restored = 0; restored < 2; restored++) {
      try (FunctionProcess events = suspended("CreateEventFunction", folder.resolve("classes"));
          FunctionProcess tokens = suspended("RefreshFunction", folder.resolve("classes"))) {
        events.restore();
        tokens.restore();
        for (int request = 0; request < REQUESTS; request++) {
          JsonNode event = answer(events, event("create-webhook-event.stripe.json"));
          ids.add(UUID.fromString(event.get("id").textValue()).toString());
          ids.add(tokenId(answer(tokens, event("refresh.json"))));
        }
      }
    }

    assertThat(ids).hasSize(2 * REQUESTS * 2);
  }

  @Test
  void a_failed_rehearsal_fails_the_start_so_that_lambda_takes_no_snapshot() throws Exception {
    try (LoopbackServer refusing =
        LoopbackServer.answering(exchange -> HttpAnswer.json(400, DEFECT).send(exchange))) {
      try (FunctionProcess process =
          started("MeFunction", refusing.endpoint(), folder.resolve("classes"))) {
        assertThat(process.await()).isInstanceOf(Report.NotStarted.class);
        assertThat(process.output()).contains("no such key");
      }
    }
  }

  private static String tokenId(JsonNode answer) throws IOException {
    String claims = answer.get("access_token").textValue().split("\\.", -1)[1];
    return JSON.readTree(Base64.getUrlDecoder().decode(claims)).get("jti").textValue();
  }

  private static FunctionProcess suspended(String id, Path classes) throws Exception {
    FunctionProcess process = started(id, dynamoDb.endpoint(), classes);
    process.awaitSnapshot();
    return process;
  }

  private static FunctionProcess started(String id, URI dynamoDb, Path classes) throws IOException {
    FunctionDefinition function =
        service.emulator().template().functions().stream()
            .filter(defined -> defined.id().equals(id))
            .findFirst()
            .orElseThrow();
    Map<String, String> ambient =
        new HashMap<>(new SdkSettings(dynamoDb, secrets.endpoint()).environment());
    ambient.keySet().removeAll(Set.of("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"));
    ambient.put("AWS_CONTAINER_CREDENTIALS_FULL_URI", credentials.endpoint().toString());
    List<String> options = List.of(LambdaRuntime.logClasses(classes), QUICK_COMPILER);
    return FunctionProcess.start(
        function, runtime.process(function, Initialization.SNAP_START, ambient, options));
  }

  private static JsonNode answer(FunctionProcess process, String event) throws Exception {
    String written = process.invoke(event).payload();
    HttpAnswer answer = FunctionAnswer.read(written.getBytes(UTF_8)).orElseThrow();
    assertThat(answer.status()).as(written).isBetween(200, 201);
    return JSON.readTree(answer.body());
  }

  private static String event(String file) throws IOException {
    JsonNode event = JSON.readTree(Path.of("../events", file).toFile());
    ((ObjectNode) event.get("headers")).put("authorization", "Bearer " + token);
    ((ObjectNode) event.get("headers")).remove("idempotency-key");
    return event.toString();
  }
}
