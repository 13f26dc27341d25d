package dev.connectorevents.acceptance.runbooks;

import static dev.connectorevents.acceptance.service.ApiClient.EVENTS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.attacks.Forgery;
import dev.connectorevents.acceptance.service.ApiClient;
import dev.connectorevents.acceptance.service.Texts;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.dynamodb.events.Tombstones;
import dev.connectorevents.emulator.CommandOnPath;
import dev.connectorevents.emulator.Endpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Runs the commands of docs/operating.md that end an attack, and then tries the attack again. Also
 * runs the page's command for an export. {@link RestoreDrillTest} runs the commands that restore a
 * table.
 *
 * <p>Slow: each command of a page is a shell that starts Python, curl or jq, as an operator's is.
 */
@TestMethodOrder(OrderAnnotation.class)
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the page's commands are for bash")
class RunbooksTest {

  @AutoClose private static final World service = World.start().numbering();

  private static final String LEAKED = "leaked@example.com";
  private static final String ORDER = "{\"event_type\":\"shopify.orders/create\",\"payload\":{}}";
  private static final String EVENT = "{\"event_type\":\"a.b\",\"payload\":{}}";

  /** Longer than a function remembers a user, or that there is no key with an id. */
  private static final Duration REMEMBERED = Duration.ofSeconds(6);

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "reset-password | end | is replaced. The command prints the new one | 401",
        "revoke         | end | still works                                 | 200",
        "disable        | end | is refused                                  | 401",
        "delete         | end | is gone                                     | 401",
      })
  void a_command_ends_of_a_users_access_what_the_page_says(
      String command, String tokens, String password, int login) throws Exception {
    CommandOnPath.assumeWorks("python3", "--version"); // operate/user needs it
    Runbook runbook = Runbook.of(service, "End a user's access", folder);
    assertThat(runbook.text()).contains("| `%s` | %s | %s |".formatted(command, tokens, password));
    String shop = "o'shop-" + command + "@example.com";
    String leaked = service.operator().manageUsers("create", shop).get("password").textValue();
    List<String> stolen =
        List.of(
            service.client().login(shop, leaked).accessToken(),
            service.operator().staticToken(shop));
    List<String> commands =
        runbook.userCommands("\"" + shop + "\"").stream()
            .filter(line -> line.contains(" " + command + " "))
            .toList();
    assertThat(commands).hasSize(1);

    String output = runbook.run(commands.getFirst() + (command.equals("delete") ? " --yes" : ""));

    for (String token : stolen) {
      assertRefused(token, "revoked_token");
    }
    assertThat(service.client().login(shop, leaked).status()).isEqualTo(login);
    String replaced = Runbook.passwordIn(output);
    assertThat(replaced.isEmpty()).isEqualTo(!command.equals("reset-password"));
    if (!replaced.isEmpty()) {
      assertThat(post(service.client().login(shop, replaced).accessToken())).isEqualTo(201);
    }
  }

  @Test
  @Promise("**Erase what the connector did not send.**")
  void after_a_leak_of_a_token_what_it_has_sent_is_erased_and_it_sends_no_more() throws Exception {
    CommandOnPath.assumeWorks("python3", "-c", "import boto3");
    CommandOnPath.assumeWorks("curl", "--version");
    Runbook runbook = Runbook.of(service, "After a leak of a connector's token", folder);
    JsonNode created =
        service
            .operator()
            .invoke(
                "ManageUsersFunction",
                "{\"action\":\"create\",\"email\":\"%s\",\"event_types\":[\"shopify.*\"]}"
                    .formatted(LEAKED));
    String token =
        service.client().login(LEAKED, created.get("password").textValue()).accessToken();
    String before = send(token, ORDER).body().get("id").textValue();
    Thread.sleep(2); // so that the next event has another time
    Instant from = service.clock().now().truncatedTo(ChronoUnit.MILLIS);
    String others = send(service.client().token(), ORDER).body().get("id").textValue();
    String forged = send(token, ORDER).body().get("id").textValue();
    String inBatch = "{\"events\":[" + ORDER + "," + EVENT + "]}";
    JsonNode results =
        service.client().post(EVENTS + "/batch", inBatch, token).body().get("results");
    assertThat(results.at("/1/status").intValue()).as("outside the scope").isEqualTo(403);
    String forgedInBatch = results.at("/0/event/id").textValue();
    Thread.sleep(2);
    Instant to = service.clock().now().truncatedTo(ChronoUnit.MILLIS);
    String after = send(token, ORDER).body().get("id").textValue();
    service.number();

    String reset = runbook.run(runbook.userCommands(LEAKED).getFirst());
    assertRefused(token, "revoked_token");
    String shown = runbook.run(runbook.userCommands(LEAKED).getLast());
    String userId = created.at("/user/id").textValue();
    assertThat(shown).contains("id                 " + userId);
    String variables = "ID=%s FROM=%s TO=%s\n".formatted(userId, from, to);
    List<String> erase = runbook.operatorCommands("erase");
    String found = runbook.run(variables + erase.getFirst());
    runbook.run(variables + erase.getLast() + " --yes");

    assertThat(found.lines().filter(line -> line.matches("[0-9a-f-]{36}")))
        .containsExactlyInAnyOrder(forged, forgedInBatch);
    assertThat(List.of(forged, forgedInBatch)).allMatch(id -> read(id) == 410);
    assertThat(List.of(before, others, after)).allMatch(id -> read(id) == 200);
    String attack =
        "TOKEN=%s; URL=%s\n%s"
            .formatted(token, service.baseUrl(), runbook.script("curl").stripIndent());
    assertThat(runbook.run(attack)).contains("\"code\":\"revoked_token\"");
    String renewed = service.client().login(LEAKED, Runbook.passwordIn(reset)).accessToken();
    assertThat(send(renewed, ORDER).status()).isEqualTo(201);
  }

  @Test
  @Order(1) // the page's script starts the AWS CLI for each user, and the other tests create users
  @DisabledIfSystemProperty(
      named = Endpoint.PROPERTY,
      matches = ".*",
      disabledReason = "this Secrets Manager is another process and cannot call the functions")
  void after_a_leak_of_the_key_neither_forged_tokens_nor_what_they_bought_pass() throws Exception {
    CommandOnPath.assumeWorks("aws", "--version");
    CommandOnPath.assumeWorks("jq", "--version");
    Runbook leak = Runbook.of(service, "After a leak of the key", folder);
    String rotate = Runbook.of(service, "Rotate by hand", folder).script("aws secretsmanager");
    assertThat(leak.text()).contains("1. Rotate twice.").contains("2. Wait for 6 minutes.");
    Forgery forgery = Forgery.withLeakedKey(service);
    assertThat(post(forgery.good())).isEqualTo(201);
    String secondUser = "second@example.com";
    service.operator().manageUsers("create", secondUser);

    leak.run(rotate);
    String bought = refresh(forgery.good());
    leak.run(rotate);
    String rebought = refresh(bought);

    String loggedIn =
        service.client().token(); // from an instance that had signed with the leaked key
    assertThat(post(loggedIn)).isEqualTo(201);
    assertThat(service.client().get("/api/auth/me", loggedIn).status()).isEqualTo(200);

    makeEveryFunctionReadTheKeys();
    assertRefused(forgery.good(), "invalid_token");
    assertThat(post(rebought)).as("a token that only step 2 revokes").isEqualTo(201);

    assertThat(leak.run(leak.script("aws dynamodb scan")))
        .contains("tokens_valid_from", secondUser)
        .doesNotContain("\"code\"");
    assertRefused(rebought, "revoked_token");
    assertThat(post(service.client().token())).isEqualTo(201);
  }

  @Test
  void the_command_for_an_export_prints_the_exact_payload_of_each_event_of_a_month()
      throws Exception {
    CommandOnPath.assumeWorks("python3", "--version");
    String token = service.client().token();
    String early = send(token, EVENT).body().get("created_at").textValue();
    Thread.sleep(2); // so that the next event has another time
    String since = Instant.parse(early).plusMillis(1).toString().replace("Z", "");
    Map<String, String> payloads = new HashMap<>();
    for (String payload : List.of("{\"n\": 1.0,\r\n\"name\": \"Zoë 😀\"}", zeros(), noise())) {
      String id = send(token, EVENT.replace("{}", payload)).body().get("id").textValue();
      payloads.put(id, new String(service.payload(id), UTF_8));
    }
    String erased = send(token, EVENT).body().get("id").textValue();
    DynamoDbClient dynamoDb = service.dynamoDb();
    new Tombstones(dynamoDb, service.name("EventsTable")).put(UUID.fromString(erased));
    new ExportedTable(dynamoDb, service.name("EventsTable")).writeTo(folder.resolve("export"));

    Runbook runbook = Runbook.of(service, "Export events to S3", folder);
    String command = runbook.script("python3 examples/exported.py").strip();
    assertThat(command).endsWith(" 2026-11-01 2026-12-01");
    String printed =
        runbook.run(
            command
                .replace("examples", Path.of("../examples").toRealPath().toString())
                .replace("2026-11-01 2026-12-01", since + " 9999-01-01"));

    Map<String, String> read = new HashMap<>();
    for (String line : printed.lines().toList()) {
      JsonNode event = new ObjectMapper().readTree(line);
      assertThat(event.get("event_type").textValue()).isEqualTo("a.b");
      assertThat(event.get("created_at").textValue()).isGreaterThanOrEqualTo(since);
      read.put(event.get("id").textValue(), event.get("payload").textValue());
    }
    assertThat(read).isEqualTo(payloads);
  }

  /** A payload that the service stores as gzip. */
  private static String zeros() {
    return "{\"zeros\":\"" + "0".repeat(5_000) + "\"}";
  }

  /** A payload that needs a second item in DynamoDB, even as gzip. */
  private static String noise() {
    return "{\"noise\":\"" + Texts.noise(450_000) + "\"}";
  }

  private String refresh(String token) {
    return service.client().post("/api/auth/refresh", "", token).accessToken();
  }

  private int post(String token) {
    return send(token, EVENT).status();
  }

  private ApiClient.Answer send(String token, String event) {
    return service.client().post(EVENTS, event, token);
  }

  private int read(String id) {
    String token = service.operator().consumerToken();
    return service.client().get("/api/webhook-events/" + id, token).status();
  }

  /**
   * Asserts that event creation and the routes {@code me} and {@code refresh} refuse the token.
   * Event creation may accept it for some seconds more.
   */
  private void assertRefused(String token, String code) {
    String header = "Bearer " + token;
    assertThat(service.client().get("/api/auth/me", token).code()).isEqualTo(code);
    assertThat(service.client().post("/api/auth/refresh", "", "Authorization", header).code())
        .isEqualTo(code);
    service.clock().pass(REMEMBERED);
    assertThat(send(token, ORDER).code()).isEqualTo(code);
  }

  /**
   * Replaces the page's wait of 6 minutes. After 5 s, a token with an unknown key id makes a
   * function read the keys again.
   */
  private void makeEveryFunctionReadTheKeys() throws IOException {
    String unknown = Forgery.withLeakedKey(service).withHeader("kid", "\"unknown\"");
    for (int i = 0; i < 2; i++) {
      assertThat(service.client().get("/api/auth/me", unknown).code()).isEqualTo("invalid_token");
      assertThat(refresh(unknown)).isEmpty();
      assertThat(post(unknown)).isEqualTo(401);
      service.clock().pass(REMEMBERED);
    }
  }
}
