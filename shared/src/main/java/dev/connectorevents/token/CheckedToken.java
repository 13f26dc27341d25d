package dev.connectorevents.token;

/** The result of a token check. */
public sealed interface CheckedToken {

  /** Signed by us, in time, and complete. */
  record Valid(Claims claims) implements CheckedToken {}

  /** Signed by us, but expired. */
  record Expired() implements CheckedToken {}

  /** Anything else. The bearer does not learn why. */
  record Invalid() implements CheckedToken {}
}
