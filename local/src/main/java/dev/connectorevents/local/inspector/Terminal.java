package dev.connectorevents.local.inspector;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.local.inspector.RequestOutcome.OneEvent;
import dev.connectorevents.local.inspector.RequestRow.ExchangeSummary;
import java.io.PrintStream;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Prints one readable line per request.
 *
 * @param isColored whether the output understands ANSI colors
 */
public record Terminal(PrintStream output, ZoneId zone, boolean isColored) {

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Set<String> UNSHOWN = Set.of("request_id", "function_name", "user_id");

  private static final int SHORT_ID = 8;
  private static final int RED = 31;
  private static final int GREEN = 32;
  private static final int YELLOW = 33;

  void print(RequestRow row) {
    List<String> parts = new ArrayList<>();
    ExchangeSummary exchange = row.exchange();
    parts.add(time(Instant.parse(exchange.receivedAt())));
    parts.add(colored(color(exchange.status()), "" + exchange.status()));
    RowText text = row.text();
    parts.add(text.lead());
    if (text.request() != null) {
      parts.add(text.request());
    }
    if (!text.outcome().isEmpty()) {
      parts.add(text.outcome().stream().map(RowNote::toString).collect(joining(" · ")));
    }
    if (text.stored() != null && row.stored() != null) {
      parts.add(text.sent() + " -> " + text.stored() + ", " + units(row.stored().writeUnits()));
    }
    parts.add(Math.round(exchange.milliseconds()) + " ms");
    if (row.outcome() instanceof OneEvent(String id, _)) {
      parts.add(RowText.printable(id, SHORT_ID));
    }
    if (row.error() != null) {
      parts.add(colored(RED, RowText.printable(row.error())));
    }
    row.hints().forEach(hint -> parts.add(colored(YELLOW, RowText.printable(hint.toString()))));
    output.println(String.join("  ", parts));
  }

  private static String units(long units) {
    return "%d write unit%s".formatted(units, units == 1 ? "" : "s");
  }

  /**
   * Prints the log line of a function without a route: an operator, Secrets Manager or a table's
   * stream has called it. {@link #print} shows the other calls.
   */
  public void log(String line) {
    JsonNode members;
    try {
      members = JSON.readTree(line);
    } catch (JsonProcessingException e) {
      output.println(RowText.printable(line));
      return;
    }
    if (!members.has("function_name") || isNothingNew(members)) {
      return;
    }
    List<String> parts = new ArrayList<>();
    parts.add(time(Instant.now()));
    parts.add(RowText.printable(members.path("function_name").asText()));
    members.properties().stream()
        .filter(member -> !UNSHOWN.contains(member.getKey()))
        .forEach(member -> parts.add(RowText.printable(text(member.getKey(), member.getValue()))));
    output.println(String.join("  ", parts));
  }

  /** Stored events have got their positions: each has its line already. Or a beat has come. */
  private static boolean isNothingNew(JsonNode members) {
    return (members.has("numbered") || members.has("beat"))
        && !members.has("error")
        && !members.has("unreadable");
  }

  /** A number or a boolean says nothing without its name. */
  private static String text(String name, JsonNode value) {
    return value.isTextual() ? value.textValue() : name + " " + value;
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
}
