package dev.connectorevents.functions.rotatesigningkey;

import java.util.Locale;

/** The outcome of a rotation step. */
enum RotationOutcome {
  CREATED,
  /** An earlier try of this step did it. */
  ALREADY_CREATED,
  MADE_KNOWN,
  TESTED,
  /** Secrets Manager only tries the function, as it does for a new schedule: no key was made. */
  NOTHING_TO_TEST,
  FINISHED,
  /** The version signs already: no step has anything left to do. */
  ALREADY_FINISHED;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
