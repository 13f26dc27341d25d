package dev.connectorevents.acceptance.runbooks;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.ApiClient;
import dev.connectorevents.acceptance.service.RestoredTable;
import dev.connectorevents.acceptance.service.Texts;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.emulator.CommandOnPath;
import dev.connectorevents.emulator.Endpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Runs the command and the script of "Restore a table" in docs/operating.md. A copy of the table
 * stands in for the table that AWS would restore.
 */
class RestoreDrillTest {

  private static final String LOST = "lost@example.com";
  private static final String KEPT = "kept@example.com";
  @AutoClose private static final World service = World.start();
  private static final DynamoDbClient dynamoDb = service.dynamoDb();

  @TempDir private Path folder;

  @BeforeAll
  static void needPython() throws IOException, InterruptedException {
    CommandOnPath.assumeWorks("python3", "-c", "import boto3");
  }

  @AfterEach
  void clear() {
    dynamoDb.listTables().tableNames().stream()
        .filter(name -> name.endsWith("-restored"))
        .forEach(name -> dynamoDb.deleteTable(delete -> delete.tableName(name)));
    scan(service.name("EventsTable")).forEach(id -> delete("EventsTable", "id", id));
    List.of(LOST, KEPT).forEach(email -> delete("UsersTable", "email", email));
  }

  @Test
  void a_user_who_was_revoked_after_the_backup_never_gets_in() throws Exception {
    String oldPassword = create(LOST);
    String oldToken = service.client().login(LOST, oldPassword).accessToken();
    String keptToken = service.client().login(KEPT, create(KEPT)).accessToken();
    backUp("UsersTable", "email");
    service.operator().manageUsers("reset-password", LOST);
    delete("UsersTable", "email", LOST);

    String restored = run("python3", "-c", script("UsersTable", "email"));

    assertThat(restored).isEqualTo(LOST + "\n");
    assertOut(oldToken, oldPassword);
    String newPassword = "";
    for (String command : commands()) {
      String output = runbook().run(command);
      assertOut(oldToken, oldPassword);
      newPassword = newPassword.isEmpty() ? Runbook.passwordIn(output) : newPassword;
    }
    String newToken = service.client().login(LOST, newPassword).accessToken();
    assertThat(service.client().get("/api/auth/me", newToken).status()).isEqualTo(200);
    assertThat(service.client().get("/api/auth/me", keptToken).status()).isEqualTo(200);
  }

  @Test
  void users_of_a_deleted_stack_come_back_with_their_passwords() throws Exception {
    String password = create(LOST);
    backUp("PasswordHashesTable", "email");
    delete("PasswordHashesTable", "email", LOST);
    run("python3", "-c", script("PasswordHashesTable", "email"));
    backUp("UsersTable", "email");
    delete("UsersTable", "email", LOST);
    String users = script("UsersTable", "email");
    String enabled = users.replaceFirst(" *if \"state\" in item:\n.*\n", "");
    assertThat(enabled).isNotEqualTo(users);

    run("python3", "-c", enabled);

    assertThat(service.client().login(LOST, password).status()).isEqualTo(200);
  }

  @Test
  void lost_events_come_back_whole_and_a_large_erased_one_stays_erased() throws Exception {
    String lost = post("{\"n\": 1.0}");
    String lostLarge = post(noise());
    String erased = post(noise());
    String kept = post("{\"n\": 2.0}");
    Map<String, byte[]> payloads =
        Map.of(lost, service.payload(lost), lostLarge, service.payload(lostLarge));
    backUp("EventsTable", "id");
    List.of(lost, lostLarge, lostLarge + "#1").forEach(id -> delete("EventsTable", "id", id));
    service.operator().erase(erased);
    String later = post("{\"n\": 3.0}");

    String restored = restoreEvents();

    assertThat(restored)
        .isEqualTo("2 restored, 2 there already or erased. 0 tombstones put for erased events.\n");
    assertThat(payloads)
        .allSatisfy((id, payload) -> assertThat(service.payload(id)).isEqualTo(payload));
    assertThat(tombstones(service.name("EventsTable"))).containsExactly(erased);
    assertThat(scan(service.name("EventsTable")))
        .as("no part of the erased event")
        .containsExactlyInAnyOrder(lost, lostLarge, lostLarge + "#1", erased, kept, later);
    assertThat(List.of(kept, later)).allMatch(id -> service.payload(id).length > 0);
  }

  @Test
  void a_user_gets_no_old_role_scope_or_state_back_unseen() throws Exception {
    String password = manage("create", "consumer").get("password").textValue();
    backUp("UsersTable", "email");
    manage("set-role", "connector");
    service.operator().setScope(LOST, "shopify.*");
    service.operator().manageUsers("disable", LOST);
    delete("UsersTable", "email", LOST);

    run("python3", "-c", script("UsersTable", "email"));

    assertThat(service.client().login(LOST, password).status()).isEqualTo(401);
    String newPassword = Runbook.passwordIn(runbook().run(commands().getFirst()));
    assertThat(service.client().login(LOST, newPassword).status()).isEqualTo(401);
    JsonNode shown = service.operator().manageUsers("show", LOST).get("user");
    assertThat(shown.get("role").textValue()).isEqualTo("consumer"); // so the operator corrects it
    assertThat(shown.has("event_types")).as("a scope").isFalse();
    assertThat(shown.get("state").textValue()).isEqualTo("disabled");
    manage("set-role", "connector");
    service.operator().setScope(LOST, "shopify.*");
    runbook().run(commands().getLast());
    String token = service.client().login(LOST, newPassword).accessToken();
    JsonNode me = service.client().get("/api/auth/me", token).body();
    assertThat(me.get("role").textValue()).isEqualTo("connector");
    assertThat(me.at("/event_types/0").textValue()).isEqualTo("shopify.*");
  }

  @Test
  @DisabledIfSystemProperty(
      named = Endpoint.PROPERTY,
      matches = ".*",
      disabledReason = "operate/restore does not know the names of the tables there")
  @Promise("The first calls put tombstones for the ids of the ledger")
  void nothing_of_an_erased_event_comes_back() throws Exception {
    String before = post("{\"customer\": {\"id\": 207119551}}");
    String during = post("{}");
    String large = post(noise());
    String withKey = post("{}", "Idempotency-Key", "k1");
    String lost = post("{\"n\": 1.0}");
    service.operator().erase(before);
    String request = "{\"ids\": [\"%s\", \"%s\", \"%s\"]}".formatted(during, large, withKey);
    JsonNode begun = service.operator().invoke("EraseEventsFunction", request);

    backUp("EventsTable", "id");
    String last = request.replaceFirst("}$", ", \"next\": " + begun.get("next") + "}");
    JsonNode ended = service.operator().invoke("EraseEventsFunction", last);
    assertThat(ended.path("complete").asBoolean()).as("%s", ended).isTrue();
    scan(service.name("EventsTable")).forEach(id -> delete("EventsTable", "id", id));
    String output = restoreEvents();
    String again = restoreEvents();

    assertThat(output)
        .isEqualTo("2 restored, 3 there already or erased. 3 tombstones put for erased events.\n");
    assertThat(again).startsWith("0 restored, 5 there already").contains(" 0 tombstones put");
    List<String> erased = List.of(before, during, large, withKey);
    String table = service.name("EventsTable");
    assertThat(scan(table)).as("no parts").hasSize(5).contains(lost).containsAll(erased);
    assertThat(tombstones(table)).containsExactlyInAnyOrderElementsOf(erased);
    assertThat(erased).allMatch(id -> read(id).status() == 410);
    assertThat(read(lost).status()).isEqualTo(200);
    assertThat(send("{}", "Idempotency-Key", "k1").status()).isEqualTo(410);
  }

  private ApiClient.Answer read(String id) {
    return service.client().get("/api/webhook-events/" + id, service.operator().consumerToken());
  }

  private List<String> scan(String table) {
    return dynamoDb.scanPaginator(scan -> scan.tableName(table)).items().stream()
        .map(item -> requireNonNull(item.get("id")).s())
        .toList();
  }

  /** The ids of this table's tombstones that have no attributes of an event. */
  private List<String> tombstones(String table) {
    Set<String> attributes =
        Set.of("id", "created_at", "lane", "erased_at", "erasure_id", "expires_at");
    return dynamoDb.scanPaginator(scan -> scan.tableName(table)).items().stream()
        .filter(item -> item.containsKey("erased_at") && attributes.containsAll(item.keySet()))
        .map(item -> requireNonNull(item.get("id")).s())
        .toList();
  }

  private JsonNode manage(String action, String role) {
    String event =
        "{\"action\":\"%s\",\"email\":\"%s\",\"role\":\"%s\"}".formatted(action, LOST, role);
    JsonNode answer = service.operator().invoke("ManageUsersFunction", event);
    assertThat(answer.at("/user/role").textValue()).isEqualTo(role);
    return answer;
  }

  private String create(String email) {
    return service.operator().manageUsers("create", email).get("password").textValue();
  }

  /** A payload that cannot be compressed to the 400 KB of one item. */
  private static String noise() {
    return "{\"noise\": \"" + Texts.noise(450_000) + "\"}";
  }

  private String post(String payload, String... headers) {
    return send(payload, headers).body().get("id").textValue();
  }

  private ApiClient.Answer send(String payload, String... headers) {
    return service
        .client()
        .post(
            "/api/webhook-events",
            "{\"event_type\":\"a.b\",\"payload\":" + payload + "}",
            Stream.concat(
                    Stream.of("Authorization", "Bearer " + service.client().token()),
                    Stream.of(headers))
                .toArray(String[]::new));
  }

  private void assertOut(String token, String password) {
    assertThat(service.client().get("/api/auth/me", token).status()).isEqualTo(401);
    assertThat(service.client().post("/api/auth/refresh", "", token).status()).isEqualTo(401);
    assertThat(service.client().login(LOST, password).status()).isEqualTo(401);
  }

  private void backUp(String table, String key) {
    String restored = RestoredTable.create(service, table, key);
    dynamoDb
        .scanPaginator(scan -> scan.tableName(service.name(table)))
        .items()
        .forEach(item -> dynamoDb.putItem(put -> put.tableName(restored).item(item)));
  }

  private void delete(String table, String key, String value) {
    dynamoDb.deleteItem(delete ->
        delete.tableName(service.name(table)).key(Map.of(key, AttributeValue.fromS(value))));
  }

  private String script(String table, String key) throws IOException {
    return runbook()
        .python(
            "\"TABLE-restored\", \"TABLE\", \"email\"",
            "\"%1$s-restored\", \"%1$s\", \"%2$s\"".formatted(service.name(table), key));
  }

  private String restoreEvents() throws IOException, InterruptedException {
    List<String> commands = runbook().operatorCommands("restore");
    assertThat(commands).hasSize(1);
    return runbook().run(commands.getFirst().replace("TABLE", service.name("EventsTable")));
  }

  private List<String> commands() throws IOException {
    List<String> commands = runbook().userCommands(LOST);
    assertThat(commands).hasSize(2);
    return commands;
  }

  private String run(String... command) throws IOException, InterruptedException {
    return runbook().run(command);
  }

  private Runbook runbook() throws IOException {
    return Runbook.of(service, "Restore a table", folder);
  }
}
