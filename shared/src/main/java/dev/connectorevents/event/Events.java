package dev.connectorevents.event;

/** The events, wherever they are kept. */
public interface Events {

  /**
   * Stores an event exactly once, however often it is handed over under its id.
   *
   * <p>If it throws, the event may or may not be stored; handing it over again finds out.
   */
  StoreOutcome store(Submission submission);
}
