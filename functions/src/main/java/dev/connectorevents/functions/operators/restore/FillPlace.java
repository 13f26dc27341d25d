package dev.connectorevents.functions.operators.restore;

import dev.connectorevents.event.Marks;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * Where a call of a fill goes on.
 *
 * @param marksOf what the marks are named by
 * @param begun when the first marks were written, or before; in whole milliseconds
 * @param marks while they are not noted, nothing is filled
 * @param after the last id that was searched; empty at the beginning
 */
record FillPlace(UUID marksOf, Instant begun, Marks marks, Optional<String> after) {

  private static final String NONE = "-";

  FillPlace with(Marks other) {
    return new FillPlace(marksOf, begun, other, after);
  }

  FillPlace after(String id) {
    return new FillPlace(marksOf, begun, marks, Optional.of(id));
  }

  /** As the ledger keeps it. */
  String text() {
    return String.join(
        " ",
        marksOf.toString(),
        begun.toString(),
        Integer.toString(marks.written()),
        marks.at().toString(),
        marks.noted().map(noted -> noted.shards() + " " + noted.head()).orElse(NONE + " " + NONE),
        after.orElse(NONE));
  }

  static FillPlace of(String text) {
    String[] parts = text.split(" ", -1);
    Optional<Marks.Noted> noted =
        given(parts[4])
            .map(shards -> new Marks.Noted(Integer.parseInt(shards), Long.parseLong(parts[5])));
    return new FillPlace(
        UUID.fromString(parts[0]),
        Instant.parse(parts[1]),
        new Marks(Integer.parseInt(parts[2]), Instant.parse(parts[3]), noted),
        given(parts[6]));
  }

  private static Optional<String> given(String part) {
    return Optional.of(part).filter(it -> !it.equals(NONE));
  }
}
