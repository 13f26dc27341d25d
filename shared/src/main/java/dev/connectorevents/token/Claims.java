package dev.connectorevents.token;

import dev.connectorevents.user.Email;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The claims of a token, and the key that verified it; times are whole seconds (RFC 7519,
 * NumericDate).
 *
 * @param id the token's own id ({@code jti})
 * @param keyId of the {@link SigningKey}
 * @param authTime when the user logged in, which a refresh does not change; null in a static token
 */
public record Claims(
    String id,
    String keyId,
    UUID userId,
    Email email,
    Instant issuedAt,
    Instant expiresAt,
    @Nullable Instant authTime) {

  /** The names of the claims that are ours; those of RFC 7519 are jjwt's. */
  static final String EMAIL = "email";

  static final String AUTH_TIME = "auth_time";
  static final String TOKEN_USE = "token_use";

  /** The {@link #TOKEN_USE} of a static token. */
  static final String STATIC = "static";

  /** Whether it is a static token. */
  public boolean isStatic() {
    return authTime == null;
  }

  /**
   * The time that a revocation is compared with. A refresh does not change it, so no refreshed
   * token survives a revocation.
   */
  public Instant sessionStart() {
    return authTime == null ? issuedAt : authTime;
  }
}
