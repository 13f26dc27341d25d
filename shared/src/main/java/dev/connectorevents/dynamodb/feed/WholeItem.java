package dev.connectorevents.dynamodb.feed;

import static dev.connectorevents.dynamodb.feed.SegmentItem.FEED;
import static dev.connectorevents.dynamodb.feed.SegmentItem.FIRST;

import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.event.Timestamp;
import dev.connectorevents.feed.MarkNote;
import dev.connectorevents.feed.Whole;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** Converts notes of marks, and what the feed holds, to items of the feed's table, and back. */
public final class WholeItem {

  /** The value of {@link SegmentItem#FEED} of what the feed holds: one item. */
  static final String WHOLE = "whole";

  /** The value of {@link SegmentItem#FEED} of notes. */
  static final String MARK = "mark";

  private static final String NAME = "name";
  private static final String STREAM = "stream";
  private static final String NUMBER = "number";
  private static final String UNTIL = "until";
  private static final String HEAD = "head";
  private static final String SINCE = "since";
  private static final String LOST = "lost";
  private static final String AT = "at";
  private static final String SHARD = "shard";

  /** All that {@link #of(Whole)} may have. */
  static final Set<String> ATTRIBUTES = Set.of(NAME, STREAM, NUMBER, UNTIL, HEAD, SINCE, LOST);

  private WholeItem() {}

  /** The item, without its key. */
  public static Item of(Whole whole) {
    Item item =
        new Item()
            .put(NAME, whole.feed().orElse(null))
            .put(STREAM, whole.stream())
            .put(NUMBER, whole.beat())
            .put(UNTIL, Timestamp.of(whole.until()))
            .put(HEAD, whole.head());
    whole
        .gap()
        .ifPresent(
            gap -> item.put(LOST, Timestamp.of(gap.from())).put(SINCE, Timestamp.of(gap.to())));
    return item;
  }

  /** Reads what {@link #of(Whole)} made. */
  public static Whole whole(Item item) {
    return new Whole(
        Optional.ofNullable(item.optional(NAME, name -> name)),
        item.text(STREAM),
        item.number(NUMBER, 0),
        Instant.parse(item.text(UNTIL)),
        item.number(HEAD, 0),
        Optional.ofNullable(item.optional(LOST, Instant::parse))
            .map(lost -> new Whole.Gap(lost, Instant.parse(item.text(SINCE)))));
  }

  static Item of(MarkNote note) {
    return new Item()
        .put(FEED, MARK)
        .put(FIRST, note.mark())
        .put(NUMBER, note.beat())
        .put(AT, Timestamp.of(note.at()))
        .put(SHARD, note.shard())
        .put(STREAM, note.stream());
  }

  static MarkNote note(Item item) {
    return new MarkNote(
        Math.toIntExact(item.number(FIRST, 0)),
        item.number(NUMBER, 0),
        Instant.parse(item.text(AT)),
        item.text(SHARD),
        item.text(STREAM));
  }
}
