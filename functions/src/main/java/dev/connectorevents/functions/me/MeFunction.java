package dev.connectorevents.functions.me;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.connectorevents.functions.ApiGatewayFunction;
import dev.connectorevents.functions.Wiring;
import dev.connectorevents.http.Caller;
import dev.connectorevents.http.Guard;
import dev.connectorevents.http.Request;
import dev.connectorevents.http.Response;
import dev.connectorevents.user.User;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.Map;

/** Describes the current user; the {@link Guard} has read it already. */
public final class MeFunction implements RequestStreamHandler {

  private final ApiGatewayFunction function;

  public MeFunction() {
    this(System.getenv());
  }

  public MeFunction(Map<String, String> environment) {
    Wiring wiring = new Wiring(environment);
    this(new Guard(wiring.tokens(), wiring.users()));
  }

  MeFunction(Guard guard) {
    this.function = new ApiGatewayFunction(guard.protect(MeFunction::describe));
  }

  @Override
  public void handleRequest(InputStream input, OutputStream output, Context context)
      throws IOException {
    function.handle(input, output, context);
  }

  private static Response describe(Request request, Caller caller) {
    User user = caller.user();
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("id", user.id().toString());
    body.put("email", user.email().value());
    if (user.name() != null) {
      body.put("name", user.name());
    }
    body.put("created_at", user.createdAt().toString());
    return Response.json(200, body);
  }
}
