package dev.connectorevents.acceptance.template;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The page on costs counts what CloudWatch bills: the metrics of the template's alarms and logs.
 */
class FixedCostTest {

  private final TemplateText template = TemplateText.ofTheService();

  @Test
  void the_page_counts_the_metrics_that_alarms_watch() throws IOException {
    List<Integer> watched =
        template.resources("AWS::CloudWatch::Alarm").values().stream()
            .map(alarm -> Math.max(1, alarm.findValues("MetricStat").size()))
            .sorted()
            .toList();
    int alone = watched.stream().filter(metrics -> metrics == 1).mapToInt(it -> it).sum();
    String others =
        watched.stream()
            .filter(metrics -> metrics > 1)
            .map(Object::toString)
            .collect(Collectors.joining(" + "));
    int all = watched.stream().mapToInt(it -> it).sum();

    assertThat(page())
        .contains("%d + %s = %d.".formatted(alone, others, all))
        .contains("- $%.2f for alarms".formatted(all * 0.10));
  }

  @Test
  void the_page_counts_the_metrics_of_the_log_lines() throws IOException {
    int routes =
        template.functions().values().stream()
            .flatMap(function -> function.findValues("Type").stream())
            .filter(type -> type.asText().equals("HttpApi"))
            .toList()
            .size();
    int ofRoutes = 0;
    int others = 0;
    for (JsonNode filter : template.resources("AWS::Logs::MetricFilter").values()) {
      String dimensions = filter.at("/MetricTransformations/0/Dimensions").toString();
      if (dimensions.contains("$.route")) {
        ofRoutes++;
      } else if (dimensions.isEmpty()) {
        others++;
      }
    }
    int without = routes + 1 + 2; // the durations, the positions and the two of beats

    assertThat(page())
        .contains("$%.2f to $%.2f".formatted(without * 0.30, (ofRoutes * routes + others) * 0.30));
  }

  private static String page() throws IOException {
    return Files.readString(Path.of("../docs/cost.md"));
  }
}
