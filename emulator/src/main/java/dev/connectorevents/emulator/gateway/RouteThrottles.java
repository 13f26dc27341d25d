package dev.connectorevents.emulator.gateway;

import dev.connectorevents.emulator.template.Route;
import dev.connectorevents.emulator.template.Throttling;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Lets each route's requests through up to the route's own limit. */
final class RouteThrottles {
  private final Map<Route, TokenBucket> buckets = new HashMap<>();

  RouteThrottles(List<Route> routes, Throttling throttling, InstantSource clock) {
    for (Route route : routes) {
      throttling.of(route).ifPresent(limit -> buckets.put(route, new TokenBucket(limit, clock)));
    }
  }

  boolean admits(Route route) {
    TokenBucket bucket = buckets.get(route);
    return bucket == null || bucket.take();
  }
}
