package dev.connectorevents.local.history;

/** A client that works step by step. */
interface Worker {

  /** Makes the next calls, and returns after their answers. */
  void step();
}
