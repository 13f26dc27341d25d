package dev.connectorevents.user;

/** The outcome of a change. */
public sealed interface ChangeOutcome {

  /**
   * It was made.
   *
   * @param user as it is now
   */
  record Changed(User user) implements ChangeOutcome {}

  record NoSuchUser() implements ChangeOutcome {}

  /** Nothing was changed: the user's sessions were ended too often in these seconds. */
  record RevokedTooOften() implements ChangeOutcome {}
}
