package dev.connectorevents.acceptance.journeys;

import static dev.connectorevents.acceptance.service.ApiClient.EVENTS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.Nightly;
import dev.connectorevents.acceptance.service.RestoredTable;
import dev.connectorevents.acceptance.service.Texts;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.emulator.CommandOnPath;
import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.event.Payloads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A brand was erased by mistake. Operators send its events again, from a copy of the table that
 * stands in for the one that AWS would restore.
 *
 * <p>Slow: after each kill, the command begins anew, and sends megabytes.
 */
@DisabledIfSystemProperty(
    named = Endpoint.PROPERTY,
    matches = ".*",
    disabledReason = "moto has no items of this size")
class ResendErasedTest {

  /**
   * Runs the command, and kills it at the answer to the first of its calls: of the service, of a
   * function or of the AWS CLI. Then runs it anew, in another process, and kills it at the next
   * one, and so on, until it ends by itself; by day at each third. It keeps nothing, so a kill
   * before a call is the same.
   */
  private static final String KILLER =
      """
      import contextlib, io, os, runpy, signal, sys
      sys.path.insert(0, "../operate")
      from awscli.clidriver import create_clidriver
      from operators import api, command

      driver = create_clidriver()  # each start of the AWS CLI would take half a second
      driver.session.create_client("dynamodb")  # reads what each child would read again

      def aws(*words, environment):
          with contextlib.redirect_stdout(io.StringIO()) as output:
              assert driver.main(list(words)) == 0
          return output.getvalue()

      def killing(call):
          def called(*words, **more):
              global left
              answer = call(*words, **more)
              left -= 1
              if left == 0:
                  os.kill(os.getpid(), signal.SIGKILL)
              return answer
          return called

      command.aws = killing(aws)
      command.LocalServe.request = killing(command.LocalServe.request)
      api.Api.send_once = killing(api.Api.send_once)
      for kills in range(0, 1000, int(os.environ["STEP"])):
          child = os.fork()
          if child == 0:
              left = kills + 1
              runpy.run_path("../operate/resend", run_name="__main__")
          code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
          if code != -signal.SIGKILL:
              print("killed", kills, "times")
              sys.exit(code)
      """;

  /** What a program would write in another way. */
  private static final String TEXT =
      "{ \"n\" :1.50,\r\n \"long\":12345678901234567890.10, \"t\":\"\\u00eb\\ud800 é 😀\"}";

  /** All else that a connector says of an event. */
  private static final String FIELDS =
      """
      ,"connector_installation_id":9223372036854775807,"status":"a 😀","response":"b\\n","attempts":0,
      "sent_at":"2026-11-20T12:00:00.000000001Z","next_retry_at":"2026-11-20T12:00:00Z"}\
      """;

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String BRAND = "brand-7";
  private static final String OTHER = "other.example.com";

  @AutoClose private final World service = World.start().numbering();

  private final String token = service.client().token();

  @TempDir private Path folder;

  @Test
  @Promise({
    "so it is stored once, however often you interrupt it, and whoever runs it again",
    "It leaves out, and lists, what another erasure names or would have taken"
  })
  void what_was_erased_by_mistake_comes_back_once_wherever_the_command_is_killed()
      throws Exception {
    CommandOnPath.assumeWorks("python3", "-c", "import awscli");
    List<String> lost = new ArrayList<>();
    for (String event : events()) {
      lost.add(stored(token, event));
    }
    String ofRequest = stored(token, event("{\"n\":1}", BRAND));
    String ofOtherBrand = stored(token, event("{\"n\":2}", OTHER));
    String ofOtherUser = stored(otherToken(), event("{\"n\":3}", BRAND));
    Map<Map<String, AttributeValue>, String> before = new HashMap<>();
    lost.forEach(id -> before.put(fields(id), payload(id)));
    assertThat(before).hasSameSizeAs(lost);
    String copy = copy();
    String wrong = erased(JSON.createObjectNode().put("brand_id", BRAND));
    String wrongToo = erased(byIds(lost.getFirst(), ofOtherBrand));
    String request = erased(byIds(ofRequest));
    String ofBrand = erased(JSON.createObjectNode().put("brand_id", OTHER));
    assertThat(service.countEvents()).isZero();

    String output = resend(wrong, wrongToo, "--from", copy, "--yes");

    Map<Map<String, AttributeValue>, String> after = new HashMap<>();
    present().forEach(id -> after.put(fields(id), payload(id)));
    assertThat(present()).as(output).hasSameSizeAs(lost).doesNotContainAnyElementsOf(lost);
    assertThat(after).as(output).isEqualTo(before);
    assertThat(output)
        .contains("Left out, since erasure %s names it too:\n  %s".formatted(request, ofRequest))
        .contains("erasure %s of its brand would".formatted(ofBrand), "  " + ofOtherBrand)
        .contains("1 event of the user")
        .contains("0 events sent. " + lost.size() + " were there already")
        .doesNotContain(ofOtherUser)
        .containsPattern("killed [12]\\d times");
  }

  /** Those of {@code events/}, and others of other sizes. Each is of the brand. */
  private static List<String> events() throws IOException {
    List<String> events = new ArrayList<>();
    for (String name : List.of("github", "shopify", "stripe")) {
      Path file = Path.of("../events/create-webhook-event." + name + ".json");
      String event = JSON.readTree(file.toFile()).get("body").textValue();
      String meta = "\"_meta\":{\"brand_id\":\"" + BRAND + "\"";
      events.add(
          event.contains(BRAND)
              ? event
              : event.contains("\"_meta\":{")
                  ? event.replace("\"_meta\":{", meta + ",")
                  : event.replaceFirst("}}$", "," + meta + "}}}"));
    }
    events.add(event(TEXT, BRAND).replaceFirst("}$", Matcher.quoteReplacement(FIELDS)));
    events.add(event("{\"compressed\":" + Payloads.webhook(3_000) + "}", BRAND));
    events.add(event("{\"parts\":\"" + Texts.noise(450_000) + "\"}", BRAND));
    events.add(event("{\"alone\":\"" + "\\\"".repeat(1_100_000) + "\"}", BRAND));
    return events;
  }

  private static String event(String payload, String brand) {
    String meta = ",\"_meta\":{\"brand_id\":\"" + brand + "\"}}";
    return "{\"event_type\":\"a.b\",\"payload\":" + payload.replaceFirst("}$", meta) + "}";
  }

  private String otherToken() {
    String email = "other@example.com";
    service.operator().manageUsers("create", email);
    return service.operator().staticToken(email);
  }

  private String stored(String bearer, String event) {
    Answer answer =
        service
            .client()
            .post(
                EVENTS,
                event,
                "Authorization",
                "Bearer " + bearer,
                "Idempotency-Key",
                UUID.randomUUID().toString());
    assertThat(answer.status()).as(answer.text()).isEqualTo(201);
    return answer.body().get("id").textValue();
  }

  private static ObjectNode byIds(String... ids) {
    ObjectNode request = JSON.createObjectNode();
    List.of(ids).forEach(request.withArray("ids")::add);
    return request;
  }

  private String erased(ObjectNode request) {
    JsonNode last = service.operator().eraseToTheEnd(request).getLast();
    assertThat(last.has("proof")).as(last.toString()).isTrue();
    return last.get("erasure_id").textValue();
  }

  private String copy() {
    String copy = RestoredTable.create(service, "EventsTable", "id");
    items().forEach(item -> service.dynamoDb().putItem(put -> put.tableName(copy).item(item)));
    return copy;
  }

  private List<Map<String, AttributeValue>> items() {
    String table = service.name("EventsTable");
    return service.dynamoDb().scanPaginator(scan -> scan.tableName(table)).items().stream()
        .toList();
  }

  /** The ids of the stored events. */
  private List<String> present() {
    return items().stream()
        .filter(item -> item.containsKey("event_type"))
        .map(item -> Optional.ofNullable(item.get("id")).orElseThrow().s())
        .toList();
  }

  /** What a connector says of the event, with the user who sent it. */
  private Map<String, AttributeValue> fields(String id) {
    Map<String, AttributeValue> key = Map.of("id", AttributeValue.fromS(id));
    Map<String, AttributeValue> fields =
        new HashMap<>(
            service
                .dynamoDb()
                .getItem(get -> get.tableName(service.name("EventsTable")).key(key))
                .item());
    List.of("id", "created_at", "request", "brand_key").forEach(fields::remove);
    return fields;
  }

  private String payload(String id) {
    return new String(service.payload(id), UTF_8);
  }

  /** Runs the command until it ends by itself. Returns all that it printed. */
  private String resend(String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("python3", "-B", "-c", KILLER));
    command.addAll(List.of("--port", Integer.toString(service.baseUrl().getPort())));
    command.addAll(List.of(words));
    Path output = folder.resolve("output");
    ProcessBuilder builder =
        new CommandOnPath(command)
            .process()
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().putAll(service.environment());
    builder.environment().put("CONNECTOR_API_TOKEN", token);
    builder.environment().put("STEP", Integer.toString(Nightly.choose(3, 1)));
    int exit = builder.start().waitFor();
    String text = Files.readString(output);
    assertThat(exit).as(text).isZero();
    return text;
  }
}
