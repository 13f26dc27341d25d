package dev.connectorevents;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;

/** The version of this build, from the POM, and its commit. */
public final class Version {

  /** For example {@code 1.0.0}. */
  public static final String CURRENT = read("version.txt").orElseThrow();

  /** The last commit that changed what is deployed; empty if the build did not find git. */
  public static final Optional<String> COMMIT =
      read("commit.txt").filter(it -> it.matches("[0-9a-f]+"));

  private Version() {}

  private static Optional<String> read(String name) {
    try (InputStream file = Version.class.getResourceAsStream(name)) {
      return file == null
          ? Optional.empty()
          : Optional.of(new String(file.readAllBytes(), UTF_8).strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
