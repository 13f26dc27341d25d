package dev.connectorevents.dynamodb.events;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.emulator.CommandOnPath;
import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.event.Deliveries;
import dev.connectorevents.event.Delivery;
import dev.connectorevents.event.EventToStore;
import dev.connectorevents.event.EventType;
import dev.connectorevents.event.Fingerprint;
import dev.connectorevents.event.Meta;
import dev.connectorevents.event.Payload;
import dev.connectorevents.event.Payloads;
import dev.connectorevents.event.RetentionRules;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIf;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The operators' commands read the events of a restored table in Python, as {@link StoredPayload}
 * and {@link EventItem} write them.
 */
@DisabledIf(
    value = "dev.connectorevents.emulator.Endpoint#isMoto",
    disabledReason = Endpoint.MOTO_ITEM_SIZE)
class CopiesInPythonTest {

  /** Reads the items of an event from each line. Prints what an operator's command makes of it. */
  private static final String PROGRAM =
      """
      import base64, datetime, json, sys
      sys.path.insert(0, "../operate")
      from operators import copies
      for line in open(sys.argv[1]):
          head, *parts = json.loads(line)
          stored = {part["id"]["S"]: part for part in parts}
          assert list(stored) == copies.part_ids(head)
          print(json.dumps({
              "fields": copies.fields(head),
              "user": copies.user_id(head),
              "brand": copies.brand(head),
              "expired": [copies.is_expired(head, datetime.datetime.fromisoformat(f"2026-11-20T12:{time}+00:00"))
                          for time in ("00:59", "01:00")],
              "payload": base64.b64encode(copies.payload(head, stored)).decode(),
              "damaged": copies.payload(head, {}) is None,
          }))
      """;

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Instant CREATED = Instant.parse("2026-11-20T12:00:00.123Z");
  private static final String TEXT =
      "{ \"n\":1.0,\r\n \"n\":1E400,\t\"s\":\"é 😀 \\ud83d\\ude00 \\ud800 \\u0000\"}";

  @AutoClose private static final Stores service = Endpoint.stores(Path.of("../template.yaml"));
  private static final String table = service.name("EventsTable");

  @TempDir private Path folder;

  private record Case(EventToStore event, Optional<String> brand, Duration kept) {}

  private static List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    Delivery some = new Delivery(0L, null, null, 0, null, Deliveries.FULL.sentAt());
    for (String payload :
        List.of(
            "{}",
            TEXT,
            Payloads.webhook(2_000),
            TEXT.replace("1E400", "\"" + "é".repeat(10_000) + "\""),
            Payloads.random(600_000), // one item, nearly full
            Payloads.random(900_000), // two
            Payloads.random(2_000_000))) { // three
      cases.add(of(payload, Deliveries.FULL, Optional.of("Zoë#7 😀"), true, Duration.ofMinutes(1)));
      cases.add(of(payload, Deliveries.NONE, Optional.empty(), false, Duration.ZERO));
      cases.add(of(payload, some, Optional.of("b"), true, Duration.ZERO));
    }
    return cases;
  }

  private static Case of(
      String payload, Delivery delivery, Optional<String> brand, boolean hasKey, Duration kept) {
    Meta meta = new Meta(brand.map(name -> Map.of("brand_id", name)).orElse(Map.of()));
    return new Case(
        new EventToStore(
            UUID.randomUUID(),
            new EventType("gitlab.Push Hook"),
            delivery,
            new Payload(payload, meta),
            UUID.randomUUID(),
            hasKey ? Optional.of(new Fingerprint(1, 2)) : Optional.empty(),
            CREATED),
        brand,
        kept);
  }

  @Test
  void each_kind_of_event_is_read_as_it_was_sent() throws Exception {
    CommandOnPath.assumeWorks("python3", "--version");
    List<Case> cases = cases();
    List<String> lines = new ArrayList<>();
    for (Case each : cases) {
      lines.add(JSON.writeValueAsString(stored(each)));
    }
    Path file = Files.write(folder.resolve("items"), lines);

    CommandOnPath.Result read =
        CommandOnPath.of("python3", "-B", "-c", PROGRAM, file.toString())
            .run(ProcessBuilder.Redirect.INHERIT);

    List<String> answers = read.output().lines().toList();
    assertThat(answers).hasSameSizeAs(cases);
    for (int i = 0; i < cases.size(); i++) {
      assertRead(cases.get(i), JSON.readTree(answers.get(i)), lines.get(i).contains("\"parts\""));
    }
    assertThat(lines).filteredOn(line -> line.contains("\"payload\":{\"S\"")).hasSize(6);
    assertThat(lines).filteredOn(line -> line.contains("\"parts\"")).hasSize(6);
  }

  private static void assertRead(Case stored, JsonNode read, boolean hasParts) {
    EventToStore event = stored.event();
    ObjectNode fields = JSON.createObjectNode().put("event_type", event.type().value());
    event
        .delivery()
        .forEach((name, value) ->
            fields.set(name, JSON.valueToTree(value instanceof Number ? value : value.toString())));
    assertThat(Base64.getDecoder().decode(read.get("payload").textValue()))
        .isEqualTo(event.payload().text().getBytes(UTF_8));
    assertThat(read.get("fields").toString()).isEqualTo(fields.toString());
    assertThat(read.get("user").textValue()).isEqualTo(event.userId().toString());
    assertThat(Optional.ofNullable(read.get("brand").textValue())).isEqualTo(stored.brand());
    boolean expires = !stored.kept().isZero();
    assertThat(read.get("expired")).hasToString("[false," + expires + "]");
    assertThat(read.get("damaged").booleanValue()).isEqualTo(hasParts);
  }

  /** Stores an event, and returns its items as DynamoDB writes them in JSON. */
  private static List<Map<String, Map<String, String>>> stored(Case each) {
    new DynamoEvents(
            service.dynamoDb(), table, new Random(1), RetentionRules.parse("", each.kept()))
        .store(each.event());
    List<Map<String, Map<String, String>>> items = new ArrayList<>();
    String id = each.event().id().toString();
    Map<String, AttributeValue> item = ReadBack.item(service.dynamoDb(), table, id);
    while (!item.isEmpty()) {
      Map<String, Map<String, String>> json = new HashMap<>();
      item.forEach((name, value) -> json.put(name, json(value)));
      items.add(json);
      item = ReadBack.item(service.dynamoDb(), table, id + "#" + items.size());
    }
    return items;
  }

  private static Map<String, String> json(AttributeValue value) {
    if (value.s() != null) {
      return Map.of("S", value.s());
    }
    return value.n() == null
        ? Map.of("B", Base64.getEncoder().encodeToString(value.b().asByteArray()))
        : Map.of("N", requireNonNull(value.n()));
  }
}
