package dev.connectorevents.acceptance.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.emulator.template.Route;
import dev.connectorevents.emulator.template.Template;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The files in {@code events/} with an example event. Each event is for one function. */
public final class EventFiles {

  /** The only file without an event: it has environment variables for {@code sam local}. */
  private static final Path VARIABLES = Path.of("sam-local.env.json");

  private EventFiles() {}

  /** The files for the functions that serve a route of the API. */
  public static List<Path> ofRoutes() {
    return files(file ->
        !isFor("manage-users", file)
            && !isFor("find-events", file)
            && !isFor("erase-events", file)
            && !isFor("restore-events", file)
            && !file.endsWith("beat-feed.json")
            && !file.endsWith("number-events.json")
            && !file.endsWith("rotate-signing-key.json"));
  }

  /** The files for {@code ManageUsersFunction}. */
  public static List<Path> ofOperators() {
    return files(file -> isFor("manage-users", file));
  }

  /** The files for the functions that find, erase and restore events. */
  public static List<Path> ofErasures() {
    return files(file ->
        isFor("find-events", file) || isFor("erase-events", file) || isFor("restore-events", file));
  }

  private static boolean isFor(String function, Path file) {
    return file.getFileName().toString().startsWith(function + ".");
  }

  private static List<Path> files(Predicate<Path> which) {
    try (Stream<Path> files = Files.list(Path.of("../events"))) {
      return files
          .filter(file -> file.toString().endsWith(".json") && !file.endsWith(VARIABLES))
          .filter(which)
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Asserts that each route of the template has a file, and that each file of {@link #ofRoutes} is
   * for a route of the template.
   */
  public static void requireOneForEachRoute(Template template) {
    assertThat(ofRoutes().stream().map(EventFiles::routeKey).collect(Collectors.toSet()))
        .as("routes that have a file in events/")
        .isEqualTo(template.routes().stream().map(Route::key).collect(Collectors.toSet()));
  }

  public static String routeKey(Path file) {
    try {
      return new ObjectMapper().readTree(file.toFile()).get("routeKey").textValue();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
