package dev.connectorevents.emulator.template;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;

/** Reads a {@link Template}. Resolves its outputs too, only to find mistakes in them. */
final class TemplateReader {

  private final Section yaml;
  private final String prefix;
  private final NamedConditions conditions;
  private final Intrinsics intrinsics;

  private TemplateReader(Section yaml, Map<String, String> parameters, String prefix) {
    this.yaml = yaml;
    this.prefix = prefix;
    Map<String, Object> settled = Parameters.settle(yaml.section("Parameters"), parameters);
    Names names = new Names(settled, yaml.section("Resources"), prefix);
    conditions = new NamedConditions(yaml.section("Conditions"), names);
    intrinsics = new Intrinsics(names, conditions);
  }

  static Template read(String where, String text, Map<String, String> parameters, String prefix) {
    Section yaml = Vocabulary.TEMPLATE.check(Section.of("", TemplateYaml.parse(where, text)));
    if (yaml.has("Transform")) {
      Vocabulary.TRANSFORM.checkValue(yaml, "Transform");
    }
    return new TemplateReader(yaml, parameters, prefix).template();
  }

  private Template template() {
    Section globals = globals();
    Map<String, Section> resources = resources();
    List<FunctionDefinition> functions = functions(resources, globals);
    resolved(yaml.section("Outputs")).sections().values().forEach(Vocabulary.OUTPUT::check);
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

  private Section globals() {
    Section globals = Vocabulary.GLOBALS.check(resolved(yaml.section("Globals")));
    return Vocabulary.FUNCTION.check(globals.section("Function"));
  }

  /** The resources whose condition holds. */
  private Map<String, Section> resources() {
    Map<String, Section> kept = new LinkedHashMap<>();
    yaml.section("Resources")
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
            kept.put(id, resolved(resource));
          }
        });
    return kept;
  }

  private Section resolved(Section section) {
    return Section.of(section.where(), intrinsics.resolve(section.where(), section.values()));
  }

  private List<FunctionDefinition> functions(Map<String, Section> resources, Section globals) {
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
