package dev.connectorevents.acceptance.template;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The pipe takes new and erased events, drops none because of its age, and uses the KMS key only
 * through DynamoDB.
 */
class EventsPipeTest extends TemplateRules {

  /**
   * The pattern of a filter that takes new and changed items with the attribute {@code %s}. An item
   * changes if its event is erased, or if a new event gets a freed {@code Idempotency-Key}.
   */
  private static final String FILTER =
      "{\"eventName\":[\"INSERT\",\"MODIFY\"],"
          + "\"dynamodb\":{\"NewImage\":{\"%s\":{\"S\":[{\"exists\":true}]}}}}";

  @Override
  Stream<TemplateRule> rules() {
    return Stream.of(
        new TemplateRule(
            "the pipe takes events and tombstones, new ones and those that replace an item",
            EventsPipeTest::thePipeTakesEventsAndTombstones,
            new Mistake("EventsPipe", "\"erased_at\":{", "\"erasure_id\":{", "filters"),
            new Mistake("EventsPipe", "[\"INSERT\",\"MODIFY\"]", "[\"INSERT\"]", "filters")),
        new TemplateRule(
            "no pipe drops what its stream still holds",
            EventsPipeTest::noPipeLimitsTheAgeOfRecords,
            new Mistake(
                "EventsPipe",
                "MaximumRecordAgeInSeconds: -1",
                "MaximumRecordAgeInSeconds: 3600",
                "oldest record of EventsPipe")),
        new TemplateRule(
            "a pipe uses the key only through DynamoDB",
            EventsPipeTest::thePipeUsesTheKeyOnlyThroughDynamoDb,
            new Mistake(
                "EventsPipeRole",
                "\"*dynamodb.",
                "\"*secretsmanager.",
                "which EventsPipeRole uses")));
  }

  private static void thePipeTakesEventsAndTombstones(TemplateText template) {
    assertThat(
            template
                .properties("EventsPipe")
                .at("/SourceParameters/FilterCriteria")
                .findValuesAsText("Pattern"))
        .as("filters of EventsPipe")
        .containsExactlyInAnyOrder(FILTER.formatted("event_type"), FILTER.formatted("erased_at"));
  }

  /**
   * A stream keeps a record for a day. With an age limit, a pipe that was stopped would drop
   * records that the stream still holds.
   */
  private static void noPipeLimitsTheAgeOfRecords(TemplateText template) {
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
  private static void thePipeUsesTheKeyOnlyThroughDynamoDb(TemplateText template) {
    assertThat(template.properties("EventsPipeRole").findValues("kms:ViaService"))
        .as("services through which EventsPipeRole uses the key")
        .extracting(service -> service.path("Fn::Sub").asText())
        .containsExactly("*dynamodb.${AWS::Region}.amazonaws.com");
  }
}
