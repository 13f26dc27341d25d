package dev.connectorevents.acceptance.template;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.acceptance.service.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A mistake in the service's template, and the message that must report it.
 *
 * @param where the key of the section with the mistake
 * @param right the correct text
 * @param wrong the text that replaces it
 * @param message part of the message that must report the mistake
 */
public record Mistake(String where, String right, String wrong, String message) {

  /** The managed policy with the rights that most functions share. */
  public static final String SHARED_POLICY = "ReadUserAndSigningKeyPolicy";

  /** Writes a copy of the template with the mistake into the directory, and returns the copy. */
  public Path plantedIn(Path directory) throws IOException {
    String template = Files.readString(World.TEMPLATE);
    int section = template.indexOf("\n  " + where + ":\n");
    assertThat(section).as(where).isPositive();
    int place = template.indexOf(right, section);
    assertThat(template.substring(section, place))
        .as("%s in %s", right, where)
        .doesNotContainPattern("\n  (?!%s:)\\w+:\n".formatted(where));
    return Files.writeString(
        directory.resolve("template.yaml"),
        template.substring(0, place) + wrong + template.substring(place + right.length()));
  }

  @Override
  public String toString() {
    return "%s: %s for %s".formatted(where, wrong.isBlank() ? "nothing" : wrong, right);
  }
}
