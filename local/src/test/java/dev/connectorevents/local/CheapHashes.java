package dev.connectorevents.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Lets tests hash passwords at bcrypt's lowest cost, which the template does not allow. */
public final class CheapHashes {

  /**
   * bcrypt's lowest cost. At the lowest cost that the template allows, hashing would take a third
   * of the tests' time.
   */
  public static final int COST = 4;

  /** The template's parameter for the cost, set to {@link #COST}. */
  public static final Map<String, String> PARAMETERS = Map.of("BcryptCost", "" + COST);

  private static final Pattern MIN_VALUE =
      Pattern.compile("(BcryptCost:\\n(?: {4}.*\\n)*? {4}MinValue: )\\d+");

  private CheapHashes() {}

  /**
   * Writes a copy of the template that allows {@link #COST}, and returns its path. The copy's
   * folder is new, and has links to {@code docs} and {@code events}.
   */
  public static Path allowedIn(Path template) {
    try {
      String text = Files.readString(template);
      String cheap = MIN_VALUE.matcher(text).replaceFirst("$1" + COST);
      if (cheap.equals(text)) {
        throw new IllegalStateException(template + " has no MinValue of BcryptCost");
      }
      Path folder = Files.createTempDirectory("template");
      folder.toFile().deleteOnExit();
      for (String name : List.of("docs", "events")) {
        link(folder.resolve(name), template.resolveSibling(name));
      }
      Path file = folder.resolve("template.yaml");
      file.toFile().deleteOnExit(); // registered last, so deleted before its folder
      return Files.writeString(file, cheap);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void link(Path link, Path target) throws IOException {
    Files.createSymbolicLink(link, target.toAbsolutePath()).toFile().deleteOnExit();
  }
}
