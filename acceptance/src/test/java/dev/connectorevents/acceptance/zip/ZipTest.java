package dev.connectorevents.acceptance.zip;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.Version;
import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.emulator.gateway.FunctionAnswer;
import dev.connectorevents.emulator.http.HttpAnswer;
import dev.connectorevents.emulator.runtime.RequiresLambdaRuntime;
import dev.connectorevents.emulator.template.FunctionDefinition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;

/**
 * Calls functions of the built zip under Lambda's own Java runtime. Each function needs a process
 * of its own. So outside the nightly build, the tests call only two functions, which, with the one
 * of {@link SnapshotTest}, use all libraries in the zip.
 */
@RequiresLambdaRuntime
class ZipTest {

  private static final Path EVENTS = Path.of("../events");
  private static final List<String> ACTIONS =
      List.of(
          "create",
          "disable",
          "enable",
          "issue-static-token",
          "reset-password",
          "revoke-tokens",
          "show");
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private static Path folder;
  @AutoClose private static World service;
  @AutoClose private static ZippedFunctions functions;
  private static String token;
  private static String consumer;

  @BeforeAll
  static void start() throws Exception {
    service = World.start(new Setup().inProcess());
    functions = new ZippedFunctions(service, folder);
    token = body(answer("LoginFunction", "login.json")).get("access_token").textValue();
    consumer = service.operator().consumerToken();
  }

  @Test
  void the_zip_has_every_function_of_the_template() throws IOException {
    try (JarFile jar = new JarFile(folder.resolve("task/lib/functions.jar").toFile())) {
      assertThat(service.template().functions())
          .isNotEmpty()
          .extracting(FunctionDefinition::handler)
          .allSatisfy(
              name -> assertThat(jar.getEntry(name.replace('.', '/') + ".class")).isNotNull());
    }
  }

  @Test
  void a_functions_log_is_json_line_by_line() throws Exception {
    answer("LoginFunction", "login.json");

    assertThat(functions.get("LoginFunction").output().lines())
        .isNotEmpty()
        .allSatisfy(line -> assertThat(JSON.readTree(line).isObject()).isTrue());
  }

  @Test
  void a_function_logs_the_version_that_its_jar_has_in_its_manifest() throws Exception {
    answer("LoginFunction", "login.json");

    assertThat(functions.get("LoginFunction").output())
        .containsOnlyOnce("\"version\":\"" + Version.CURRENT + "\"");
    try (JarFile jar = new JarFile(folder.resolve("task/lib/functions.jar").toFile())) {
      assertThat(jar.getManifest().getMainAttributes())
          .containsEntry(Attributes.Name.IMPLEMENTATION_VERSION, Version.CURRENT);
    }
  }

  @Test
  @Tag("nightly")
  void an_operators_events_are_done_one_after_the_other() throws Exception {
    for (String action : ACTIONS) {
      JsonNode event = event("manage-users." + action + ".json");

      JsonNode answer =
          JSON.readTree(functions.get("ManageUsersFunction").invoke(event.toString()).payload());

      assertThat(answer.at("/user/email")).isEqualTo(event.get("email"));
    }
  }

  @Test
  @Tag("nightly")
  void an_event_is_erased() throws Exception {
    String id = service.store();
    ObjectNode event = (ObjectNode) event("erase-events.ids.json");
    event.putArray("ids").add(id);
    event.set("next", erase(event).get("next"));

    JsonNode answer = erase(event);

    assertThat(answer.path("complete").booleanValue()).as(answer.toString()).isTrue();
    assertThat(service.client().get("/api/webhook-events/" + id, consumer).status()).isEqualTo(410);
  }

  private static JsonNode erase(ObjectNode event) throws Exception {
    return JSON.readTree(functions.get("EraseEventsFunction").invoke(event.toString()).payload());
  }

  @Test
  void the_signing_key_is_replaced_step_by_step() throws Exception {
    String version = UUID.randomUUID().toString();
    try (SecretsManagerClient secrets = service.settings().secretsManagerClient()) {
      // A rotation begins with a pending version that has no value yet.
      secrets.putSecretValue(put ->
          put.secretId("SigningKeySecret")
              .clientRequestToken(version)
              .secretString("")
              .versionStages("AWSPENDING"));
      String arn = secrets.describeSecret(get -> get.secretId("SigningKeySecret")).arn();
      ObjectNode event = (ObjectNode) event("rotate-signing-key.json");
      event.put("SecretId", arn).put("ClientRequestToken", version);

      for (String step : List.of("createSecret", "testSecret", "finishSecret")) {
        functions.get("RotateSigningKeyFunction").invoke(event.put("Step", step).toString());
      }

      assertThat(secrets.getSecretValue(get -> get.secretId(arn)).versionId()).isEqualTo(version);
    }
  }

  /**
   * Calls a function with the event in this file, and returns the HTTP response that API Gateway
   * would make of the function's answer.
   */
  private static HttpAnswer answer(String function, String file) throws Exception {
    JsonNode event = event(file);
    if (event.get("headers").has("authorization")) {
      ((ObjectNode) event.get("headers")).put("authorization", "Bearer " + token);
    }
    String written = functions.get(function).invoke(event.toString()).payload();
    HttpAnswer answer = FunctionAnswer.read(written.getBytes(UTF_8)).orElseThrow();
    assertThat(answer.status()).as(written).isBetween(200, 201);
    return answer;
  }

  private static JsonNode event(String file) throws IOException {
    return JSON.readTree(EVENTS.resolve(file).toFile());
  }

  private static JsonNode body(HttpAnswer answer) throws IOException {
    return JSON.readTree(answer.body());
  }
}
