package dev.connectorevents.bench.coldstart;

import static dev.connectorevents.bench.MarkdownTable.figure;

import dev.connectorevents.bench.MarkdownTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All that is printed.
 *
 * @param conditions under which it was measured, in a few words
 */
record Report(String conditions, List<Result> results, Optional<LoginTimes> login) {

  Report {
    results = List.copyOf(results);
  }

  @Override
  public String toString() {
    List<String> parts = new ArrayList<>(List.of(conditions));
    if (!results.isEmpty()) {
      parts.add(new ColdStartTable(results).toString());
    }
    login.ifPresent(times -> parts.add(login(times)));
    List<Target> targets = Targets.of(results, login);
    if (!targets.isEmpty()) {
      parts.add("What is to be reached, by `createevent` where it is not said otherwise:\n");
      parts.add(targets(targets));
    }
    results.stream()
        .filter(result -> result.name().equals(OurFunctions.CREATE_EVENT))
        .forEach(result -> {
          parts.add("The classes that `createevent` loads until its first answer:\n");
          parts.add(classes(result.classes()));
        });
    return String.join("\n", parts);
  }

  private static String login(LoginTimes times) {
    return figure("A warm login takes %.1f ms, ", times.loginMs())
        + figure("bcrypt of its cost alone %.1f ms.\n", times.bcryptMs());
  }

  private static String targets(List<Target> targets) {
    return new MarkdownTable(
            List.of("", "at most", "measured", "reached"),
            targets.stream()
                .map(target ->
                    List.of(
                        target.what(),
                        number(target.most()),
                        figure("%.2f", target.measured()),
                        target.isReached() ? "yes" : "**no**"))
                .toList())
        .toString();
  }

  private static String number(double value) {
    return value == Math.rint(value) ? figure("%.0f", value) : figure("%.2f", value);
  }

  private static String classes(List<String> classes) {
    List<List<String>> rows = new ArrayList<>();
    ClassGroup.count(classes).entrySet().stream()
        .sorted(Map.Entry.<ClassGroup, Integer>comparingByValue(Comparator.reverseOrder()))
        .forEach(group ->
            rows.add(
                List.of(
                    group.getKey().title(),
                    group.getValue().toString(),
                    group.getKey().purpose())));
    rows.add(List.of("all", Integer.toString(classes.size()), ""));
    return new MarkdownTable(List.of("", "classes", "there for"), rows).toString();
  }
}
