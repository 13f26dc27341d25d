package dev.connectorevents.functions.refresh;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.connectorevents.functions.ApiGatewayFunction;
import dev.connectorevents.functions.Wiring;
import dev.connectorevents.functions.refresh.RefreshOutcome.NotRefreshable;
import dev.connectorevents.functions.refresh.RefreshOutcome.Refreshed;
import dev.connectorevents.functions.refresh.RefreshOutcome.SessionEnded;
import dev.connectorevents.http.Caller;
import dev.connectorevents.http.Guard;
import dev.connectorevents.http.Problem;
import dev.connectorevents.http.ProblemCode;
import dev.connectorevents.http.Request;
import dev.connectorevents.http.Response;
import dev.connectorevents.http.TokenResponse;
import dev.connectorevents.token.Tokens;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;

/** Lambda's way into {@link Refresh}. */
public final class RefreshFunction implements RequestStreamHandler {

  private final Refresh refresh;
  private final ApiGatewayFunction function;

  public RefreshFunction() {
    this(System.getenv());
  }

  public RefreshFunction(Map<String, String> environment) {
    Wiring wiring = new Wiring(environment);
    Tokens tokens = wiring.tokens();
    this(
        new Guard(tokens, wiring.users()),
        new Refresh(tokens, wiring.tokenLifetime(), wiring.sessionLifetime(), wiring.clock()));
  }

  RefreshFunction(Guard guard, Refresh refresh) {
    this.refresh = refresh;
    this.function = new ApiGatewayFunction(guard.protect(this::handle));
  }

  @Override
  public void handleRequest(InputStream input, OutputStream output, Context context)
      throws IOException {
    function.handle(input, output, context);
  }

  private Response handle(Request request, Caller caller) {
    return switch (refresh.refresh(caller)) {
      case Refreshed(var token) -> TokenResponse.of(token);
      case SessionEnded() ->
          Problem.of(request, ProblemCode.SESSION_ENDED, "The session is over: log in once more.");
      case NotRefreshable() ->
          Problem.of(request, ProblemCode.INVALID_TOKEN, "A static token cannot be refreshed.");
    };
  }
}
