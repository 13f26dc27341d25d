package dev.connectorevents.emulator.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventSourceMappingTest {

  private static final String TEXT =
      """
      Transform: AWS::Serverless-2016-10-31
      Resources:
        Count:
          Type: AWS::Serverless::Function
          Properties: { Handler: a.Count, AutoPublishAlias: live }
        Things:
          Type: AWS::DynamoDB::Table
          Properties:
            AttributeDefinitions: [{ AttributeName: id, AttributeType: S }]
            KeySchema: [{ AttributeName: id, KeyType: HASH }]
            StreamSpecification: { StreamViewType: NEW_IMAGE }
            OnDemandThroughput: { MaxReadRequestUnits: 100 }
        Mapping:
          Type: AWS::Lambda::EventSourceMapping
          Properties:
            EventSourceArn: !GetAtt Things.StreamArn
            FunctionName: !Ref Count.Alias
            StartingPosition: TRIM_HORIZON
            BatchSize: 1000
            MaximumBatchingWindowInSeconds: 1
            TumblingWindowInSeconds: 900
            ParallelizationFactor: 1
            MaximumRetryAttempts: -1
            MaximumRecordAgeInSeconds: -1
            FilterCriteria: { Filters: [{ Pattern: '{"eventName":["INSERT"]}' }] }
      """;

  @Test
  void a_mapping_has_its_function_its_table_and_what_it_passes_on() {
    assertThat(Template.parse("x", TEXT, Map.of(), "mine-").mappings())
        .containsExactly(
            new EventSourceMapping(
                "mine-Things",
                "Count",
                1_000,
                List.of("{\"eventName\":[\"INSERT\"]}"),
                Optional.of(Duration.ofMinutes(15))));
  }

  @ParameterizedTest
  @CsvSource({
    "TRIM_HORIZON, LATEST, StartingPosition: only TRIM_HORIZON is known here",
    "ParallelizationFactor: 1, ParallelizationFactor: 2, ParallelizationFactor: only 1 is known",
    "MaximumRetryAttempts: -1, MaximumRetryAttempts: 3, MaximumRetryAttempts: only -1 is known",
    "InSeconds: -1, InSeconds: 60, MaximumRecordAgeInSeconds: only -1 is known here",
    "Things.StreamArn, Things.Arn, EventSourceArn: only a table's stream is known here",
    "BatchSize: 1000, BisectBatchOnFunctionError: true, BatchSize is missing",
    "BatchSize: 1000, BatchSize: many, a whole number is expected",
  })
  void what_the_emulator_would_not_do_is_refused(String right, String wrong, String message) {
    assertThatExceptionOfType(TemplateMistake.class)
        .isThrownBy(() -> Template.parse("x", TEXT.replace(right, wrong), Map.of(), ""))
        .withMessageContaining(message);
  }
}
