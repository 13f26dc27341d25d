package dev.connectorevents.local.inspector;

import dev.connectorevents.http.Fault;
import dev.connectorevents.local.inspector.RequestOutcome.BatchOfEvents;
import dev.connectorevents.local.inspector.RequestOutcome.MissingKeys;
import dev.connectorevents.local.inspector.RequestOutcome.NoEvent;
import dev.connectorevents.local.inspector.RequestOutcome.OneEvent;
import dev.connectorevents.local.inspector.RequestOutcome.Refusal;
import java.util.List;
import java.util.Locale;

/** The parts of a terminal's line that say what became of a request. */
final class OutcomeText {

  private static final int MAX_KEY = 40;
  private static final int SHORT_ID = 8;

  private OutcomeText() {}

  static List<String> of(RequestRow row) {
    String took = Math.round(row.exchange().milliseconds()) + " ms";
    return switch (row.outcome()) {
      case BatchOfEvents(BatchCounts batch, List<Fault> faults) ->
          flat(List.of(List.of(batch.toString()), faults(faults), List.of(took)));
      case Refusal(_, _, List<Fault> faults) when !faults.isEmpty() -> faults(faults);
      case Refusal(String code, String detail, _) ->
          List.of(PrintableText.of(code + ": " + detail));
      case OneEvent(String id, boolean isReplayed) ->
          flat(
              List.of(
                  isReplayed ? replayed(row.event()) : stored(row),
                  List.of(took, PrintableText.of(id, SHORT_ID))));
      case MissingKeys(int missing) -> List.of(missing + " missing", took);
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
        PrintableText.of(first.pointer() + ": " + first.detail())
            + (more > 0 ? " (+" + more + ")" : ""));
  }

  private static List<String> replayed(SentEvent event) {
    return List.of("replayed, key " + PrintableText.of(String.valueOf(event.key()), MAX_KEY));
  }

  private static List<String> stored(RequestRow row) {
    return row.stored() == null
        ? List.of()
        : List.of(
            PrintableText.of(String.valueOf(row.event().type())),
            size(row.exchange().bytes()) + " -> " + units(row.stored().writeUnits()));
  }

  private static String size(int bytes) {
    return bytes < 10_000 ? bytes + " B" : String.format(Locale.ROOT, "%.1f KB", bytes / 1e3);
  }

  private static String units(double units) {
    return "%.0f write unit%s".formatted(units, units == 1 ? "" : "s");
  }
}
