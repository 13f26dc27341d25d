package dev.connectorevents.acceptance.search;

/** A client that works step by step. */
interface Worker {

  /** Makes the next calls, and returns after their answers. */
  void step();
}
