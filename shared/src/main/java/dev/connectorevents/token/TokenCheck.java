package dev.connectorevents.token;

/** The result of a token check. */
public sealed interface TokenCheck {

  /** Signed by us, in time, and complete. */
  record Valid(Claims claims) implements TokenCheck {}

  /** Signed by us, but expired. */
  record Expired() implements TokenCheck {}

  /** Anything else. The bearer does not learn why. */
  record Invalid() implements TokenCheck {}
}
