package dev.connectorevents.emulator.template;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;

/** Reads a {@link Template}. Resolves its outputs too, only to find mistakes in them. */
final class TemplateReader {

  private static final String TRANSFORM = "AWS::Serverless-2016-10-31";

  /** Resources that nobody needs on this machine. */
  private static final Set<String> WITHOUT_EFFECT =
      Set.of(
          "AWS::ApiGatewayV2::ApiMapping",
          "AWS::ApiGatewayV2::DomainName",
          "AWS::CloudWatch::Alarm",
          "AWS::CloudWatch::Dashboard",
          "AWS::Lambda::Permission",
          "AWS::Logs::LogGroup",
          "AWS::Logs::MetricFilter");

  private final Set<String> knownTypes = new TreeSet<>(WITHOUT_EFFECT);
  private final Section yaml;
  private final String prefix;
  private final NamedConditions conditions;
  private final Intrinsics intrinsics;

  private TemplateReader(Section yaml, Map<String, String> parameters, String prefix) {
    this.yaml = yaml;
    this.prefix = prefix;
    Map<String, Object> settled = Parameters.settle(yaml.section("Parameters"), parameters);
    Names names =
        new Names(settled, yaml.section("Mappings").values(), yaml.section("Resources"), prefix);
    conditions = new NamedConditions(yaml.section("Conditions"), names);
    intrinsics = new Intrinsics(names, conditions);
  }

  static Template read(String where, String text, Map<String, String> parameters, String prefix) {
    Unread unread = new Unread();
    Section yaml = Section.of("", TemplateYaml.parse(where, text), unread);
    if (!yaml.optionalText("Transform").orElse(TRANSFORM).equals(TRANSFORM)) {
      throw new TemplateMistake("Transform", "only " + TRANSFORM + " is known here");
    }
    TemplateReader reader = new TemplateReader(yaml, parameters, prefix);
    Template template = reader.template();
    reader.refuseOtherTypes();
    unread.refuse();
    return template;
  }

  private Template template() {
    Section globals = yaml.section("Globals").resolved(intrinsics).section("Function");
    yaml.section("Conditions").values().keySet().forEach(name -> conditions.holds(name, name));
    Map<String, Section> resources = resources();
    List<FunctionDefinition> functions = functions(resources, globals);
    for (Section output : yaml.section("Outputs").resolved(intrinsics).sections().values()) {
      output.text("Value");
      output.optionalText("Condition"); // its value is resolved even if this does not hold
    }
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
        ofType("AWS::Lambda::EventSourceMapping", resources, EventSourceMapping::read),
        Throttling.read(
            ofType("AWS::Serverless::HttpApi", resources, (id, api) -> api),
            distinctRoutes(functions)));
  }

  /** The resources whose condition holds. */
  private Map<String, Section> resources() {
    Map<String, Section> kept = new LinkedHashMap<>();
    yaml.section("Resources")
        .sections()
        .forEach((id, resource) -> {
          resource.has("Properties"); // read only if the condition holds and the type is run
          boolean isKept =
              resource
                  .optionalText("Condition")
                  .map(name -> conditions.holds(resource.where(), name))
                  .orElse(true);
          if (isKept) {
            kept.put(id, resource.resolved(intrinsics));
          }
        });
    return kept;
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

  private <T> List<T> ofType(
      String type, Map<String, Section> resources, BiFunction<String, Section, T> read) {
    knownTypes.add(type);
    return resources.entrySet().stream()
        .filter(each -> each.getValue().text("Type").equals(type))
        .map(each -> read.apply(each.getKey(), each.getValue().section("Properties")))
        .toList();
  }

  private void refuseOtherTypes() {
    for (Section resource : yaml.section("Resources").sections().values()) {
      String type = resource.text("Type");
      if (!knownTypes.contains(type)) {
        throw new TemplateMistake(
            resource.path("Type"), type + " is not known here, only " + knownTypes);
      }
    }
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
