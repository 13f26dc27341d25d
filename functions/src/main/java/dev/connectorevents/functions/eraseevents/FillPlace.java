package dev.connectorevents.functions.eraseevents;

import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a call of a fill goes on.
 *
 * @param begun when the fill began, in whole milliseconds
 * @param head the last position that was given before
 * @param after the last id that was searched; empty for the first call
 */
record FillPlace(Instant begun, long head, Optional<String> after) {

  private static final Pattern SHAPE =
      Pattern.compile("fill:([0-9]{1,15}):([0-9]{1,18}):([0-9a-f-]{36}(?:#[0-9]{1,9})?)");

  FillPlace after(String id) {
    return new FillPlace(begun, head, Optional.of(id));
  }

  /** What the next call sends. */
  String text() {
    return "fill:" + begun.toEpochMilli() + ":" + head + ":" + after.orElseThrow();
  }

  static Optional<FillPlace> parse(String text) {
    Matcher shape = SHAPE.matcher(text);
    return shape.matches()
        ? Optional.of(
            new FillPlace(
                Instant.ofEpochMilli(Long.parseLong(shape.group(1))),
                Long.parseLong(shape.group(2)),
                Optional.of(shape.group(3))))
        : Optional.empty();
  }
}
