package dev.connectorevents.acceptance.oracle;

import dev.connectorevents.acceptance.service.AwsFault;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * Faults of the calls to AWS during one step.
 *
 * @param place a part of the calls' names
 * @param faults of the first such call, of the second, and so on
 * @param isOfEach whether each request and its retries have them by themselves: of calls that are
 *     made side by side, chance would choose the first
 */
record Trouble(String place, List<AwsFault> faults, boolean isOfEach) {

  static final Trouble NONE = new Trouble("", List.of(), false);

  /** A brand's list asks for several lanes of the index; one of them fails. */
  static final Trouble OF_A_LANE =
      new Trouble(
          "Query EventsTable",
          List.of(AwsFault.NONE, AwsFault.NONE, AwsFault.ACCESS_DENIED),
          false);

  /** None of them takes long, and none lets a call arrive after the answer. */
  private static final List<List<AwsFault>> SEQUENCES =
      List.of(
          List.of(AwsFault.LOST_ANSWER),
          List.of(AwsFault.LOST_REQUEST),
          List.of(AwsFault.CUT_ANSWER),
          List.of(AwsFault.INTERNAL_ERROR),
          List.of(AwsFault.ACCESS_DENIED),
          List.of(AwsFault.ACCESS_DENIED),
          List.of(AwsFault.LOST_ANSWER, AwsFault.ACCESS_DENIED),
          List.of(AwsFault.LOST_ANSWER, AwsFault.ACCESS_DENIED),
          List.of(AwsFault.NONE, AwsFault.ACCESS_DENIED),
          List.of(AwsFault.LOST_ANSWER, AwsFault.UNAVAILABLE, AwsFault.INTERNAL_ERROR),
          List.of(AwsFault.NONE, AwsFault.LOST_ANSWER, AwsFault.ACCESS_DENIED));

  static Trouble draw(Random random, List<String> places, boolean isOfEach) {
    return !places.isEmpty() && random.nextInt(6) == 0
        ? new Trouble(
            places.get(random.nextInt(places.size())),
            SEQUENCES.get(random.nextInt(SEQUENCES.size())),
            isOfEach)
        : NONE;
  }

  boolean isNone() {
    return faults.isEmpty();
  }

  @Override
  public String toString() {
    return isNone()
        ? ""
        : " while %s has %s"
            .formatted(
                place,
                faults.stream().map(AwsFault::toString).collect(Collectors.joining(", then ")));
  }
}
