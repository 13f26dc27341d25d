package dev.connectorevents.event;

import java.time.Instant;
import java.util.Optional;

/**
 * How far the marks of one run are: what an erasure or a fill writes beside the events in order to
 * see how far the feed has come.
 *
 * @param written how many there are, numbered from 1
 * @param at when the last of them were written, or before
 * @param noted empty until the feed has all that was stored before them
 */
public record Marks(int written, Instant at, Optional<Noted> noted) {

  public Marks {
    if (written < 1) { // from here to the last one that is needed, marks are written
      throw new IllegalArgumentException("there are no marks: " + written);
    }
  }

  /**
   * All marks were noted.
   *
   * @param shards how many shards of the stream had marks
   * @param head the last position of the feed after that
   */
  public record Noted(int shards, long head) {}
}
