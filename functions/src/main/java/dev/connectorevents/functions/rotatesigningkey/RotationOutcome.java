package dev.connectorevents.functions.rotatesigningkey;

import java.util.Locale;

/** The outcome of a rotation step. */
enum RotationOutcome {
  CREATED,
  /** An earlier try of this step did it. */
  ALREADY_CREATED,
  MADE_KNOWN,
  TESTED,
  /** There is no key yet: Secrets Manager only tested the call, as it does for a new schedule. */
  NOTHING_TO_TEST,
  FINISHED,
  /** The version already signs: there is nothing left to do. */
  ALREADY_FINISHED;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
