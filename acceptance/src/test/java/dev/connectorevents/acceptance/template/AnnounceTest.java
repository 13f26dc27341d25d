package dev.connectorevents.acceptance.template;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.TableScan;
import dev.connectorevents.acceptance.service.Texts;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.emulator.function.Invocation;
import dev.connectorevents.emulator.stream.EventSource;
import dev.connectorevents.emulator.template.EventSourceMapping;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

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

  @AutoClose private static final World service = World.start();

  @Test
  @Promise({
    "Each new event is announced once or more, about a second after it was stored, and so is each",
    "The message never contains the payload"
  })
  void an_event_and_its_erasure_are_announced_but_neither_parts_nor_marks() {
    String small = service.store("{}");
    String large = service.store("{\"n\":\"" + Texts.noise(450_000) + "\"}");
    erase("{\"ids\":[\"" + large + "\"]");
    begin("{\"brand_id\":\"acme\"");

    assertThat(new TableScan(service).items("EventsTable").keySet())
        .as("marks of the erasure that waits for the feed")
        .anyMatch(id -> id.startsWith("mark#"));
    assertThat(messages())
        .hasSize(3)
        .allMatch(message -> message.size() == 4)
        .extracting(message -> message.path("id").textValue())
        .containsExactlyInAnyOrder(small, large, large);
    assertThat(messages())
        .filteredOn(message -> message.path("erased_at").textValue().isEmpty())
        .hasSize(2)
        .allMatch(message -> message.path("created_at").textValue().startsWith("20"))
        .allMatch(message -> message.path("event_type").textValue().equals("a.b"));
    assertThat(messages())
        .filteredOn(message -> message.path("erased_at").textValue().startsWith("20"))
        .singleElement()
        .matches(message -> message.path("created_at").textValue().isEmpty())
        .matches(message -> message.path("event_type").textValue().isEmpty());
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

  /** What the pipe makes of all that the table's stream has had so far, in its order. */
  private List<JsonNode> messages() {
    List<JsonNode> messages = new ArrayList<>();
    EventSourceMapping filtering =
        new EventSourceMapping(
            service.name("EventsTable"),
            "Pipe",
            pipe.findValue("BatchSize").intValue(),
            pipe.at("/SourceParameters/FilterCriteria").findValuesAsText("Pattern"),
            Optional.empty());
    new EventSource(
            filtering,
            service.stream(),
            (function, event) -> {
              json(new String(event, UTF_8))
                  .path("Records")
                  .forEach(it -> messages.add(message(it)));
              return new Invocation.Answered("{\"state\":{}}".getBytes(UTF_8));
            })
        .poll();
    return messages;
  }

  /** An absent value as an empty text: AWS says that it does not appear in the output. */
  private JsonNode message(JsonNode record) {
    return json(
        PATH.matcher(pipe.at("/TargetParameters/InputTemplate").textValue())
            .replaceAll(path ->
                Matcher.quoteReplacement(
                    record.at("/" + path.group(1).replace('.', '/')).asText(""))));
  }

  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new AssertionError(text, e);
    }
  }

  private void erase(String selector) {
    String next = begin(selector);
    JsonNode done =
        service.operator().invoke("EraseEventsFunction", selector + ",\"next\":\"" + next + "\"}");
    assertThat(done.get("complete").booleanValue()).as(done.toString()).isTrue();
  }

  /** The first call of an erasure. Returns its {@code next}. */
  private String begin(String selector) {
    return service.operator().invoke("EraseEventsFunction", selector + "}").get("next").textValue();
  }
}
