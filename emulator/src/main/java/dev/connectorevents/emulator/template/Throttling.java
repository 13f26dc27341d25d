package dev.connectorevents.emulator.template;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The limits of the API's routes.
 *
 * @param byDefault of each route without its own
 * @param byRoute by the route's key
 */
public record Throttling(Optional<RateLimit> byDefault, Map<String, RateLimit> byRoute) {
  /** No route has a limit. */
  public static final Throttling NONE = new Throttling(Optional.empty(), Map.of());

  public Throttling {
    byRoute = Map.copyOf(byRoute);
  }

  /** The route's limit, which it shares with no other route. */
  public Optional<RateLimit> of(Route route) {
    return Optional.ofNullable(byRoute.get(route.key())).or(() -> byDefault);
  }

  /**
   * Reads `DefaultRouteSettings` and `RouteSettings`.
   *
   * @param apis at most one
   * @param routes the keys of all routes
   * @throws TemplateMistake for settings of a route that no function serves: cfn-lint and the SAM
   *     CLI accept them, and the deploy fails half-way
   */
  static Throttling read(List<Section> apis, Set<String> routes) {
    if (apis.size() > 1) {
      throw new TemplateMistake(apis.get(1).where(), "only one HttpApi is served here");
    }
    return apis.isEmpty() ? NONE : read(apis.getFirst(), routes);
  }

  private static Throttling read(Section api, Set<String> routes) {
    Section defaults = api.section("DefaultRouteSettings");
    Section settings = api.section("RouteSettings");
    Map<String, RateLimit> byRoute = new HashMap<>();
    for (Map.Entry<String, Section> each : settings.sections().toList()) {
      if (!routes.contains(each.getKey())) {
        throw new TemplateMistake(settings.where(), "there is no route " + each.getKey());
      }
      RateLimit.read(over(defaults, each.getValue()))
          .ifPresent(limit -> byRoute.put(each.getKey(), limit));
    }
    return new Throttling(RateLimit.read(defaults), byRoute);
  }

  private static Section over(Section defaults, Section own) {
    Map<String, Object> values = new LinkedHashMap<>(defaults.values());
    values.putAll(own.values());
    return new Section(own.where(), values);
  }
}
