package dev.connectorevents.acceptance.storm;

/**
 * A participant in a storm, such as a {@link Sender} or the {@link Nemesis}. It works step by step.
 */
interface Worker {

  /** Makes the next step, and returns after the answers to all calls of the step. */
  void step();
}
