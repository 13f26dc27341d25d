package dev.connectorevents.emulator.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.emulator.template.Route;
import java.net.URLDecoder;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Picks the most specific route, as HTTP APIs do: a full match, then one with {@code {name}}, then
 * one with {@code {name+}}, then $default; among equals, a method before ANY.
 */
record RouteTable(List<Route> routes) {

  private static final Pattern VARIABLE = Pattern.compile("\\{([^}+]+)(\\+?)}");

  /** A route with the decoded values of its path variables. */
  record Match(Route route, Map<String, String> pathParameters) {}

  RouteTable {
    routes =
        routes.stream()
            .sorted(
                Comparator.comparingInt((Route route) -> generality(route.path()))
                    .thenComparing(route -> route.method().equals("ANY")))
            .toList();
  }

  private static int generality(String path) {
    return path.equals("$default") ? 3 : path.contains("+}") ? 2 : path.contains("{") ? 1 : 0;
  }

  Optional<Match> match(String method, @Nullable String rawPath) {
    return routes.stream()
        .filter(route -> route.method().equals("ANY") || route.method().equals(method))
        .flatMap(route -> match(route, String.valueOf(rawPath)).stream())
        .findFirst();
  }

  private static Optional<Match> match(Route route, String rawPath) {
    if (route.path().equals("$default")) {
      return Optional.of(new Match(route, Map.of()));
    }
    Matcher path = pattern(route.path()).matcher(rawPath);
    if (!path.matches()) {
      return Optional.empty();
    }
    Map<String, String> parameters = new LinkedHashMap<>();
    for (MatchResult variable : VARIABLE.matcher(route.path()).results().toList()) {
      // A plus stays a plus in a path.
      String raw = path.group(parameters.size() + 1).replace("+", "%2B");
      parameters.put(variable.group(1), URLDecoder.decode(raw, UTF_8));
    }
    return Optional.of(new Match(route, parameters));
  }

  private static Pattern pattern(String path) {
    String regex =
        VARIABLE
            .matcher(Pattern.quote(path))
            .replaceAll(variable ->
                Matcher.quoteReplacement(
                    variable.group(2).isEmpty() ? "\\E([^/]+)\\Q" : "\\E(.*)\\Q"));
    return Pattern.compile(regex);
  }
}
