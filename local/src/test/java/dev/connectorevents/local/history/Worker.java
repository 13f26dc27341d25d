package dev.connectorevents.local.history;

/** Somebody who does one thing after the other. */
interface Worker {

  /** Does the next thing, and returns when it has ended. */
  void step();
}
