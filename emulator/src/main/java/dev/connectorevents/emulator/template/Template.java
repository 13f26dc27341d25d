package dev.connectorevents.emulator.template;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** What the emulator runs of a SAM template. It refuses what it does not read. */
public record Template(
    List<FunctionDefinition> functions,
    List<TableDefinition> tables,
    List<SecretDefinition> secrets,
    List<RotationDefinition> rotations,
    List<EventSourceMapping> mappings,
    Throttling throttling) {

  public Template {
    functions = List.copyOf(functions);
    tables = List.copyOf(tables);
    secrets = List.copyOf(secrets);
    rotations = List.copyOf(rotations);
    mappings = List.copyOf(mappings);
  }

  /** Reads a template for tables and secrets in this process. */
  public static Template read(Path file, Map<String, String> parameters) throws IOException {
    return read(file, parameters, "");
  }

  /**
   * Reads a template and resolves all of it, outputs too.
   *
   * @param parameters values of some parameters; the others have their defaults
   * @param prefix of the names of tables and secrets in another process; empty for our own
   * @throws TemplateMistake with the place of a mistake, or of something that the emulator does not
   *     support
   */
  public static Template read(Path file, Map<String, String> parameters, String prefix)
      throws IOException {
    return parse(file.toString(), Files.readString(file), parameters, prefix);
  }

  /**
   * As {@link #read(Path, Map, String)}, for a template's text.
   *
   * @param where names the template in a message
   */
  public static Template parse(
      String where, String text, Map<String, String> parameters, String prefix) {
    return TemplateReader.read(where, text, parameters, prefix);
  }

  /** The routes of all functions. */
  public List<Route> routes() {
    return functions.stream().flatMap(function -> function.routes().stream()).toList();
  }
}
