package dev.connectorevents;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Compresses texts (RFC 1952). */
public final class Gzip {

  private Gzip() {}

  /**
   * Compresses at the JDK's default level, 6. Levels 7 to 9 save less than one write unit in 100
   * events, but take up to 5 s per megabyte of a text with a small alphabet (ADR 6).
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

  /**
   * Decompresses while it is read.
   *
   * @throws IOException if the bytes do not begin as {@link #compress} begins
   */
  public static InputStream decompressing(InputStream gzip) throws IOException {
    return new GZIPInputStream(gzip);
  }
}
