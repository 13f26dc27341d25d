package dev.connectorevents.emulator.template;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * One `AWS::Serverless::Function`, with what `Globals.Function` gives to all of them.
 *
 * @param id its logical id
 * @param name its FunctionName, or else the logical id
 * @param handler the class and perhaps `::method` that Lambda would start
 * @param memoryMb what it may use on Lambda, in MB
 * @param reservedConcurrency how many calls of it may run at once
 * @param rights what its role may do, beside writing logs
 */
public record FunctionDefinition(
    String id,
    String name,
    String handler,
    Map<String, String> environment,
    Duration timeout,
    int memoryMb,
    Optional<Integer> reservedConcurrency,
    List<Right> rights,
    List<Route> routes) {
  public FunctionDefinition {
    environment = Map.copyOf(environment);
    rights = List.copyOf(rights);
    routes = List.copyOf(routes);
  }

  static FunctionDefinition read(String id, Section own, Section globals, String prefix) {
    var properties = merged(own, globals);
    return new FunctionDefinition(
        id,
        properties.optionalText("FunctionName").orElse(id),
        properties.text("Handler"),
        environment(properties),
        Duration.ofSeconds(properties.optionalNumber("Timeout").orElse(3)),
        properties.optionalNumber("MemorySize").orElse(128),
        properties.optionalNumber("ReservedConcurrentExecutions"),
        Right.read(properties, prefix),
        routes(id, properties.section("Events")));
  }

  /** As SAM merges: a map is merged key by key, anything else is replaced by the function's own. */
  private static Section merged(Section own, Section globals) {
    var values = new LinkedHashMap<>(globals.values());
    own.values()
        .forEach((name, value) ->
            values.put(
                name,
                value instanceof Map<?, ?> && globals.values().get(name) instanceof Map<?, ?>
                    ? merged(own.section(name), globals.section(name)).values()
                    : value));
    return new Section(own.where(), values);
  }

  private static Map<String, String> environment(Section properties) {
    var variables = properties.section("Environment").section("Variables");
    return variables.values().keySet().stream()
        .collect(Collectors.toMap(name -> name, variables::text));
  }

  private static List<Route> routes(String id, Section events) {
    var routes = new ArrayList<Route>();
    events
        .sections()
        .map(Map.Entry::getValue)
        .filter(event -> event.text("Type").equals("HttpApi"))
        .forEach(event -> routes.add(Route.read(id, event.section("Properties"))));
    return routes;
  }
}
