package dev.connectorevents.event;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A hash that tells whether two requests under one {@code Idempotency-Key} send the same event, as
 * {@code docs/api.md} defines it.
 *
 * <p>It is the first 128 bits of SHA-256. A collision takes about 2^64 tries. It would affect only
 * the user who made it, since a key belongs to its user.
 *
 * @param high the first half of the hash
 * @param low the second half
 */
public record Fingerprint(long high, long low) {

  /** Length in bytes. */
  public static final int BYTES = 16;

  /**
   * Hashes what makes two requests the same event: the type, the connector's installation, and the
   * payload without its {@code _meta}. The other fields may change from try to try.
   */
  public static Fingerprint of(
      EventType type, @Nullable Long connectorInstallationId, SentPayload payload) {
    String installation = connectorInstallationId == null ? "" : connectorInstallationId.toString();
    // NUL can separate the parts: no event type and no number contains it.
    String text = String.join("\0", type.value(), installation, payload.withoutMeta());
    return of(ByteBuffer.wrap(Sha256.of(text.getBytes(UTF_8))));
  }

  /** Reads a hash: the next {@value #BYTES} bytes. */
  public static Fingerprint of(ByteBuffer hash) {
    return new Fingerprint(hash.getLong(), hash.getLong());
  }
}
