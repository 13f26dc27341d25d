package dev.connectorevents.functions.login;

import dev.connectorevents.functions.lambda.ApiGatewayFunction;
import dev.connectorevents.functions.login.LoginOutcome.InvalidCredentials;
import dev.connectorevents.functions.login.LoginOutcome.LoggedIn;
import dev.connectorevents.functions.login.LoginOutcome.TooManyAttempts;
import dev.connectorevents.functions.snapshot.Rehearsal;
import dev.connectorevents.functions.snapshot.RehearsedRequest;
import dev.connectorevents.functions.wiring.Wiring;
import dev.connectorevents.http.JsonBody;
import dev.connectorevents.http.Problem;
import dev.connectorevents.http.ProblemCode;
import dev.connectorevents.http.Request;
import dev.connectorevents.http.Response;
import dev.connectorevents.http.TokenResponse;
import java.util.Map;

/** The Lambda function for {@link Login}. */
public final class LoginFunction extends ApiGatewayFunction {

  public LoginFunction() {
    this(System.getenv());
  }

  public LoginFunction(Map<String, String> environment) {
    this(new Wiring(environment));
    rehearsal(environment).beforeSnapshot();
  }

  public LoginFunction(Wiring wiring) {
    this(
        new Login(
            wiring.loginAttempts(),
            wiring.users(),
            wiring.tokens(),
            wiring.tokenLifetime(),
            wiring.bcryptCost(),
            wiring.clock()));
  }

  LoginFunction(Login login) {
    super(JsonBody.required(request -> handle(login, request)));
  }

  /** The rehearsal before Lambda takes a snapshot of this function. */
  public static Rehearsal rehearsal(Map<String, String> environment) {
    return new Rehearsal(environment, LoginFunction::new, RehearsedRequest::login);
  }

  private static Response handle(Login login, Request request) {
    return switch (LoginRequest.of(request)) {
      case LoginRequest.Valid(var email, var password) ->
          answer(request, login.login(email, password, request.sourceIp()));
      case LoginRequest.Invalid(var faults) -> Problem.invalid(request, faults);
      case LoginRequest.Malformed(var detail) ->
          Problem.of(request, ProblemCode.MALFORMED_JSON, detail);
    };
  }

  private static Response answer(Request request, LoginOutcome outcome) {
    return switch (outcome) {
      case LoggedIn(var user, var token) ->
          TokenResponse.of(token).noting("user_id", user.id().toString());
      case InvalidCredentials() ->
          Problem.of(
              request,
              ProblemCode.INVALID_CREDENTIALS,
              "No user has this e-mail address and password.");
      case TooManyAttempts(var toWait) ->
          Problem.of(
                  request,
                  ProblemCode.TOO_MANY_ATTEMPTS,
                  "Too many attempts failed. Try again in %d s.".formatted(toWait.toSeconds()))
              .with("Retry-After", Long.toString(toWait.toSeconds()));
    };
  }
}
