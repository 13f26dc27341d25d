package dev.connectorevents.token;

import dev.connectorevents.user.Email;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a token says of its bearer; times are whole seconds (RFC 7519, NumericDate).
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

  /** Issued by an operator for a long time, and neither logged in nor refreshable. */
  public boolean isStatic() {
    return authTime == null;
  }

  /** What a revocation looks at: a refresh that is under way cannot outrun it. */
  public Instant sessionStart() {
    return authTime == null ? issuedAt : authTime;
  }
}
