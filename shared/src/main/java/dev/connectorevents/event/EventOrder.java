package dev.connectorevents.event;

/** The order in which a list is read. */
public enum EventOrder {
  /** Oldest first: the feed. */
  ASC(1),
  /** Newest first. */
  DESC(-1);

  private final int step;

  EventOrder(int step) {
    this.step = step;
  }

  /** The position to which a reader comes next. */
  public long after(long position) {
    return position + step;
  }

  /** The position from which a reader came. */
  public long before(long position) {
    return position - step;
  }
}
