package dev.connectorevents.token;

import java.time.Duration;

/**
 * A newly issued token.
 *
 * @param value the compact JWT (RFC 7519)
 * @param lifetime from now until it expires
 */
public record AccessToken(String value, Duration lifetime) {

  /** Never the token: it is a credential. */
  @Override
  public String toString() {
    return "AccessToken[…, lifetime=" + lifetime + "]";
  }
}
