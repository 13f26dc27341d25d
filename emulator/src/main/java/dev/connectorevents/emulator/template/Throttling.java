package dev.connectorevents.emulator.template;

import java.util.HashMap;
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

  public static final Throttling NONE = new Throttling(Optional.empty(), Map.of());

  public Throttling {
    byRoute = Map.copyOf(byRoute);
  }

  /** The limit of one route. Routes do not share a limit. */
  public Optional<RateLimit> of(Route route) {
    return Optional.ofNullable(byRoute.get(route.key())).or(() -> byDefault);
  }

  /**
   * Reads {@code DefaultRouteSettings} and {@code RouteSettings}.
   *
   * @param routes the keys of all routes
   * @throws TemplateMistake for settings of an unknown route: cfn-lint and the SAM CLI accept them,
   *     and the deploy fails half-way
   */
  static Throttling read(List<Section> apis, Set<String> routes) {
    if (apis.isEmpty()) {
      return NONE;
    }
    if (apis.size() > 1) {
      throw new TemplateMistake(apis.get(1).where(), "only one HttpApi is served here");
    }
    Section api = apis.getFirst();
    Section defaults = api.section("DefaultRouteSettings");
    Section settings = api.section("RouteSettings");
    Map<String, RateLimit> byRoute = new HashMap<>();
    settings
        .sections()
        .forEach((route, own) -> {
          if (!routes.contains(route)) {
            throw new TemplateMistake(settings.where(), "there is no route " + route);
          }
          RateLimit.read(own.over(defaults)).ifPresent(limit -> byRoute.put(route, limit));
        });
    return new Throttling(RateLimit.read(defaults), byRoute);
  }
}
