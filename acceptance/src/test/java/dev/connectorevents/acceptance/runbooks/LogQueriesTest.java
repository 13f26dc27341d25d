package dev.connectorevents.acceptance.runbooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.CapturedLog;
import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.World;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The queries for CloudWatch Logs Insights in docs/ find the lines that their pages say. This test
 * runs their filters, and checks that the found lines have the fields that they show.
 */
class LogQueriesTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final CapturedLog log = new CapturedLog();

  @AutoClose private static final World service = World.start(new Setup().logged(log));

  private static final String[] bearer = {"Authorization", "Bearer " + service.client().token()};
  private static final String EVENT =
      "{\"event_type\":\"shopify.orders/create\",\"idempotency_key\":\"%s\","
          + "\"payload\":{\"_meta\":{\"request_id\":\"%s\"}}}";

  private static String id = "";
  private static String userId = "";

  @BeforeAll
  static void send() throws IOException {
    log.clear();
    Answer stored = post("/api/webhook-events", EVENT.formatted("k", "trace-1"));
    id = stored.body().get("id").textValue();
    userId = json(log.lines().getFirst()).get("user_id").textValue();
    post("/api/webhook-events", EVENT.formatted("k", "trace-2"));
    post("/api/webhook-events", EVENT.formatted("k", "trace-3").replace("orders", "o"));
    post("/api/webhook-events", EVENT.formatted("other", "trace-4"));
    String push =
        EVENT.formatted("push", "trace-5").replace("shopify.orders/create", "github.push");
    String inBatch = EVENT.formatted("b", "trace-6") + "," + EVENT.formatted("k", "trace-7");
    post("/api/webhook-events/batch", "{\"events\":[" + push + "," + inBatch + ",{}]}");
    post("/api/webhook-events/missing", "{\"idempotency_keys\":[\"k\"]}");
    service.client().login(World.EMAIL, "not the password");
    service
        .dynamoDb()
        .putItem(put ->
            put.tableName(service.name("EventsTable"))
                .item(Map.of("id", fromS("foreign"), "event_type", fromS("a.b"))));
    service.number();
  }

  @Test
  void an_event_is_found_by_the_request_id_of_its_meta_and_by_its_id() throws IOException {
    String query = query("Who sent this, and where is it", "fields @timestamp, user_id");

    for (String requestId : List.of("trace-1", "trace-2")) {
      JsonNode line = only(found(query.replaceFirst("…", requestId).replace("…", "none")));
      assertThat(line.get("event_id").textValue()).isEqualTo(id);
      assertThat(line.get("user_id").textValue()).isEqualTo(userId);
      assertThat(line.get("event_type").textValue()).isEqualTo("shopify.orders/create");
    }
    assertThat(found(query.replaceFirst("…", "none").replace("…", id)))
        .extracting(line -> line.get("status").intValue())
        .containsExactly(201, 201, 422);
  }

  @Test
  void a_batch_is_found_by_its_user_and_a_provider() throws IOException {
    String query = query("Who sent this, and where is it", "fields @timestamp, request_id");

    JsonNode line = only(found(query.replaceFirst("…", userId).replace("…", "github")));

    assertThat(line.get("stored").intValue()).isEqualTo(1);
    assertThat(found("filter request_id = \"" + line.get("request_id").textValue() + "\""))
        .as("the batch's own line, one of each provider, and one of the refused event")
        .hasSize(4);
  }

  @Test
  void refused_events_are_found_by_user_and_code() throws IOException {
    assertThat(found(query("When events are refused", "filter refused > 0")))
        .extracting(
            line -> line.get("user_id").textValue(),
            line -> line.get("code").textValue(),
            line -> line.get("refused").intValue())
        .containsExactly(
            tuple(userId, "idempotency_key_reused", 1), tuple(userId, "validation_failed", 1));
    String query = query("When events are refused", "fields @timestamp, request_id");
    assertThat(found(query.replaceFirst("…", userId).replace("…", "idempotency_key_reused")))
        .hasSize(1);
  }

  @Test
  void refused_logins_are_found() throws IOException {
    JsonNode line = only(found(query("Many refused logins", "filter route")));

    assertThat(line.get("code").textValue()).isEqualTo("invalid_credentials");
  }

  @Test
  void the_refused_requests_of_a_user_are_found() throws IOException {
    String query = query("Read the log", "fields @timestamp, status, code");

    assertThat(found(query.replace("…", userId)))
        .extracting(line -> line.get("status").intValue())
        .containsExactly(422, 200);
  }

  @Test
  void a_users_requests_are_counted_once_each() throws IOException {
    assertThat(found(query("Read the log", "filter ispresent(user_id)"))).hasSize(6);
    String ofOne = query("When a connector falls silent", "filter user_id").replace("ID", userId);
    assertThat(found(ofOne)).hasSize(6);
  }

  @Test
  void new_events_and_what_a_users_requests_cost_are_counted_once_each() throws IOException {
    List<JsonNode> ofDay = found(query("Events of a day", "filter ispresent(counted_as)"));
    List<JsonNode> dear = found(query("The bill doubled", "filter ispresent(user_id)"));

    for (List<JsonNode> lines : List.of(ofDay, dear)) {
      assertThat(lines.stream().mapToInt(line -> line.path("stored").asInt()).sum()).isEqualTo(4);
    }
    assertThat(dear).hasSize(6).allMatch(line -> line.get("bytes").intValue() > 0);
    String ofUser = query("Who is behind an address", "fields @timestamp, request_id");
    assertThat(found(ofUser.replace("…", userId))).hasSize(6);
  }

  @Test
  void who_still_uses_a_key_is_found() throws IOException {
    String query = query("Rare nights", "filter ispresent(kid)");

    assertThat(found(query)).hasSize(6).allMatch(line -> line.get("kid").textValue().length() <= 8);
    assertThat(query).endsWith("by user_id, kid, token_ends");
  }

  @Test
  void the_last_calls_that_gave_positions_are_found() throws IOException {
    JsonNode line = only(found(query("When the feed is behind", "fields @timestamp, @logStream")));

    assertThat(line.get("numbered").intValue()).isEqualTo(4);
    assertThat(line.has("age_ms")).isTrue();
  }

  @Test
  void what_the_feed_left_out_is_found() throws IOException {
    JsonNode line = only(found(query("What the feed left out", "fields @timestamp, unreadable")));

    assertThat(line.get("unreadable_ids"))
        .extracting(JsonNode::textValue)
        .containsExactly("foreign");
  }

  private static Answer post(String path, String body) {
    return service.client().post(path, body, bearer);
  }

  private static String query(String heading, String beginning) throws IOException {
    String query = Runbook.of(service, heading, Path.of("")).script(beginning);
    return query.lines().findFirst().orElseThrow().strip();
  }

  /** The lines that the query's filter matches. */
  private static List<JsonNode> found(String query) throws IOException {
    List<JsonNode> found = new ArrayList<>();
    for (String line : log.lines()) {
      JsonNode json = json(line);
      if (commands(query, "filter").allMatch(filter -> matches(json, filter))) {
        found.add(json);
      }
    }
    List<String> shown =
        commands(query, "fields")
            .flatMap(fields -> Stream.of(fields.split(", ")))
            .filter(field -> !field.startsWith("@"))
            .toList();
    List<String> summed =
        commands(query, "stats")
            .flatMap(stats -> Pattern.compile("sum\\((\\w+)\\)").matcher(stats).results())
            .map(sum -> sum.group(1))
            .toList();
    assertThat(Stream.concat(shown.stream(), summed.stream()))
        .allMatch(field -> found.isEmpty() || found.stream().anyMatch(it -> it.has(field)));
    return found;
  }

  private static Stream<String> commands(String query, String name) {
    return Stream.of(query.split(" \\| "))
        .filter(command -> command.startsWith(name + " "))
        .map(command -> command.substring(name.length() + 1));
  }

  private static boolean matches(JsonNode line, String filter) {
    return Stream.of(filter.split(" or "))
        .anyMatch(any -> Stream.of(any.split(" and ")).allMatch(all -> condition(all).test(line)));
  }

  private static Predicate<JsonNode> condition(String text) {
    Matcher equals = Pattern.compile("(\\w+) = \"(.*)\"").matcher(text);
    Matcher isThere = Pattern.compile("ispresent\\((\\w+)\\)").matcher(text);
    Matcher isPositive = Pattern.compile("(\\w+) > 0").matcher(text);
    if (equals.matches()) {
      return line -> line.path(equals.group(1)).asText().equals(equals.group(2));
    }
    if (isThere.matches()) {
      return line -> line.has(isThere.group(1));
    }
    assertThat(isPositive.matches()).as(text).isTrue();
    return line -> line.path(isPositive.group(1)).asDouble() > 0;
  }

  private static JsonNode only(List<JsonNode> lines) {
    assertThat(lines).hasSize(1);
    return lines.getFirst();
  }

  private static JsonNode json(String line) throws JsonProcessingException {
    return JSON.readTree(line);
  }
}
