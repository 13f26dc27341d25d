package dev.connectorevents.feed;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.event.Sha256;
import java.nio.ByteBuffer;

/**
 * 16 bits that an entry of the feed keeps of a brand, so that a reader of one brand need not read
 * all events. Two brands may have the same ones: the event itself tells.
 *
 * @param value the first two bytes of the SHA-256 of the brand in UTF-8, as a number
 */
public record BrandHash(int value) {

  public static BrandHash of(String brand) {
    return new BrandHash(
        Short.toUnsignedInt(ByteBuffer.wrap(Sha256.of(brand.getBytes(UTF_8))).getShort()));
  }

  /** In hexadecimal, such as {@code 0a3f}. */
  public String text() {
    return "%04x".formatted(value);
  }
}
