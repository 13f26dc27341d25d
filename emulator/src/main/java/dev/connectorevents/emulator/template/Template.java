package dev.connectorevents.emulator.template;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;

/** What the emulator runs of a SAM template. It refuses what is not in its {@link Vocabulary}. */
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
    Section yaml = Vocabulary.TEMPLATE.check(Section.of("", TemplateYaml.parse(where, text)));
    if (yaml.has("Transform")) {
      Vocabulary.TRANSFORM.checkValue(yaml, "Transform");
    }
    Map<String, Object> settled = Parameters.settle(yaml.section("Parameters"), parameters);
    Names names = new Names(settled, yaml.section("Resources"), prefix);
    NamedConditions conditions = new NamedConditions(yaml.section("Conditions"), names);
    Intrinsics intrinsics = new Intrinsics(names, conditions);
    Section globals = globals(resolved(yaml.section("Globals"), intrinsics));
    Map<String, Section> resources = kept(yaml.section("Resources"), conditions, intrinsics);
    List<FunctionDefinition> functions = functions(resources, globals, prefix);
    resolved(yaml.section("Outputs"), intrinsics)
        .sections()
        .values()
        .forEach(Vocabulary.OUTPUT::check);
    return new Template(
        functions,
        ofType(
            "AWS::DynamoDB::Table",
            resources,
            (id, properties) -> TableDefinition.read(prefix + id, properties)),
        ofType(
            "AWS::SecretsManager::Secret",
            resources,
            (id, properties) -> SecretDefinition.read(id, properties, prefix)),
        ofType("AWS::SecretsManager::RotationSchedule", resources, RotationDefinition::read),
        Throttling.read(
            ofType("AWS::Serverless::HttpApi", resources, (id, api) -> api),
            distinctRoutes(functions)));
  }

  /** The routes of all functions. */
  public List<Route> routes() {
    return functions.stream().flatMap(function -> function.routes().stream()).toList();
  }

  private static Section resolved(Section section, Intrinsics intrinsics) {
    return Section.of(section.where(), intrinsics.resolve(section.where(), section.values()));
  }

  private static Section globals(Section globals) {
    return Vocabulary.FUNCTION.check(Vocabulary.GLOBALS.check(globals).section("Function"));
  }

  /** The resources whose condition holds. Resolves all of them, to find every mistake. */
  private static Map<String, Section> kept(
      Section declared, NamedConditions conditions, Intrinsics intrinsics) {
    Map<String, Section> kept = new LinkedHashMap<>();
    declared
        .sections()
        .forEach((id, resource) -> {
          Vocabulary.RESOURCE.check(resource);
          Vocabulary.RESOURCE_TYPE.checkValue(resource, "Type");
          boolean isKept =
              resource
                  .optionalText("Condition")
                  .map(name -> conditions.holds(resource.where(), name))
                  .orElse(true);
          if (isKept) {
            kept.put(id, resolved(resource, intrinsics));
          }
        });
    return kept;
  }

  private static List<FunctionDefinition> functions(
      Map<String, Section> resources, Section globals, String prefix) {
    List<ManagedPolicy> managed =
        ofType(
            "AWS::IAM::ManagedPolicy",
            resources,
            (id, properties) -> ManagedPolicy.read(id, properties, prefix));
    Policies policies = new Policies(managed, prefix);
    return ofType(
        "AWS::Serverless::Function",
        resources,
        (id, properties) -> FunctionDefinition.read(id, properties, globals, policies));
  }

  private static <T> List<T> ofType(
      String type, Map<String, Section> resources, BiFunction<String, Section, T> read) {
    return resources.entrySet().stream()
        .filter(each -> each.getValue().text("Type").equals(type))
        .map(each -> read.apply(each.getKey(), each.getValue().section("Properties")))
        .toList();
  }

  private static Set<String> distinctRoutes(List<FunctionDefinition> functions) {
    Set<String> keys = new HashSet<>();
    for (FunctionDefinition function : functions) {
      for (Route route : function.routes()) {
        if (!keys.add(route.key())) {
          throw new TemplateMistake(function.id(), "a second route " + route.key());
        }
      }
    }
    return keys;
  }
}
