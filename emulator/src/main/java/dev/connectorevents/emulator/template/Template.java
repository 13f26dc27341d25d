package dev.connectorevents.emulator.template;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;

/** What the service's template asks for, as far as it can run on one machine. */
public record Template(
    List<FunctionDefinition> functions,
    List<TableDefinition> tables,
    List<SecretDefinition> secrets,
    List<RotationDefinition> rotations,
    Throttling throttling) {
  public Template {
    functions = List.copyOf(functions);
    tables = List.copyOf(tables);
    secrets = List.copyOf(secrets);
    rotations = List.copyOf(rotations);
  }

  /** As {@link #read(Path, Map, String)}, with tables and secrets in here. */
  public static Template read(Path file, Map<String, String> parameters) throws IOException {
    return read(file, parameters, "");
  }

  /**
   * Reads a template and resolves all of it, outputs too.
   *
   * @param parameters values for some of its parameters; the others have their defaults
   * @param prefix of the names of tables and secrets that are made elsewhere; empty for those in
   *     here
   * @throws TemplateMistake naming the place, for whatever would fail at a deploy as well
   */
  public static Template read(Path file, Map<String, String> parameters, String prefix)
      throws IOException {
    var yaml = Section.of("", TemplateYaml.parse(file.toString(), Files.readString(file)));
    var resources = yaml.section("Resources");
    var settled = Parameters.settle(yaml.section("Parameters"), parameters);
    var names = new Names(settled, resources, prefix);
    var conditions = new Conditions(yaml.section("Conditions"), names);
    var intrinsics = new Intrinsics(names, conditions);
    resolved(yaml, "Outputs", intrinsics);
    var globals = resolved(yaml, "Globals", intrinsics).section("Function");
    var kept = new Resources(resources, conditions, intrinsics);
    var functions =
        kept.ofType(
            "AWS::Serverless::Function",
            (id, properties) -> FunctionDefinition.read(id, properties, globals, prefix));
    var routes = distinctRoutes(functions);
    var apis = kept.ofType("AWS::Serverless::HttpApi", (id, api) -> api);
    return new Template(
        functions,
        kept.ofType(
            "AWS::DynamoDB::Table",
            (id, properties) -> TableDefinition.read(prefix + id, properties)),
        kept.ofType(
            "AWS::SecretsManager::Secret",
            (id, properties) -> SecretDefinition.read(id, properties, prefix)),
        kept.ofType("AWS::SecretsManager::RotationSchedule", RotationDefinition::read),
        Throttling.read(apis, routes));
  }

  /** Every route of every function. */
  public List<Route> routes() {
    return functions.stream().flatMap(function -> function.routes().stream()).toList();
  }

  private static Section resolved(Section yaml, String name, Intrinsics intrinsics) {
    return Section.of(name, intrinsics.resolve(name, yaml.section(name).values()));
  }

  private static Set<String> distinctRoutes(List<FunctionDefinition> functions) {
    var keys = new HashSet<String>();
    for (var function : functions) {
      for (var route : function.routes()) {
        if (!keys.add(route.key())) {
          throw new TemplateMistake(function.id(), "a second route " + route.key());
        }
      }
    }
    return keys;
  }

  /** The resources whose condition holds, all of them resolved so that no mistake hides. */
  private static final class Resources {
    private final List<Map.Entry<String, Section>> kept;

    Resources(Section declared, Conditions conditions, Intrinsics intrinsics) {
      kept =
          declared
              .sections()
              .filter(each ->
                  each.getValue()
                      .optionalText("Condition")
                      .map(name -> conditions.holds(each.getValue().where(), name))
                      .orElse(true))
              .map(each ->
                  Map.entry(
                      each.getKey(),
                      Section.of(
                          each.getValue().where(),
                          intrinsics.resolve(each.getValue().where(), each.getValue().values()))))
              .toList();
    }

    <T> List<T> ofType(String type, BiFunction<String, Section, T> read) {
      return kept.stream()
          .filter(each -> each.getValue().text("Type").equals(type))
          .map(each -> read.apply(each.getKey(), each.getValue().section("Properties")))
          .toList();
    }
  }
}
