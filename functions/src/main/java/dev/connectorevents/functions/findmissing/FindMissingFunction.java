package dev.connectorevents.functions.findmissing;

import dev.connectorevents.access.Caller;
import dev.connectorevents.access.Guard;
import dev.connectorevents.event.EventIds;
import dev.connectorevents.event.EventPresence;
import dev.connectorevents.event.IdempotencyKey;
import dev.connectorevents.functions.snapshot.RehearsalScript;
import dev.connectorevents.functions.snapshot.RehearsedFunction;
import dev.connectorevents.functions.wiring.Wiring;
import dev.connectorevents.http.Handler;
import dev.connectorevents.http.Problem;
import dev.connectorevents.http.Request;
import dev.connectorevents.http.Response;
import dev.connectorevents.json.Body;
import dev.connectorevents.user.Role;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Names the keys under which a connector has stored no event. */
public final class FindMissingFunction extends RehearsedFunction {

  public FindMissingFunction() {
    this(System.getenv());
  }

  public FindMissingFunction(Map<String, String> environment) {
    super(environment, FindMissingFunction::handler, RehearsalScript::findMissing);
  }

  /** Handles the route's requests with parts of this wiring. */
  public static Handler handler(Wiring wiring) {
    return handler(wiring.guardOfCachedUsers(), wiring.eventPresence());
  }

  static Handler handler(Guard guard, EventPresence events) {
    return guard.protect(Role.CONNECTOR, (request, caller) -> handle(events, request, caller));
  }

  private static Response handle(EventPresence events, Request request, Caller caller) {
    return switch (FindMissingRequest.of(request)) {
      case Body.Read<FindMissingRequest>(FindMissingRequest(List<IdempotencyKey> keys)) ->
          answer(events, keys, caller.user().id());
      case Body.Refused<?> refused -> Problem.of(request, refused.reason());
    };
  }

  private static Response answer(EventPresence events, List<IdempotencyKey> keys, UUID userId) {
    Map<UUID, String> missing = new LinkedHashMap<>(); // in the order sent, each key once
    keys.forEach(key -> missing.put(EventIds.of(userId, key), key.value()));
    missing.keySet().removeAll(events.stored(Set.copyOf(missing.keySet())));
    return Response.json(200, Map.of("missing", List.copyOf(missing.values())))
        .noting("keys", keys.size())
        .noting("missing", missing.size());
  }
}
