package dev.connectorevents.local.inspector;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.http.Fault;
import java.io.PrintStream;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Prints one readable line per request.
 *
 * @param isColored whether the output understands ANSI colors
 */
public record Terminal(PrintStream output, ZoneId zone, boolean isColored) {

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MAX_TEXT = 100;
  private static final int MAX_KEY = 40;
  private static final int SHORT_ID = 8;
  private static final Set<String> UNSHOWN = Set.of("request_id", "function_name", "user_id");

  private static final int RED = 31;
  private static final int GREEN = 32;
  private static final int YELLOW = 33;

  void print(RequestRow row) {
    List<String> parts = new ArrayList<>();
    parts.add(time(Instant.parse(row.receivedAt())));
    parts.add(colored(color(row.status()), "" + row.status()));
    parts.add(shown(row.method() + " " + row.path()));
    parts.addAll(outcome(row));
    if (row.error() != null) {
      parts.add(colored(RED, shown(row.error())));
    }
    row.hints().forEach(hint -> parts.add(colored(YELLOW, shown(hint))));
    output.println(String.join("  ", parts));
  }

  /**
   * Prints the log line of a function without a route: an operator or Secrets Manager has called
   * it. {@link #print} shows the other calls.
   */
  public void log(String line) {
    JsonNode members;
    try {
      members = JSON.readTree(line);
    } catch (JsonProcessingException e) {
      output.println(shown(line));
      return;
    }
    if (members.has("route")) {
      return;
    }
    List<String> parts = new ArrayList<>();
    parts.add(time(Instant.now()));
    parts.add(shown(members.path("function_name").asText()));
    members.properties().stream()
        .filter(member -> !UNSHOWN.contains(member.getKey()))
        .forEach(member -> parts.add(shown(member.getValue().asText())));
    output.println(String.join("  ", parts));
  }

  private static List<String> outcome(RequestRow row) {
    if (row.batch() != null) {
      List<String> parts = new ArrayList<>(List.of(row.batch().toString()));
      parts.addAll(row.faults().isEmpty() ? List.of() : List.of(faults(row)));
      parts.add(Math.round(row.milliseconds()) + " ms");
      return parts;
    }
    if (!row.faults().isEmpty()) {
      return List.of(faults(row));
    }
    if (row.code() != null) {
      return List.of(shown(row.code() + ": " + row.detail()));
    }
    List<String> parts = new ArrayList<>();
    if (row.isReplayed()) {
      parts.add("replayed, key " + shown(String.valueOf(row.key()), MAX_KEY));
    } else if (row.stored() != null) {
      parts.add(shown(String.valueOf(row.eventType())));
      parts.add(size(row.bytes()) + " -> " + units(row.stored().writeUnits()));
    }
    parts.add(Math.round(row.milliseconds()) + " ms");
    if (row.eventId() != null) {
      parts.add(shown(row.eventId(), SHORT_ID));
    }
    return parts;
  }

  private static String faults(RequestRow row) {
    Fault first = row.faults().getFirst();
    int more = row.faults().size() - 1;
    return shown(first.pointer() + ": " + first.detail()) + (more > 0 ? " (+" + more + ")" : "");
  }

  private static String size(int bytes) {
    return bytes < 10_000 ? bytes + " B" : String.format(Locale.ROOT, "%.1f KB", bytes / 1e3);
  }

  private static String units(double units) {
    return "%.0f write unit%s".formatted(units, units == 1 ? "" : "s");
  }

  private String time(Instant time) {
    return TIME.format(time.atZone(zone));
  }

  private static int color(int status) {
    return status < 400 ? GREEN : status < 500 ? YELLOW : RED;
  }

  private String colored(int color, String text) {
    return isColored ? "\u001b[%dm%s\u001b[0m".formatted(color, text) : text;
  }

  private static String shown(String text) {
    return shown(text, MAX_TEXT);
  }

  /** Request data may contain control characters: a terminal would obey them. */
  private static String shown(String text, int most) {
    String plain = text.replaceAll("[\\p{Cc}\\p{Cf}]", "\uFFFD");
    return plain.length() <= most ? plain : plain.substring(0, most) + "…";
  }
}
