package dev.connectorevents.emulator.template;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One {@code AWS::Lambda::EventSourceMapping} of a table's stream.
 *
 * @param table the actual name
 * @param function the logical id
 * @param patterns an event must match one of them; empty: every event is passed on
 * @param window after so much time, the function's state ends
 */
public record EventSourceMapping(
    String table,
    String function,
    int batchSize,
    List<String> patterns,
    Optional<Duration> window) {

  /** What the emulator does whatever the template says, so the template must say it. */
  private static final Map<String, String> DEMANDED =
      Map.of(
          "StartingPosition", "TRIM_HORIZON",
          "ParallelizationFactor", "1",
          "MaximumRetryAttempts", "-1",
          "MaximumRecordAgeInSeconds", "-1");

  public EventSourceMapping {
    patterns = List.copyOf(patterns);
  }

  static EventSourceMapping read(String id, Section properties) {
    DEMANDED.forEach((name, value) -> {
      if (!properties.text(name).equals(value)) {
        throw new TemplateMistake(properties.path(name), "only " + value + " is known here");
      }
    });
    return new EventSourceMapping(
        Arn.tableOfStream(properties.text("EventSourceArn"))
            .orElseThrow(() ->
                new TemplateMistake(
                    properties.path("EventSourceArn"), "only a table's stream is known here")),
        properties.text("FunctionName").replaceFirst("\\.?Alias.*$", ""),
        properties.number("BatchSize"),
        properties.section("FilterCriteria").list("Filters").stream()
            .map(filter -> filter.text("Pattern"))
            .toList(),
        properties.optionalNumber("TumblingWindowInSeconds").map(Duration::ofSeconds));
  }
}
