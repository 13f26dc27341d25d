package dev.connectorevents.local.inspector;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.http.Fault;
import dev.connectorevents.local.inspector.RequestOutcome.BatchOfEvents;
import dev.connectorevents.local.inspector.RequestOutcome.NoEvent;
import dev.connectorevents.local.inspector.RequestOutcome.OneEvent;
import dev.connectorevents.local.inspector.RequestOutcome.Refusal;
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
    ExchangeSummary exchange = row.exchange();
    parts.add(time(Instant.parse(exchange.receivedAt())));
    parts.add(colored(color(exchange.status()), "" + exchange.status()));
    parts.add(shown(exchange.method() + " " + exchange.path()));
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
    String took = Math.round(row.exchange().milliseconds()) + " ms";
    return switch (row.outcome()) {
      case BatchOfEvents(BatchCounts batch, List<Fault> faults) ->
          flat(List.of(List.of(batch.toString()), faults(faults), List.of(took)));
      case Refusal(_, _, List<Fault> faults) when !faults.isEmpty() -> faults(faults);
      case Refusal(String code, String detail, _) -> List.of(shown(code + ": " + detail));
      case OneEvent(String id, boolean isReplayed) ->
          flat(
              List.of(
                  isReplayed ? replayed(row.event()) : stored(row),
                  List.of(took, shown(id, SHORT_ID))));
      case NoEvent() -> flat(List.of(stored(row), List.of(took)));
    };
  }

  private static List<String> flat(List<List<String>> parts) {
    return parts.stream().flatMap(List::stream).toList();
  }

  private static List<String> faults(List<Fault> faults) {
    if (faults.isEmpty()) {
      return List.of();
    }
    Fault first = faults.getFirst();
    int more = faults.size() - 1;
    return List.of(
        shown(first.pointer() + ": " + first.detail()) + (more > 0 ? " (+" + more + ")" : ""));
  }

  private static List<String> replayed(SentEvent event) {
    return List.of("replayed, key " + shown(String.valueOf(event.key()), MAX_KEY));
  }

  private static List<String> stored(RequestRow row) {
    return row.stored() == null
        ? List.of()
        : List.of(
            shown(String.valueOf(row.event().type())),
            size(row.exchange().bytes()) + " -> " + units(row.stored().writeUnits()));
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
