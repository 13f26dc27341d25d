package dev.connectorevents.user;

/** The outcome of a {@link UserChange}. */
public sealed interface ChangeOutcome {

  /**
   * The change was made.
   *
   * @param user the user after the change
   */
  record Changed(User user) implements ChangeOutcome {}

  record NoSuchUser() implements ChangeOutcome {}

  /** Nothing was changed: the user's sessions have just been ended several times within seconds. */
  record RevokedTooOften() implements ChangeOutcome {}
}
