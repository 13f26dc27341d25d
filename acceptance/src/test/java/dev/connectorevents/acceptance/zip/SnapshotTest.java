package dev.connectorevents.acceptance.zip;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.Proxy;
import dev.connectorevents.acceptance.service.Routes;
import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.World;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the zip's functions under Lambda's Java runtime with SnapStart. The runtime calls the CRaC
 * hooks. Where Lambda would take the snapshot, the runtime waits until the test restores it.
 *
 * <p>Slow: its functions are processes, which rehearse before each snapshot.
 */
@Order(1)
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

  private static final Pattern ACCESS_KEY = Pattern.compile("(?<=Credential=)\\w+");
  private static final BlockingQueue<AwsCall> CALLS = new LinkedBlockingQueue<>();

  /**
   * A call to AWS.
   *
   * @param accessKey the id of the access key that signed the call
   */
  private record AwsCall(String name, String accessKey) {

    static AwsCall of(Proxy.Call call) {
      String signature = call.header("Authorization").orElseThrow();
      return new AwsCall(
          call.name(), ACCESS_KEY.matcher(signature).results().findFirst().orElseThrow().group());
    }
  }

  @TempDir private static Path folder;
  @AutoClose private static World service;
  @AutoClose private static Proxy aws;
  @AutoClose private static LoopbackServer credentials;
  private static LambdaRuntime runtime;
  private static String token;
  private static volatile String accessKey = "";

  @BeforeAll
  static void start() throws IOException {
    service = World.start(new Setup().inProcess());
    token = service.client().token();
    aws =
        Proxy.ofAws(
            service.settings(),
            call -> {
              CALLS.add(AwsCall.of(call));
              call.answer(call.forward());
            });
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
    CALLS.clear();
  }

  @Test
  @Promise("and is never in a snapshot, a log or an answer.")
  void the_first_requests_load_few_classes_and_read_the_key_with_the_credentials_of_their_instance()
      throws Exception {
    List<JsonNode> answers =
        restore(
            "CreateEventFunction",
            List.of(
                event("create-webhook-event.github.json"),
                event("create-webhook-event.shopify.json"),
                event("create-webhook-event.stripe.json")));

    for (JsonNode answer : answers) {
      byte[] payload = service.payload(answer.get("id").textValue());
      assertThat(JSON.readTree(payload).has("_meta")).isTrue();
    }
  }

  static List<Routes> otherRoutes() {
    return Arrays.stream(Routes.values()).filter(it -> it != Routes.CREATE_EVENT).toList();
  }

  @ParameterizedTest
  @MethodSource("otherRoutes")
  @Tag("nightly")
  void so_does_the_first_request_of_another_route(Routes route) throws Exception {
    String event = route.event(route.token(service), service.store()).toString();
    restore(route.function(), List.of(event));
  }

  /** Sends events to an instance that was restored. Returns its answers. */
  private List<JsonNode> restore(String function, List<String> events) throws Exception {
    Path classes = folder.resolve("classes");
    try (FunctionProcess process = suspended(function, classes)) {
      assertThat(taken(CALLS)) // none of them reads the signing key
          .isNotEmpty()
          .allMatch(
              each -> each.name().startsWith("GetItem ") && each.accessKey().equals("before"));
      accessKey = "after";
      List<String> before = Files.readAllLines(classes);

      process.restore();
      List<JsonNode> answers = new ArrayList<>();
      for (String event : events) {
        answers.add(answer(process, event));
      }
      process.awaitIdle();

      List<AwsCall> calls = taken(CALLS);
      assertThat(calls).extracting(AwsCall::accessKey).containsOnly("after");
      assertThat(calls).filteredOn(each -> each.name().startsWith("GetSecretValue")).hasSize(1);
      assertThat(calls).hasSizeGreaterThan(1);
      List<String> loaded = Files.readAllLines(classes);
      assertThat(loaded.subList(before.size(), loaded.size())).hasSizeLessThanOrEqualTo(CLASSES);
      return answers;
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

  /** By day, tests of the module functions show which rehearsals fail. */
  @Test
  @Tag("nightly")
  void a_failed_rehearsal_fails_the_start_so_that_lambda_takes_no_snapshot() throws Exception {
    try (LoopbackServer refusing =
        LoopbackServer.answering(exchange -> HttpAnswer.json(400, DEFECT).send(exchange))) {
      try (FunctionProcess process =
          started(
              "MeFunction",
              new SdkSettings(refusing.endpoint(), aws.endpoint()),
              folder.resolve("classes"))) {
        assertThat(process.await()).isInstanceOf(Report.NotStarted.class);
        assertThat(process.output()).contains("no such key");
      }
    }
  }

  private static List<AwsCall> taken(BlockingQueue<AwsCall> calls) {
    List<AwsCall> taken = new ArrayList<>();
    calls.drainTo(taken);
    return taken;
  }

  private static String tokenId(JsonNode answer) throws IOException {
    String claims = answer.get("access_token").textValue().split("\\.", -1)[1];
    return JSON.readTree(Base64.getUrlDecoder().decode(claims)).get("jti").textValue();
  }

  private static FunctionProcess suspended(String id, Path classes) throws Exception {
    FunctionProcess process = started(id, new SdkSettings(aws.endpoint(), aws.endpoint()), classes);
    process.awaitSnapshot();
    return process;
  }

  private static FunctionProcess started(String id, SdkSettings settings, Path classes)
      throws IOException {
    FunctionDefinition function =
        service.template().functions().stream()
            .filter(defined -> defined.id().equals(id))
            .findFirst()
            .orElseThrow();
    Map<String, String> ambient = new HashMap<>(settings.environment());
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
