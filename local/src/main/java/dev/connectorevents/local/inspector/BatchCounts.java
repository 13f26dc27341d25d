package dev.connectorevents.local.inspector;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How many events of a batch were stored, and how many were not. */
record BatchCounts(int events, int stored, int replayed, int refused, int failed) {

  /** Counts the results of an answer. */
  static BatchCounts of(JsonNode results) {
    int replayed = 0;
    int refused = 0;
    int failed = 0;
    for (JsonNode result : results) {
      int status = result.path("status").intValue();
      replayed += result.path("replayed").booleanValue() ? 1 : 0;
      refused += status / 100 == 4 ? 1 : 0;
      failed += status / 100 == 5 ? 1 : 0;
    }
    int stored = results.size() - replayed - refused - failed;
    return new BatchCounts(results.size(), stored, replayed, refused, failed);
  }

  @JsonValue
  @Override
  public String toString() {
    return "%d event%s: ".formatted(events, events == 1 ? "" : "s")
        + Stream.of(
                count(stored, "stored"),
                count(replayed, "replayed"),
                count(refused, "refused"),
                count(failed, "failed"))
            .filter(text -> !text.isEmpty())
            .collect(Collectors.joining(", "));
  }

  private static String count(int number, String what) {
    return number == 0 ? "" : number + " " + what;
  }
}
