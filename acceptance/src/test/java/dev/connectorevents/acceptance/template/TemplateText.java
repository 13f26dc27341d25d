package dev.connectorevents.acceptance.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.emulator.template.TemplateYaml;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The template as it is written: no reference is resolved, and Globals are not merged into
 * functions.
 */
public record TemplateText(JsonNode root) {

  static final Path ANNOUNCE = Path.of("../examples/announce.yaml");

  private static final Pattern SUBSTITUTED = Pattern.compile("\\$\\{(\\w+)}");

  public static TemplateText ofTheService() {
    return of(World.TEMPLATE);
  }

  /** The stack beside the service that announces its events. */
  public static TemplateText ofTheAnnouncements() {
    return of(ANNOUNCE);
  }

  private static TemplateText of(Path file) {
    try {
      Map<?, ?> yaml = TemplateYaml.parse(file.toString(), Files.readString(file));
      return new TemplateText(new ObjectMapper().valueToTree(yaml));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  JsonNode globals() {
    return root.at("/Globals/Function");
  }

  public JsonNode properties(String id) {
    return root.path("Resources").path(id).path("Properties");
  }

  /** The properties of each function, without those of Globals, by the function's id. */
  Map<String, JsonNode> functions() {
    return resources("AWS::Serverless::Function");
  }

  /** The properties of each resource of this type, by the resource's id. */
  Map<String, JsonNode> resources(String type) {
    Map<String, JsonNode> resources = new TreeMap<>();
    root.path("Resources")
        .forEachEntry((id, resource) -> {
          if (resource.path("Type").asText().equals(type)) {
            resources.put(id, resource.path("Properties"));
          }
        });
    return resources;
  }

  /** The parameters on which a part of the template depends, directly or through a condition. */
  Set<String> parametersIn(JsonNode part) {
    return names(part)
        .filter(name -> root.path("Parameters").has(name))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private Stream<String> names(JsonNode part) {
    return Stream.concat(
        part.propertyStream().flatMap(member -> named(member.getKey(), member.getValue())),
        part.valueStream().flatMap(this::names));
  }

  private Stream<String> named(String key, JsonNode value) {
    return switch (key) {
      case "Ref" -> Stream.of(value.asText());
      case "Fn::Sub" -> substituted((value.isArray() ? value.path(0) : value).asText());
      case "Fn::If" -> names(root.path("Conditions").path(value.path(0).asText()));
      case "Condition" -> names(root.path("Conditions").path(value.asText()));
      default -> Stream.of();
    };
  }

  private static Stream<String> substituted(String text) {
    return SUBSTITUTED.matcher(text).results().map(match -> match.group(1));
  }
}
