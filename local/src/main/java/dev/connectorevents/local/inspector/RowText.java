package dev.connectorevents.local.inspector;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.connectorevents.http.Fault;
import dev.connectorevents.local.inspector.RequestOutcome.BatchOfEvents;
import dev.connectorevents.local.inspector.RequestOutcome.MissingKeys;
import dev.connectorevents.local.inspector.RequestOutcome.NoEvent;
import dev.connectorevents.local.inspector.RequestOutcome.OneEvent;
import dev.connectorevents.local.inspector.RequestOutcome.Refusal;
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

  private static final int MAX_PATH = 44;
  private static final int MAX_QUERY = 80;
  private static final int MAX_KEY = 40;

  static RowText of(RequestRow row) {
    String type = row.event().type();
    String known = type == null ? row.operation() : type;
    String request = request(row.exchange());
    StoredItems stored = row.stored();
    return new RowText(
        known == null ? request : PrintableText.of(known),
        known == null ? null : request,
        outcome(row),
        row.exchange().bytes() == 0 ? null : size(row.exchange().bytes()),
        stored == null ? null : size(stored.bytes()) + (stored.isCompressed() ? " gzip" : ""));
  }

  private static String request(ExchangeSummary exchange) {
    String[] parts = exchange.path().split("(?=\\?)", 2);
    String query = parts.length == 1 ? "" : PrintableText.middle(parts[1], MAX_QUERY);
    String method = PrintableText.of(exchange.method());
    return method + " " + PrintableText.middle(parts[0], MAX_PATH) + query;
  }

  private static List<RowNote> outcome(RequestRow row) {
    int status = row.exchange().status();
    return switch (row.outcome()) {
      case BatchOfEvents(List<NoteKind> events, List<Fault> faults) -> batch(events, faults);
      case Refusal(String code, String detail, List<Fault> faults) ->
          List.of(
              RowNote.of(
                  NoteKind.ofError(status),
                  faults.isEmpty() ? PrintableText.of(code + ": " + detail) : first(faults)));
      case OneEvent(_, boolean isReplayed) when isReplayed ->
          List.of(RowNote.of(NoteKind.REPLAYED, "key " + key(row.event())));
      case OneEvent _ -> status == 201 ? List.of(RowNote.of(NoteKind.NEW, null)) : List.of();
      case MissingKeys(int missing) ->
          List.of(new RowNote(NoteKind.INFORMED, missing + " missing", null));
      case NoEvent() ->
          status < 400 || row.hints().stream().anyMatch(hint -> hint.meaning() != NoteKind.IGNORED)
              ? List.of()
              : List.of(RowNote.of(NoteKind.ofError(status), null));
    };
  }

  /** The mixture, such as <i>3 new, 1 refused</i>. Only its last note can have faults. */
  private static List<RowNote> batch(List<NoteKind> events, List<Fault> faults) {
    List<RowNote> notes = new ArrayList<>();
    Arrays.stream(NoteKind.values())
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
    return PrintableText.of(first.pointer() + ": " + first.detail()) + more;
  }

  private static String key(EventSummary event) {
    return PrintableText.of(Objects.toString(event.key()), MAX_KEY);
  }

  /** Every size in one unit, so that sizes can be compared at a glance. */
  private static String size(long bytes) {
    return bytes < 50 ? "< 0.1 KB" : String.format(Locale.ROOT, "%.1f KB", bytes / 1e3);
  }
}
