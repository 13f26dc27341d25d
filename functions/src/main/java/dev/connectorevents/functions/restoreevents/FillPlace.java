package dev.connectorevents.functions.restoreevents;

import dev.connectorevents.event.Marks;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a call of a fill goes on.
 *
 * @param run whose marks they are
 * @param begun when the first marks were written, or before; in whole milliseconds
 * @param marks while they are not noted, nothing is filled
 * @param after the last id that was searched; empty at the beginning
 */
record FillPlace(UUID run, Instant begun, Marks marks, Optional<String> after) {

  private static final Pattern SHAPE =
      Pattern.compile(
          "fill:([0-9a-f-]{36}):([0-9]{1,15}):([1-9][0-9]{0,8}):([0-9]{1,15})"
              + "(?::([0-9]{1,9}):([0-9]{1,18}))?(?::([0-9a-f-]{36}(?:#(?:mark)?[0-9]{1,9})?))?");

  FillPlace with(Marks other) {
    return new FillPlace(run, begun, other, after);
  }

  FillPlace after(String id) {
    return new FillPlace(run, begun, marks, Optional.of(id));
  }

  /** As the ledger keeps it. */
  String text() {
    return "fill:%s:%d:%d:%d"
            .formatted(run, begun.toEpochMilli(), marks.written(), marks.at().toEpochMilli())
        + marks.noted().map(noted -> ":" + noted.shards() + ":" + noted.head()).orElse("")
        + after.map(id -> ":" + id).orElse("");
  }

  static FillPlace of(String text) {
    Matcher shape = SHAPE.matcher(text);
    if (!shape.matches()) {
      throw new IllegalStateException("no place of a fill: " + text);
    }
    return new FillPlace(
        UUID.fromString(shape.group(1)),
        time(shape.group(2)),
        new Marks(Integer.parseInt(shape.group(3)), time(shape.group(4)), noted(shape)),
        Optional.ofNullable(shape.group(7)));
  }

  private static Instant time(String millis) {
    return Instant.ofEpochMilli(Long.parseLong(millis));
  }

  private static Optional<Marks.Noted> noted(Matcher shape) {
    return shape.group(5) == null
        ? Optional.empty()
        : Optional.of(
            new Marks.Noted(Integer.parseInt(shape.group(5)), Long.parseLong(shape.group(6))));
  }
}
