package dev.connectorevents.token;

/** What checking a token found out. */
public sealed interface TokenCheck {

  /** Signed by us, in time, and complete. */
  record Valid(Claims claims) implements TokenCheck {}

  /** Signed by us, but its time is over. */
  record Expired() implements TokenCheck {}

  /** Anything else: the bearer is not told what gave it away. */
  record Invalid() implements TokenCheck {}
}
