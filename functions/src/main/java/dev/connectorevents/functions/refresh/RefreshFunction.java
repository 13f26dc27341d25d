package dev.connectorevents.functions.refresh;

import dev.connectorevents.access.Caller;
import dev.connectorevents.access.Guard;
import dev.connectorevents.access.TokenResponse;
import dev.connectorevents.functions.refresh.RefreshOutcome.NotRefreshable;
import dev.connectorevents.functions.refresh.RefreshOutcome.Refreshed;
import dev.connectorevents.functions.refresh.RefreshOutcome.SessionEnded;
import dev.connectorevents.functions.snapshot.RehearsalScript;
import dev.connectorevents.functions.snapshot.RehearsedFunction;
import dev.connectorevents.functions.wiring.Wiring;
import dev.connectorevents.http.Handler;
import dev.connectorevents.http.Problem;
import dev.connectorevents.http.ProblemCode;
import dev.connectorevents.http.Request;
import dev.connectorevents.http.Response;
import dev.connectorevents.token.AccessToken;
import dev.connectorevents.token.Tokens;
import java.util.Map;

/** The Lambda function for {@link Refresh}. */
public final class RefreshFunction extends RehearsedFunction {

  public RefreshFunction() {
    this(System.getenv());
  }

  public RefreshFunction(Map<String, String> environment) {
    super(environment, RefreshFunction::handler, RehearsalScript::withoutBody);
  }

  /** Handles the route's requests with parts of this wiring. */
  public static Handler handler(Wiring wiring) {
    Tokens tokens = wiring.tokens();
    return handler(
        wiring.guard(tokens),
        new Refresh(tokens, wiring.tokenLifetime(), wiring.sessionLifetime(), wiring.clock()));
  }

  static Handler handler(Guard guard, Refresh refresh) {
    return guard.protect((request, caller) -> handle(refresh, request, caller));
  }

  private static Response handle(Refresh refresh, Request request, Caller caller) {
    return switch (refresh.refresh(caller)) {
      case Refreshed(AccessToken token) -> TokenResponse.of(token);
      case SessionEnded() ->
          Problem.of(request, ProblemCode.SESSION_ENDED, "The session has ended: log in again.");
      case NotRefreshable() ->
          Problem.of(
              request,
              ProblemCode.INVALID_TOKEN,
              "A static token cannot be refreshed: use it until it expires, then ask an operator"
                  + " for a new one.");
    };
  }
}
