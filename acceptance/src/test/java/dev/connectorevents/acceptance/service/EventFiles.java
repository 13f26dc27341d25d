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

/** The files of {@code events/}. Each has an event for one function. */
public final class EventFiles {

  /** Not an event: the environment variables that {@code sam local} gives to functions. */
  private static final Path VARIABLES = Path.of("sam-local.env.json");

  private EventFiles() {}

  /** The files for functions with a route. */
  public static List<Path> ofRoutes() {
    return files(file ->
        !isFor("manage-users", file)
            && !isFor("erase-events", file)
            && !file.endsWith("rotate-signing-key.json"));
  }

  /** The files for {@code ManageUsersFunction}. */
  public static List<Path> ofOperators() {
    return files(file -> isFor("manage-users", file));
  }

  /** The files for {@code EraseEventsFunction}. */
  public static List<Path> ofErasures() {
    return files(file -> isFor("erase-events", file));
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

  /** Asserts that each route has a file, and that each of the files has a route. */
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
