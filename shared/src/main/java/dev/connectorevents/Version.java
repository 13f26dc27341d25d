package dev.connectorevents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The version of this build, from the POM. */
public final class Version {

  /** For example {@code 1.0.0}. */
  public static final String CURRENT = read();

  private Version() {}

  private static String read() {
    try (InputStream file = requireNonNull(Version.class.getResourceAsStream("version.txt"))) {
      return new String(file.readAllBytes(), UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
