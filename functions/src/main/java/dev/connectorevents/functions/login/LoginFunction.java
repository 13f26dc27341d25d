package dev.connectorevents.functions.login;

import dev.connectorevents.access.TokenResponse;
import dev.connectorevents.functions.login.LoginOutcome.InvalidCredentials;
import dev.connectorevents.functions.login.LoginOutcome.LoggedIn;
import dev.connectorevents.functions.login.LoginOutcome.TooManyAttempts;
import dev.connectorevents.functions.snapshot.RehearsalScript;
import dev.connectorevents.functions.snapshot.RehearsedFunction;
import dev.connectorevents.functions.wiring.Wiring;
import dev.connectorevents.http.Handler;
import dev.connectorevents.http.Problem;
import dev.connectorevents.http.ProblemCode;
import dev.connectorevents.http.Request;
import dev.connectorevents.http.Response;
import dev.connectorevents.json.Body;
import dev.connectorevents.token.AccessToken;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.User;
import java.time.Duration;
import java.util.Map;

/** The Lambda function for {@link Login}. */
public final class LoginFunction extends RehearsedFunction {

  public LoginFunction() {
    this(System.getenv());
  }

  public LoginFunction(Map<String, String> environment) {
    super(environment, LoginFunction::handler, RehearsalScript::login);
  }

  /** Handles the route's requests with parts of this wiring. */
  public static Handler handler(Wiring wiring) {
    return handler(
        new Login(
            wiring.loginAttempts(),
            wiring.users(),
            wiring.tokens(),
            wiring.tokenLifetime(),
            wiring.bcryptCost(),
            wiring.clock()));
  }

  static Handler handler(Login login) {
    return request -> handle(login, request);
  }

  private static Response handle(Login login, Request request) {
    return switch (LoginRequest.of(request)) {
      case Body.Read<LoginRequest>(LoginRequest(Email email, String password)) ->
          answer(request, password, login.login(email, password, request.sourceIp()));
      case Body.Refused<?> refused -> Problem.of(request, refused.reason());
    };
  }

  private static Response answer(Request request, String password, LoginOutcome outcome) {
    return switch (outcome) {
      case LoggedIn(User user, AccessToken token) ->
          TokenResponse.of(token).noting("user_id", user.id().toString());
      case InvalidCredentials() ->
          Problem.of(
              request,
              ProblemCode.INVALID_CREDENTIALS,
              "No user has this e-mail address and password." + hint(password));
      case TooManyAttempts(Duration toWait) ->
          Problem.of(
                  request,
                  ProblemCode.TOO_MANY_ATTEMPTS,
                  "Too many attempts failed. Try again in %d s.".formatted(toWait.toSeconds()))
              .with("Retry-After", Long.toString(toWait.toSeconds()));
    };
  }

  /** Says only what the request itself shows: a file's last line break is easily read with it. */
  private static String hint(String password) {
    return password.endsWith("\n") ? " The password ends in a line break: send it without." : "";
  }
}
