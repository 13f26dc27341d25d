package dev.connectorevents.event;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A hash that tells whether two requests under one {@code Idempotency-Key} send the same event, as
 * {@code docs/api.md} defines it.
 *
 * <p>It is the first 128 bits of SHA-256. A collision takes about 2^64 tries. It would affect only
 * the user who made it, since a key belongs to its user.
 *
 * @param hex {@value #BYTES} bytes in lower-case hex
 */
public record Fingerprint(Version version, String hex) {

  /** Length in bytes. */
  public static final int BYTES = 16;

  private static final Pattern HEX = Pattern.compile("[0-9a-f]{" + 2 * BYTES + "}");

  /** What the hash covers. A stored event keeps the version that it was stored with. */
  public enum Version {
    /** The whole body of the request. Only older events have it. */
    BODY,
    /** Only what a retry must repeat. */
    EVENT
  }

  /**
   * @throws IllegalArgumentException if {@code hex} is not {@value #BYTES} bytes in lower-case hex
   */
  public Fingerprint {
    if (!HEX.matcher(hex).matches()) {
      throw new IllegalArgumentException("not a fingerprint");
    }
  }

  /** Hashes a request's whole body, to compare it with a stored {@link Version#BODY}. */
  static Fingerprint ofBody(String body) {
    return of(Version.BODY, body);
  }

  /**
   * Hashes what makes two requests the same event: the type, the connector's installation, and the
   * payload without its {@code _meta}. The other fields may change from try to try.
   */
  public static Fingerprint of(
      EventType type, @Nullable Long connectorInstallationId, SentPayload payload) {
    String installation = connectorInstallationId == null ? "" : connectorInstallationId.toString();
    // NUL can separate the parts: no event type and no number contains it.
    return of(Version.EVENT, String.join("\0", type.value(), installation, payload.withoutMeta()));
  }

  private static Fingerprint of(Version version, String text) {
    return ofBytes(version, Arrays.copyOf(Sha256.of(text.getBytes(UTF_8)), BYTES));
  }

  /**
   * The inverse of {@link #bytes()}.
   *
   * @throws IllegalArgumentException if there are not {@value #BYTES} bytes
   */
  public static Fingerprint ofBytes(Version version, byte[] bytes) {
    return new Fingerprint(version, HexFormat.of().formatHex(bytes));
  }

  /** The hash, without the version: {@value #BYTES} bytes. */
  public byte[] bytes() {
    return HexFormat.of().parseHex(hex);
  }
}
