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

/** Picks the most specific route, as HTTP APIs do: a full match, then one with {@code {name}}. */
record RouteTable(List<Route> routes) {

  private static final Pattern VARIABLE = Pattern.compile("\\{([^}]+)}");

  /** A route with the decoded values of its path variables. */
  record Match(Route route, Map<String, String> pathParameters) {}

  RouteTable {
    routes =
        routes.stream().sorted(Comparator.comparing(route -> route.path().contains("{"))).toList();
  }

  Optional<Match> match(String method, @Nullable String rawPath) {
    return routes.stream()
        .filter(route -> route.method().equals(method))
        .flatMap(route -> match(route, String.valueOf(rawPath)).stream())
        .findFirst();
  }

  private static Optional<Match> match(Route route, String rawPath) {
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
        VARIABLE.matcher(Pattern.quote(path)).replaceAll(Matcher.quoteReplacement("\\E([^/]+)\\Q"));
    return Pattern.compile(regex);
  }
}
