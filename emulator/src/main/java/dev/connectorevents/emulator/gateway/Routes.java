package dev.connectorevents.emulator.gateway;

import dev.connectorevents.emulator.template.Route;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Picks the most specific route, as HTTP APIs do: a full match, then one with `{name}`, then one
 * with `{name+}`, then $default; at each, a method before ANY.
 */
record Routes(List<Route> routes) {
  /** A route and what its path's variables stand for in the request. */
  record Match(Route route, Map<String, String> pathParameters) {}

  Routes {
    routes =
        routes.stream()
            .sorted(
                Comparator.comparingInt((Route route) -> generality(route.path()))
                    .thenComparing(route -> route.method().equals("ANY")))
            .toList();
  }

  Optional<Match> match(String method, @Nullable String rawPath) {
    if (rawPath == null) {
      return Optional.empty();
    }
    for (var route : routes) {
      if (route.method().equals("ANY") || route.method().equals(method)) {
        var parameters = parameters(route.path(), rawPath);
        if (parameters.isPresent()) {
          return Optional.of(new Match(route, parameters.get()));
        }
      }
    }
    return Optional.empty();
  }

  private static int generality(String path) {
    return path.equals("$default") ? 3 : path.contains("+}") ? 2 : path.contains("{") ? 1 : 0;
  }

  private static Optional<Map<String, String>> parameters(String template, String rawPath) {
    var parameters = new LinkedHashMap<String, String>();
    if (template.equals("$default")) {
      return Optional.of(parameters);
    }
    var wanted = template.split("/", -1);
    var given = rawPath.split("/", -1);
    for (int i = 0; i < wanted.length; i++) {
      if (i >= given.length) {
        return Optional.empty();
      }
      if (wanted[i].endsWith("+}")) {
        var rest = String.join("/", List.of(given).subList(i, given.length));
        parameters.put(wanted[i].substring(1, wanted[i].length() - 2), decoded(rest));
        return Optional.of(parameters);
      }
      if (wanted[i].startsWith("{") && !given[i].isEmpty()) {
        parameters.put(wanted[i].substring(1, wanted[i].length() - 1), decoded(given[i]));
      } else if (!wanted[i].equals(given[i])) {
        return Optional.empty();
      }
    }
    return wanted.length == given.length ? Optional.of(parameters) : Optional.empty();
  }

  private static String decoded(String raw) {
    return URLDecoder.decode(raw.replace("+", "%2B"), StandardCharsets.UTF_8);
  }
}
