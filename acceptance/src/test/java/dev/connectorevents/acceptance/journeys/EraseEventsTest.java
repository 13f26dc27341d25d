package dev.connectorevents.acceptance.journeys;

import static dev.connectorevents.acceptance.service.Connector.EVENTS;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.TableScan;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.dynamodb.events.Payloads;
import dev.connectorevents.emulator.Endpoint;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * An operator erases events. {@link ErasedEventTest} shows what is left of erased events over HTTP.
 */
class EraseEventsTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * The size of a large payload, in bytes. Smaller on moto, which limits the base64 of a binary
   * attribute.
   */
  private static final int LARGE = Endpoint.isMoto() ? 200_000 : 1_000_000;

  @AutoClose private static final World service = World.start();
  private static final String connector = service.client().token();
  private static final String consumer = service.operator().consumerToken();

  private static final TableScan tables = new TableScan(service);
  private static final List<Keyed> KEYED = new ArrayList<>();
  private static String withoutKey = "";
  private static ObjectNode request = JSON.createObjectNode();
  private static List<JsonNode> answers = List.of();
  private static Map<String, Map<String, AttributeValue>> before = Map.of();

  /** An event that was sent with a key. */
  private record Keyed(String id, String key, String body) {
    static Keyed store(String name, String payload) {
      String key = name + " " + payload.length();
      return new Keyed(storedId(event(payload), "Idempotency-Key", key), key, event(payload));
    }
  }

  /** A value that no other test uses. */
  private final String unique = UUID.randomUUID().toString();

  @BeforeAll
  static void erase() {
    for (String payload : List.of("{}", Payloads.random(LARGE))) {
      KEYED.add(Keyed.store("erased", payload));
      Keyed.store("kept", payload);
    }
    withoutKey = storedId(event("{}"));
    storedId(event("{}"));
    before = tables.items("EventsTable");

    request = JSON.createObjectNode().put("reason", "request 4711");
    erased().forEach(id -> request.withArray("ids").add(id));
    answers = service.operator().eraseToTheEnd(request);
  }

  private static JsonNode last() {
    return answers.getLast();
  }

  private static Set<String> erased() {
    return Stream.concat(KEYED.stream().map(Keyed::id), Stream.of(withoutKey))
        .collect(Collectors.toSet());
  }

  @Test
  void the_first_call_only_begins_and_the_last_one_is_complete() {
    assertThat(answers).hasSize(2);
    assertThat(answers.getFirst().has("next")).isTrue();
    assertThat(answers.getFirst().path("matched").intValue()).isZero();
    assertThat(last().path("erasure_id")).isEqualTo(answers.getFirst().path("erasure_id"));
    assertThat(last().path("matched").intValue()).isEqualTo(erased().size());
    assertThat(last().path("erased").intValue()).isEqualTo(erased().size());
    assertThat(texts(last().path("ids"))).containsExactlyInAnyOrderElementsOf(erased());
    assertThat(answers)
        .extracting(answer -> answer.path("complete").booleanValue())
        .containsExactly(false, true);
  }

  @Test
  void an_erased_event_leaves_its_tombstone_and_no_part_of_its_payload() {
    Map<String, Map<String, AttributeValue>> left = tables.items("EventsTable");
    left.keySet().removeIf(id -> !erased().contains(id.split("#", -1)[0]));

    assertThat(left.keySet()).isEqualTo(erased());
    left.forEach((id, tombstone) -> {
      assertThat(text(tombstone, "erasure_id")).isEqualTo(last().path("erasure_id").textValue());
      assertThat(Instant.parse(text(tombstone, "erased_at"))).isBefore(Instant.now());
    });
    Map<String, AttributeValue> ends = requireNonNull(left.remove(withoutKey));
    assertThat(left.values())
        .allSatisfy(
            tombstone -> assertThat(tombstone).containsOnlyKeys("id", "erased_at", "erasure_id"));
    assertThat(ends).containsOnlyKeys("id", "erased_at", "erasure_id", "expires_at");
    assertThat(Long.parseLong(requireNonNull(ends.get("expires_at")).n()))
        .isEqualTo(
            Instant.parse(text(ends, "erased_at")).plus(Duration.ofDays(35)).getEpochSecond());
  }

  @Test
  void every_other_event_stays_as_it_was() {
    Map<String, Map<String, AttributeValue>> others = new TreeMap<>(before);
    others.keySet().removeIf(id -> erased().contains(id.split("#", -1)[0]));

    assertThat(others).hasSizeGreaterThan(2);
    assertThat(tables.items("EventsTable")).containsAllEntriesOf(others);
  }

  @Test
  void a_retry_and_a_read_get_410() {
    for (Keyed event : KEYED) {
      Answer retry = post(event.body(), "Idempotency-Key", event.key());
      assertThat(retry.status()).as(retry.text()).isEqualTo(410);
    }
    assertThat(erased())
        .extracting(id -> service.client().get(EVENTS + "/" + id, consumer).status())
        .containsOnly(410);
  }

  @Test
  void the_proof_is_what_a_scan_of_the_tombstones_counts() {
    String id = last().path("erasure_id").textValue();

    JsonNode proof = show(id);

    List<String> tombstones = tables.tombstones(id);
    assertThat(proof.path("count").intValue()).isEqualTo(tombstones.size()).isEqualTo(3);
    assertThat(tables.ledger(id).stream().flatMap(List::stream))
        .containsExactlyInAnyOrderElementsOf(tombstones);
    assertThat(proof.path("ids_sha256").textValue()).isEqualTo(TableScan.digest(tables.ledger(id)));
    assertThat(proof.path("narrowed").isBoolean()).isTrue();
    assertThat(proof.path("narrowed").booleanValue()).isFalse();
    assertThat(proof.path("reason").textValue()).isEqualTo("request 4711");
    assertThat(proof.path("selector").textValue()).isEqualTo("ids");
    assertThat(time(proof, "begun")).isBefore(time(proof, "ended"));
    assertThat(time(proof, "backups_until"))
        .isEqualTo(time(proof, "ended").plus(Duration.ofDays(35 + 7)));
    assertThat(listed()).contains(id);
  }

  @Test
  void to_repeat_a_call_ends_in_the_same_state() {
    Map<String, Map<String, AttributeValue>> tombstones = tables.items("EventsTable");
    JsonNode proof = show(last().path("erasure_id").textValue());
    ObjectNode again = request.deepCopy();
    again.set("next", answers.getFirst().get("next"));

    JsonNode repeated = service.operator().eraseEvents(again);

    assertThat(repeated.path("complete").booleanValue()).as(repeated.toString()).isTrue();
    assertThat(repeated.path("matched").intValue()).isZero();
    assertThat(tables.items("EventsTable")).isEqualTo(tombstones);
    assertThat(show(last().path("erasure_id").textValue())).isEqualTo(proof);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /text          | "$"   | {"text":"$"}
          /text          | "$"   | {"\\u0074ext":"$"}
          /a/b/1/c       | "$"   | {"a":{"b":[0,{"c":"$"}]}}
          /a~1b/~0       | "$"   | {"a/b":{"~":"$"}}
          /twice         | "$"   | {"twice":"$","twice":"x"}
          /twice         | "$"   | {"twice":"x","twice":"$"}
          /_meta/brand_id| "$"   | {"_meta":{"brand_id":"$"}}
          /n             | 1.0   | {"$":0,"n":1}
          /n             | 10    | {"$":0,"n":1E1}
          /n             | 12345678901234567890123 | {"$":0,"n":12345678901234567890123.0}
          /b             | true  | {"$":0,"b":true}
          /b             | null  | {"$":0,"b":null}
          """)
  void a_dry_run_finds_by_the_payload(String pointer, String value, String payload)
      throws JsonProcessingException {
    String brand = "of " + unique;
    String id = storedId(event(marked(payload, brand)));
    storedId(event(marked("{\"text\":\"another\",\"n\":2,\"b\":false}", brand)));
    ObjectNode erasure = dryRun(pointer, value);

    JsonNode scanned = service.operator().eraseEvents(erasure);
    JsonNode ofBrand = service.operator().eraseEvents(erasure.deepCopy().put("brand_id", brand));

    assertThat(texts(scanned.path("ids"))).as(scanned.toString()).contains(id);
    if (!payload.contains("_meta")) {
      assertThat(texts(ofBrand.path("ids"))).as(ofBrand.toString()).containsExactly(id);
    }
  }

  @Test
  void a_dry_run_changes_nothing_and_writes_no_proof() throws JsonProcessingException {
    storedId(event("{\"text\":\"" + unique + "\",\"_meta\":{\"brand_id\":\"" + unique + "\"}}"));
    Map<String, Map<String, AttributeValue>> events = tables.items("EventsTable");
    Map<String, Map<String, AttributeValue>> erasures = tables.items("ErasuresTable");

    for (ObjectNode erasure :
        List.of(
            dryRun("/text", "\"$\""),
            dryRun("/text", "\"$\"").put("brand_id", unique),
            JSON.createObjectNode().put("brand_id", unique).put("dry_run", true))) {
      JsonNode answer = service.operator().eraseEvents(erasure);
      assertThat(answer.path("matched").intValue()).as(answer.toString()).isEqualTo(1);
      assertThat(answer.path("erased").intValue()).isZero();
      assertThat(answer.has("erasure_id")).isFalse();
      assertThat(answer.path("complete").booleanValue()).isFalse();
    }
    assertThat(tables.items("EventsTable")).isEqualTo(events);
    assertThat(tables.items("ErasuresTable")).isEqualTo(erasures);
  }

  /**
   * Replaces each {@code $} with this test's unique value. Adds {@code _meta.brand_id} unless the
   * payload has a {@code _meta}.
   */
  private String marked(String payload, String brand) {
    String text = payload.replace("$", unique);
    return text.contains("_meta")
        ? text
        : text.replaceFirst("}$", ",\"_meta\":{\"brand_id\":\"" + brand + "\"}}");
  }

  private ObjectNode dryRun(String pointer, String value) throws JsonProcessingException {
    ObjectNode erasure = JSON.createObjectNode().put("dry_run", true);
    ObjectNode condition = erasure.withArray("where").addObject().put("pointer", pointer);
    condition.set("equals", JSON.readTree(value.replace("$", unique)));
    return erasure;
  }

  @Test
  void a_brand_without_events_has_no_match() {
    JsonNode answer =
        service
            .operator()
            .eraseEvents(JSON.createObjectNode().put("brand_id", unique).put("dry_run", true));

    assertThat(answer)
        .hasToString(
            "{\"matched\":0,\"erased\":0,\"ids\":[],\"narrowed\":false,\"complete\":false}");
  }

  /**
   * A request with one fault.
   *
   * @param pointer the JSON pointer to the fault
   */
  private record Wrong(String name, String event, String pointer) {}

  private static List<Wrong> wrongRequests() {
    String id = UUID.randomUUID().toString();
    String condition = "{'pointer':'/a','equals':1}";
    return List.of(
        wrong("no selector", "{}", ""),
        wrong("0 ids", "{'ids':[]}", "/ids"),
        wrong("101 ids", "{'ids':[" + repeated("'" + id + "'", 101) + "]}", "/ids"),
        wrong("an id that is no UUID", "{'ids':['" + id + "','7']}", "/ids/1"),
        wrong(
            "an id in capital letters",
            "{'ids':['019AA9C5-5F3E-7C1A-9D0E-2B7C1D5E9A36']}",
            "/ids/0"),
        wrong("two selectors", "{'brand_id':'a','ids':['" + id + "']}", "/ids"),
        wrong("no conditions", "{'where':[]}", "/where"),
        wrong("11 conditions", "{'where':[" + repeated(condition, 11) + "]}", "/where"),
        wrong("a pointer without /", "{'where':[{'pointer':'a','equals':1}]}", "/where/0/pointer"),
        wrong("a pointer with ~2", "{'where':[{'pointer':'/~2','equals':1}]}", "/where/0/pointer"),
        wrong("an empty pointer", "{'where':[{'pointer':'','equals':1}]}", "/where/0/pointer"),
        wrong("an object to equal", "{'where':[{'pointer':'/a','equals':{}}]}", "/where/0/equals"),
        wrong("nothing to equal", "{'where':[{'pointer':'/a'}]}", "/where/0/equals"),
        wrong("256 characters", "{'brand_id':'a','reason':'" + "x".repeat(256) + "'}", "/reason"),
        wrong("an unknown member", "{'brand_id':'a','dryrun':true}", "/dryrun"),
        wrong("a dry run as a text", "{'brand_id':'a','dry_run':'true'}", "/dry_run"),
        wrong("2,047 bytes", "{'brand_id':'" + "é".repeat(1_023) + "x'}", "/brand_id"),
        wrong("a next that is none", "{'brand_id':'a','next':'abc'}", "/next"),
        wrong("an unknown proof", "{'show':'7'}", "/show"));
  }

  private static Wrong wrong(String name, String event, String pointer) {
    return new Wrong(name, event.replace('\'', '"'), pointer);
  }

  private static String repeated(String text, int times) {
    return String.join(",", IntStream.range(0, times).mapToObj(_ -> text).toList());
  }

  @Test
  void wrong_requests_are_refused_and_change_nothing() {
    Map<String, Map<String, AttributeValue>> events = tables.items("EventsTable");
    Map<String, Map<String, AttributeValue>> erasures = tables.items("ErasuresTable");

    for (Wrong wrong : wrongRequests()) {
      JsonNode refusal = service.operator().invoke("EraseEventsFunction", wrong.event());
      assertThat(refusal.path("code").asText()).as(wrong.name()).isEqualTo("validation_failed");
      assertThat(refusal.at("/errors/0/pointer").textValue())
          .as(wrong.name())
          .isEqualTo(wrong.pointer());
    }
    assertThat(tables.items("EventsTable")).isEqualTo(events);
    assertThat(tables.items("ErasuresTable")).isEqualTo(erasures);
  }

  @Test
  void a_brand_that_no_index_can_have_is_refused_with_the_way_to_find_it() {
    JsonNode refusal =
        service.operator().eraseEvents(JSON.createObjectNode().put("brand_id", "x".repeat(2_047)));

    assertThat(refusal.at("/errors/0/detail").textValue())
        .contains("select it by where, with the pointer /_meta/brand_id");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"ids\":[\"019aa9c5-5f3e-7c1a-9d0e-2b7c1d5e9a36\"]}",
        "{\"brand_id\":\"a\"}",
        "{\"reason\":\"another\"}",
        "{\"dry_run\":true}",
      })
  void a_next_of_another_request_is_refused(String change) throws JsonProcessingException {
    ObjectNode other = request.deepCopy();
    other.setAll((ObjectNode) JSON.readTree(change));
    if (other.has("brand_id")) {
      other.remove("ids");
    }
    other.set("next", answers.getFirst().get("next"));

    JsonNode refusal = service.operator().eraseEvents(other);

    assertThat(refusal.at("/errors/0/pointer").textValue()).isEqualTo("/next");
  }

  private static JsonNode show(String id) {
    return service.operator().eraseEvents(JSON.createObjectNode().put("show", id)).path("erasure");
  }

  private static List<String> listed() {
    JsonNode page = service.operator().eraseEvents(JSON.createObjectNode().put("list", true));
    return page.path("erasures").findValuesAsText("erasure_id");
  }

  private static String event(String payload) {
    return "{\"event_type\":\"a.b\",\"payload\":" + payload + "}";
  }

  private static String storedId(String event, String... headers) {
    Answer created = post(event, headers);
    assertThat(created.status()).as(created.text()).isEqualTo(201);
    return created.body().path("id").asText();
  }

  private static Answer post(String body, String... headers) {
    String[] all =
        Stream.concat(
                Stream.of(
                    "Authorization", "Bearer " + connector, "Content-Type", "application/json"),
                Stream.of(headers))
            .toArray(String[]::new);
    return service.client().post(EVENTS, body, all);
  }

  private static String text(Map<String, AttributeValue> item, String name) {
    return requireNonNull(item.get(name)).s();
  }

  private static Instant time(JsonNode object, String name) {
    return Instant.parse(object.path(name).asText());
  }

  private static List<String> texts(JsonNode array) {
    return array.valueStream().map(JsonNode::textValue).toList();
  }
}
