package dev.connectorevents.functions.me;

import dev.connectorevents.access.Caller;
import dev.connectorevents.access.Guard;
import dev.connectorevents.functions.snapshot.RehearsalScript;
import dev.connectorevents.functions.snapshot.RehearsedFunction;
import dev.connectorevents.functions.wiring.Wiring;
import dev.connectorevents.http.Handler;
import dev.connectorevents.http.Request;
import dev.connectorevents.http.Response;
import dev.connectorevents.user.User;
import java.util.LinkedHashMap;
import java.util.Map;

/** Describes the current user; the {@link Guard} has read it already. */
public final class MeFunction extends RehearsedFunction {

  public MeFunction() {
    this(System.getenv());
  }

  public MeFunction(Map<String, String> environment) {
    super(environment, MeFunction::handler, RehearsalScript::withoutBody);
  }

  /** Handles the route's requests with parts of this wiring. */
  public static Handler handler(Wiring wiring) {
    return handler(wiring.guard(wiring.tokens()));
  }

  static Handler handler(Guard guard) {
    return guard.protect(MeFunction::describe);
  }

  private static Response describe(Request request, Caller caller) {
    User user = caller.user();
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("id", user.id().toString());
    body.put("email", user.email().value());
    if (user.name() != null) {
      body.put("name", user.name());
    }
    body.put("role", user.role().text());
    if (user.scope() != null) {
      body.put("event_types", user.scope().values());
    }
    body.put("created_at", user.createdAt().toString());
    return Response.json(200, body);
  }
}
