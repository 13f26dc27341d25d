package dev.connectorevents.acceptance.template;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.Promise;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The pipe takes new and erased events, drops none because of its age, and uses the KMS key only
 * through DynamoDB.
 */
class EventsPipeTest {

  private final TemplateText template = TemplateText.ofTheService();

  /**
   * The pattern of a filter that takes new and changed items with the attribute {@code %s}. An item
   * changes if its event is erased, or if a new event gets a freed {@code Idempotency-Key}.
   */
  private static final String FILTER =
      "{\"eventName\":[\"INSERT\",\"MODIFY\"],"
          + "\"dynamodb\":{\"NewImage\":{\"%s\":{\"S\":[{\"exists\":true}]}}}}";

  @Test
  @Promise("Each new event is announced once or more, and so is each")
  void the_pipe_takes_events_and_tombstones_new_ones_and_those_that_replace_an_item() {
    assertThat(
            template
                .properties("EventsPipe")
                .at("/SourceParameters/FilterCriteria")
                .findValuesAsText("Pattern"))
        .as("filters of EventsPipe")
        .containsExactlyInAnyOrder(FILTER.formatted("event_type"), FILTER.formatted("erased_at"));
    assertThat(
            template.properties("EventsTable").at("/StreamSpecification/StreamViewType").asText())
        .as("the images that the filters look at")
        .isEqualTo("NEW_IMAGE");
  }

  /**
   * A stream keeps a record for a day. With an age limit, a pipe that was stopped would drop
   * records that the stream still holds.
   */
  @Test
  void no_pipe_drops_what_its_stream_still_holds() {
    Map<String, JsonNode> pipes = template.resources("AWS::Pipes::Pipe");
    assertThat(pipes).isNotEmpty();
    pipes.forEach((id, pipe) ->
        assertThat(pipe.findValue("MaximumRecordAgeInSeconds").intValue())
            .as("oldest record of %s", id)
            .isEqualTo(-1));
  }

  /**
   * AWS does not document the service name with which DynamoDB Streams calls KMS. The asterisk
   * allows any prefix.
   */
  @Test
  void a_pipe_uses_the_key_only_through_DynamoDB() {
    assertThat(template.properties("EventsPipeRole").findValues("kms:ViaService"))
        .as("services through which EventsPipeRole uses the key")
        .extracting(service -> service.path("Fn::Sub").asText())
        .containsExactly("*dynamodb.${AWS::Region}.amazonaws.com");
  }
}
