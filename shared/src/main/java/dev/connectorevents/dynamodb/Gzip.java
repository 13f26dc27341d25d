package dev.connectorevents.dynamodb;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.GZIPOutputStream;

/** How a payload is compressed (RFC 1952). */
public final class Gzip {

  private Gzip() {}

  /**
   * The compressed bytes, at the JDK's default level, 6. Levels 7 to 9 save less than one write
   * unit in 100 events, and take up to 5 s a megabyte for a text over a small alphabet (ADR 6).
   */
  public static byte[] compress(byte[] bytes) {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream(bytes.length / 4 + 64);
    try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
      gzip.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    return compressed.toByteArray();
  }
}
