package dev.connectorevents.bench.coldstart;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * What was asked for.
 *
 * @param root of the project
 * @param runs of each function that are measured
 * @param invokes in a row, of each function whose warm requests are measured
 * @param only the rows whose name it finds itself in
 * @param plot a file for the picture
 * @param certificate a folder; plain HTTP without it
 * @param isPinned whether there is a CPU for the functions alone
 */
record CommandLine(
    Path root,
    int runs,
    int invokes,
    Pattern only,
    Optional<Path> plot,
    Optional<Path> certificate,
    boolean isPinned) {

  private static final String PINNED = "--pinned";
  private static final List<String> OPTIONS =
      List.of("--root", "--runs", "--invokes", "--only", "--plot", "--certificate");

  /**
   * Reads it.
   *
   * @throws IllegalArgumentException for a mistake, saying what it is
   */
  static CommandLine parse(List<String> arguments) {
    List<String> rest = new ArrayList<>(arguments);
    boolean isPinned = rest.remove(PINNED);
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < rest.size(); i += 2) {
      if (!OPTIONS.contains(rest.get(i)) || i + 1 == rest.size()) {
        throw new IllegalArgumentException("not understood: " + rest.get(i));
      }
      values.put(rest.get(i), rest.get(i + 1));
    }
    return new CommandLine(
        Path.of(values.getOrDefault("--root", ".")),
        count(values.getOrDefault("--runs", "5")),
        count(values.getOrDefault("--invokes", "20000")),
        pattern(values.getOrDefault("--only", "")),
        Optional.ofNullable(values.get("--plot")).map(Path::of),
        Optional.ofNullable(values.get("--certificate")).map(Path::of),
        isPinned);
  }

  private static int count(String text) {
    if (!text.matches("[1-9][0-9]{0,5}")) {
      throw new IllegalArgumentException("not a number from 1 on: " + text);
    }
    return Integer.parseInt(text);
  }

  private static Pattern pattern(String text) {
    try {
      return Pattern.compile(text);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException("no regular expression: " + text, e);
    }
  }
}
