package dev.connectorevents.token;

import dev.connectorevents.user.Email;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The claims of a token; times are whole seconds (RFC 7519, NumericDate).
 *
 * @param id the token's own ({@code jti})
 * @param authTime when the bearer logged in, carried along by every refresh; null in a static token
 */
public record Claims(
    String id,
    UUID userId,
    Email email,
    Instant issuedAt,
    Instant expiresAt,
    @Nullable Instant authTime) {

  /** What a revocation is compared with: a refresh keeps it, so it cannot outlive a revocation. */
  public Instant sessionStart() {
    return authTime == null ? issuedAt : authTime;
  }
}
