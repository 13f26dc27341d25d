package dev.connectorevents.emulator.template;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * One {@code AWS::Serverless::Function}, merged with {@code Globals.Function}.
 *
 * @param id its logical id
 * @param handler the class, with or without {@code ::method}
 * @param memoryMb MemorySize, in MB
 * @param reservedConcurrency the most concurrent calls
 * @param rights of its role, without the right to write logs
 */
public record FunctionDefinition(
    String id,
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

  static FunctionDefinition read(String id, Section own, Section globals, Policies policies) {
    Section properties = own.over(globals);
    requireJava(properties);
    Section variables = properties.section("Environment").section("Variables");
    return new FunctionDefinition(
        id,
        properties.text("Handler"),
        variables.values().keySet().stream()
            .collect(Collectors.toMap(name -> name, variables::text)),
        Duration.ofSeconds(properties.optionalNumber("Timeout").orElse(3)),
        properties.optionalNumber("MemorySize").orElse(128),
        properties.optionalNumber("ReservedConcurrentExecutions"),
        policies.of(properties),
        properties.section("Events").sections().values().stream()
            .map(event -> route(id, event))
            .toList());
  }

  /** This function with this time-out; itself, if it has it. */
  public FunctionDefinition withTimeout(Duration other) {
    return other.equals(timeout)
        ? this
        : new FunctionDefinition(
            id, handler, environment, other, memoryMb, reservedConcurrency, rights, routes);
  }

  private static Route route(String id, Section event) {
    if (!event.text("Type").equals("HttpApi")) {
      throw new TemplateMistake(event.path("Type"), "only HttpApi is known here");
    }
    return Route.read(id, event.section("Properties"));
  }

  private static void requireJava(Section properties) {
    properties
        .optionalText("Runtime")
        .filter(runtime -> !runtime.startsWith("java"))
        .ifPresent(runtime -> {
          throw new TemplateMistake(
              properties.path("Runtime"), runtime + " is not known here, only Java");
        });
  }
}
