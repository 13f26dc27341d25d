package dev.connectorevents.token;

import java.time.Duration;

/**
 * A newly issued token.
 *
 * @param value the compact JWT (RFC 7519)
 * @param lifetime the time from its issue until it expires
 */
public record AccessToken(String value, Duration lifetime) {

  /** Hides the token: logs must not contain it. */
  @Override
  public String toString() {
    return "AccessToken[…, lifetime=" + lifetime + "]";
  }
}
