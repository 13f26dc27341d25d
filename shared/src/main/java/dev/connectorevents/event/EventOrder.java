package dev.connectorevents.event;

/** The order in which a list is read. */
public enum EventOrder {
  /** Oldest first: the feed. */
  ASC,
  /** Newest first. */
  DESC
}
