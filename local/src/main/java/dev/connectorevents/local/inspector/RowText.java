package dev.connectorevents.local.inspector;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.connectorevents.http.Fault;
import dev.connectorevents.local.inspector.RequestOutcome.BatchOfEvents;
import dev.connectorevents.local.inspector.RequestOutcome.MissingKeys;
import dev.connectorevents.local.inspector.RequestOutcome.NoEvent;
import dev.connectorevents.local.inspector.RequestOutcome.OneEvent;
import dev.connectorevents.local.inspector.RequestOutcome.Refusal;
import dev.connectorevents.local.inspector.RequestRow.EventSummary;
import dev.connectorevents.local.inspector.RequestRow.ExchangeSummary;
import dev.connectorevents.local.inspector.RequestRow.StoredItems;
import dev.connectorevents.local.inspector.RowNote.Meaning;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The words of a row. The terminal and the page show the same.
 *
 * @param lead the event type; without one, what the route does, or the request
 * @param request the method and the path with its query, shortened; null if it leads
 * @param outcome what became of the request
 * @param sent the size of the request's body; null if it has none
 * @param stored the size of all items; null if nothing was stored
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record RowText(
    String lead,
    @Nullable String request,
    List<RowNote> outcome,
    @Nullable String sent,
    @Nullable String stored) {

  private static final int MAX_TEXT = 100;
  private static final int MAX_PATH = 44;
  private static final int MAX_QUERY = 80;
  private static final int MAX_KEY = 40;

  static RowText of(RequestRow row) {
    String type = row.event().type();
    String known = type == null ? row.operation() : type;
    String request = request(row.exchange());
    StoredItems stored = row.stored();
    return new RowText(
        known == null ? request : printable(known),
        known == null ? null : request,
        outcome(row),
        row.exchange().bytes() == 0 ? null : size(row.exchange().bytes()),
        stored == null ? null : size(stored.bytes()) + (stored.isCompressed() ? " gzip" : ""));
  }

  private static String request(ExchangeSummary exchange) {
    String[] parts = exchange.path().split("(?=\\?)", 2);
    String query = parts.length == 1 ? "" : middle(parts[1], MAX_QUERY);
    String method = printable(exchange.method());
    return method + " " + middle(parts[0], MAX_PATH) + query;
  }

  private static List<RowNote> outcome(RequestRow row) {
    int status = row.exchange().status();
    return switch (row.outcome()) {
      case BatchOfEvents(List<Meaning> events, List<Fault> faults) -> batch(events, faults);
      case Refusal(String code, String detail, List<Fault> faults) ->
          List.of(
              RowNote.of(
                  Meaning.ofError(status),
                  faults.isEmpty() ? printable(code + ": " + detail) : first(faults)));
      case OneEvent(_, boolean isReplayed) when isReplayed ->
          List.of(RowNote.of(Meaning.REPLAYED, "key " + key(row.event())));
      case OneEvent _ -> status == 201 ? List.of(RowNote.of(Meaning.NEW, null)) : List.of();
      case MissingKeys(int missing) ->
          List.of(new RowNote(Meaning.INFORMED, missing + " missing", null));
      case NoEvent() ->
          status < 400 || row.hints().stream().anyMatch(hint -> hint.meaning() != Meaning.IGNORED)
              ? List.of()
              : List.of(RowNote.of(Meaning.ofError(status), null));
    };
  }

  /** The mixture, such as <i>3 new, 1 refused</i>. Only its last note can have faults. */
  private static List<RowNote> batch(List<Meaning> events, List<Fault> faults) {
    List<RowNote> notes = new ArrayList<>();
    Arrays.stream(Meaning.values())
        .filter(events::contains)
        .forEach(meaning -> {
          int count = Collections.frequency(events, meaning);
          notes.add(new RowNote(meaning, count + " " + meaning.word(), null));
        });
    if (!faults.isEmpty()) {
      RowNote last = notes.removeLast();
      notes.add(new RowNote(last.meaning(), last.word(), first(faults)));
    }
    return List.copyOf(notes);
  }

  private static String first(List<Fault> faults) {
    Fault first = faults.getFirst();
    String more = faults.size() == 1 ? "" : " (+" + (faults.size() - 1) + ")";
    return printable(first.pointer() + ": " + first.detail()) + more;
  }

  private static String key(EventSummary event) {
    return printable(Objects.toString(event.key()), MAX_KEY);
  }

  /** Safe to print, and not too long: a terminal obeys control characters. */
  static String printable(String text) {
    return printable(text, MAX_TEXT);
  }

  static String printable(String text, int maxLength) {
    String plain = plain(text);
    return plain.length() <= maxLength ? plain : plain.substring(0, maxLength) + "…";
  }

  /** Shortens in the middle: the end of a path says as much as its beginning. */
  private static String middle(String text, int maxLength) {
    String plain = plain(text);
    int end = maxLength / 3;
    return plain.length() <= maxLength
        ? plain
        : plain.substring(0, maxLength - end - 1) + "…" + plain.substring(plain.length() - end);
  }

  private static String plain(String text) {
    return text.replaceAll("[\\p{Cc}\\p{Cf}]", "\uFFFD");
  }

  /** Every size in one unit, so that sizes can be compared at a glance. */
  private static String size(long bytes) {
    return bytes < 50 ? "< 0.1 KB" : String.format(Locale.ROOT, "%.1f KB", bytes / 1e3);
  }
}
