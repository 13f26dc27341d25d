package dev.connectorevents.event;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A hash that tells the same event, sent again under its {@code Idempotency-Key}, from another one.
 *
 * <p>128 bits of SHA-256. To find two events with one fingerprint takes some 2^64 tries, and would
 * deceive nobody but the user who made them, under its own key.
 *
 * @param hex {@value #BYTES} bytes in lower-case hex
 */
public record Fingerprint(Version version, String hex) {

  /** Length in bytes. */
  public static final int BYTES = 16;

  private static final Pattern HEX = Pattern.compile("[0-9a-f]{" + 2 * BYTES + "}");

  /** What is hashed; a stored event keeps the version that it was stored with. */
  public enum Version {
    /** The request's whole body. No event is stored with it any more. */
    BODY,
    /** Only what a retry must repeat. */
    EVENT
  }

  /**
   * @throws IllegalArgumentException if {@code hex} has another length or other characters
   */
  public Fingerprint {
    if (!HEX.matcher(hex).matches()) {
      throw new IllegalArgumentException("not a fingerprint");
    }
  }

  /** Of the request's whole body: for comparison with events that were stored with it. */
  static Fingerprint ofBody(String body) {
    return of(Version.BODY, body);
  }

  /**
   * Of what makes two requests the same event: its type, the connector's installation, and the
   * payload without its {@code _meta}. What a connector says of its delivery changes from try to
   * try, and so does {@code _meta}.
   */
  public static Fingerprint of(
      EventType type, @Nullable Long connectorInstallationId, SentPayload payload) {
    String installation = connectorInstallationId == null ? "" : connectorInstallationId.toString();
    // No event type and no number contains a NUL.
    return of(Version.EVENT, String.join("\0", type.value(), installation, payload.withoutMeta()));
  }

  private static Fingerprint of(Version version, String text) {
    return ofBytes(version, Arrays.copyOf(Sha256.of(text.getBytes(UTF_8)), BYTES));
  }

  /** As {@link #bytes()} gave it. */
  public static Fingerprint ofBytes(Version version, byte[] bytes) {
    return new Fingerprint(version, HexFormat.of().formatHex(bytes));
  }

  /** Its short form, without the version. */
  public byte[] bytes() {
    return HexFormat.of().parseHex(hex);
  }
}
