package dev.connectorevents.emulator.template;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One {@code AWS::Serverless::Function}, merged with {@code Globals.Function}.
 *
 * @param id its logical id
 * @param handler the class, with or without {@code ::method}
 * @param memoryMb MemorySize, in MB
 * @param reservedConcurrency the most concurrent calls
 * @param rights of its role, without the right to write logs
 * @param rate how often a schedule calls it; empty if none does
 */
public record FunctionDefinition(
    String id,
    String handler,
    Map<String, String> environment,
    Duration timeout,
    int memoryMb,
    Optional<Integer> reservedConcurrency,
    List<Right> rights,
    List<Route> routes,
    Optional<Duration> rate) {

  private static final Pattern RATE = Pattern.compile("rate\\((\\d+) minutes\\)");

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
        events("HttpApi", properties).map(event -> Route.read(id, event)).toList(),
        events("Schedule", properties).map(FunctionDefinition::rate).findFirst());
  }

  /** This function with this time-out; itself, if it has it. */
  public FunctionDefinition withTimeout(Duration other) {
    return other.equals(timeout)
        ? this
        : new FunctionDefinition(
            id, handler, environment, other, memoryMb, reservedConcurrency, rights, routes, rate);
  }

  /** The properties of a function's events of this type. */
  private static Stream<Section> events(String type, Section properties) {
    return properties.section("Events").sections().values().stream()
        .filter(event -> type(event).equals(type))
        .map(event -> event.section("Properties"));
  }

  private static String type(Section event) {
    String type = event.text("Type");
    if (!type.equals("HttpApi") && !type.equals("Schedule")) {
      throw new TemplateMistake(event.path("Type"), "only HttpApi and Schedule are known here");
    }
    return type;
  }

  private static Duration rate(Section schedule) {
    Matcher rate = RATE.matcher(schedule.text("Schedule"));
    if (!rate.matches()) {
      throw new TemplateMistake(schedule.path("Schedule"), "only a rate in minutes is known here");
    }
    return Duration.ofMinutes(Long.parseLong(rate.group(1)));
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
