package dev.connectorevents.bench.bill;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What was asked for.
 *
 * @param folder of payloads; generated ones without it
 */
record CommandLine(
    Path template, Optional<Path> folder, double durationMs, double eventsPerSecond, int logBytes) {

  private static final List<String> OPTIONS =
      List.of("--template", "--duration-ms", "--rate", "--log-bytes");

  /**
   * Reads it.
   *
   * @throws IllegalArgumentException for a mistake, saying what it is
   */
  static CommandLine parse(List<String> arguments) {
    Map<String, String> values = new HashMap<>();
    Optional<Path> folder = Optional.empty();
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      if (OPTIONS.contains(argument) && i + 1 < arguments.size()) {
        values.put(argument, arguments.get(++i));
      } else if (argument.startsWith("-") || folder.isPresent()) {
        throw new IllegalArgumentException("not understood: " + argument);
      } else {
        folder = Optional.of(Path.of(argument));
      }
    }
    return new CommandLine(
        Path.of(values.getOrDefault("--template", "template.yaml")),
        folder,
        number(values, "--duration-ms", Assumptions.DURATION_MS),
        number(values, "--rate", Assumptions.EVENTS_PER_SECOND),
        (int) number(values, "--log-bytes", Assumptions.LOG_BYTES));
  }

  private static double number(Map<String, String> values, String option, double standard) {
    String text = values.get(option);
    try {
      return text == null ? standard : Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(option + " needs a number, not " + text, e);
    }
  }
}
