package dev.connectorevents.acceptance.template;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.TableScan;
import dev.connectorevents.acceptance.service.Texts;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.emulator.stream.EventFilter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * What {@code examples/announce.yaml} makes of what the service writes. Nobody has tried the stack
 * on AWS: this test applies its filters and its template as AWS describes them.
 *
 * @see <a
 *     href="https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-pipes-event-filtering.html">Event
 *     filtering</a>
 * @see <a
 *     href="https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-pipes-input-transformation.html">Input
 *     transformation</a>
 */
class AnnounceTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern PATH = Pattern.compile("<\\$\\.([\\w.]+)>");

  private final TemplateText template = TemplateText.ofTheAnnouncements();
  private final JsonNode pipe = template.properties("Pipe");

  @AutoClose private final World service = World.start();

  @Test
  @Promise({
    "Each new event is announced once or more, about a second after it was stored, and so is each",
    "The message never contains the payload"
  })
  void an_event_and_its_erasure_are_announced_but_neither_parts_nor_marks() {
    String small = post("{}");
    String large = post("{\"n\":\"" + Texts.noise(450_000) + "\"}");
    mark();

    assertThat(items()).hasSizeGreaterThan(3).as("with parts and a mark");
    assertThat(messages())
        .hasSize(2)
        .allSatisfy((id, message) -> {
          assertThat(message).hasSize(4);
          assertThat(message.path("id").textValue()).isEqualTo(id);
          assertThat(message.path("created_at").textValue()).startsWith("20");
          assertThat(message.path("event_type").textValue()).isEqualTo("a.b");
          assertThat(message.path("erased_at").textValue()).isEmpty();
        })
        .containsOnlyKeys(small, large);

    erase(large);

    assertThat(messages()).containsOnlyKeys(small, large);
    JsonNode erased = messages().get(large);
    assertThat(erased.path("erased_at").textValue()).startsWith("20");
    assertThat(erased.path("event_type").textValue()).isEmpty();
    assertThat(erased.path("created_at").textValue()).isEmpty();
  }

  /** The stream has no other images, and with an age limit a stopped pipe would drop records. */
  @Test
  void the_pipe_sees_new_images_and_drops_none_that_the_stream_still_holds() {
    assertThat(TemplateText.ofTheService().properties("EventsTable").findValue("StreamViewType"))
        .hasToString("\"NEW_IMAGE\"");
    assertThat(pipe.findValue("MaximumRecordAgeInSeconds").intValue()).isEqualTo(-1);
    assertThat(pipe.findValue("StartingPosition").textValue()).isEqualTo("TRIM_HORIZON");
  }

  /** AWS does not name the service with which DynamoDB Streams calls KMS: any prefix is allowed. */
  @Test
  void the_role_reads_the_stream_sends_to_two_targets_and_uses_the_key_only_through_DynamoDB() {
    JsonNode statements = template.properties("PipeRole").findValue("Statement").get(0);
    List<JsonNode> allowed = template.properties("PipeRole").findValues("Resource");

    assertThat(statements.path("Action").asText()).isEqualTo("sts:AssumeRole");
    assertThat(allowed)
        .extracting(JsonNode::toString)
        .containsExactly(
            "{\"Ref\":\"StreamArn\"}",
            "{\"Fn::GetAtt\":[\"NotSent\",\"Arn\"]}",
            "{\"Ref\":\"TargetArn\"}",
            "{\"Ref\":\"KmsKeyArn\"}");
    assertThat(template.properties("PipeRole").findValues("kms:ViaService"))
        .extracting(through -> through.path("Fn::Sub").asText())
        .containsExactly("*dynamodb.${AWS::Region}.amazonaws.com");
  }

  /** The messages that the pipe makes of the items as they are now, by the item's id. */
  private Map<String, JsonNode> messages() {
    EventFilter filter =
        EventFilter.of(
            pipe.at("/SourceParameters/FilterCriteria").findValuesAsText("Pattern").stream()
                .toList());
    Map<String, JsonNode> messages = new TreeMap<>();
    items()
        .forEach((id, item) -> {
          JsonNode stored = stored(item);
          if (filter.passes(stored)) {
            messages.put(id, message(stored));
          }
        });
    return messages;
  }

  private Map<String, Map<String, AttributeValue>> items() {
    return new TableScan(service).items("EventsTable");
  }

  private static JsonNode stored(Map<String, AttributeValue> item) {
    ObjectNode stored = JSON.createObjectNode().put("eventName", "INSERT");
    ObjectNode image = stored.putObject("dynamodb").putObject("NewImage");
    item.forEach((name, value) ->
        image
            .putObject(name)
            .put(value.type().name(), value.s() == null ? value.toString() : value.s()));
    return stored;
  }

  /** An absent value as an empty text: AWS does not say what it makes of one. */
  private JsonNode message(JsonNode stored) {
    String text =
        PATH.matcher(pipe.at("/TargetParameters/InputTemplate").textValue())
            .replaceAll(path ->
                Matcher.quoteReplacement(
                    stored.at("/" + path.group(1).replace('.', '/')).asText("")));
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new AssertionError(text, e);
    }
  }

  private String post(String payload) {
    return service
        .client()
        .post(
            "/api/webhook-events",
            "{\"event_type\":\"a.b\",\"payload\":" + payload + "}",
            "Authorization",
            "Bearer " + service.client().token())
        .body()
        .get("id")
        .textValue();
  }

  private void erase(String id) {
    String ids = "{\"ids\":[\"" + id + "\"]";
    String next =
        service.operator().invoke("EraseEventsFunction", ids + "}").get("next").textValue();
    JsonNode done =
        service.operator().invoke("EraseEventsFunction", ids + ",\"next\":\"" + next + "\"}");
    assertThat(done.get("complete").booleanValue()).as(done.toString()).isTrue();
  }

  /** What an erasure that waits for the feed writes beside the events. */
  private void mark() {
    String erasure = "0194d3f2-0000-4000-8000-000000000000";
    service
        .dynamoDb()
        .putItem(put ->
            put.tableName(service.name("EventsTable"))
                .item(
                    Map.of(
                        "id", AttributeValue.fromS(erasure + "#mark7"),
                        "mark", AttributeValue.fromS(erasure),
                        "expires_at", AttributeValue.fromN("2000000000"))));
  }
}
