package dev.connectorevents.http;

import static dev.connectorevents.http.ProblemCode.EXPIRED_TOKEN;
import static dev.connectorevents.http.ProblemCode.FORBIDDEN;
import static dev.connectorevents.http.ProblemCode.INVALID_TOKEN;
import static dev.connectorevents.http.ProblemCode.MISSING_TOKEN;
import static dev.connectorevents.http.ProblemCode.REVOKED_TOKEN;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.token.CheckedToken;
import dev.connectorevents.token.Claims;
import dev.connectorevents.token.Tokens;
import dev.connectorevents.user.Role;
import dev.connectorevents.user.User;
import dev.connectorevents.user.UserLookup;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Protects handlers: only requests with a live bearer token pass (RFC 6750). A token is live if it
 * is ours, has not expired, and belongs to an active user who has not been revoked since the
 * session began.
 */
public final class Guard {

  private static final String SCHEME = "bearer ";

  /** What JavaScript, Java and Python write for a variable without a value. */
  private static final Set<String> NO_VALUES = Set.of("undefined", "null", "None");

  private final Tokens tokens;
  private final UserLookup users;

  /**
   * @param users finds the user of each request; if it caches, a revocation lags by the cache's age
   */
  public Guard(Tokens tokens, UserLookup users) {
    this.tokens = tokens;
    this.users = users;
  }

  /**
   * Wraps a handler. The returned handler answers 401 with a {@code WWW-Authenticate} challenge to
   * a request without a live token, and passes all others on with their {@link Caller}. It throws
   * {@link DependencyUnavailableException} if the signing key or the user cannot be read: no
   * request passes unchecked.
   */
  public Handler protect(ProtectedHandler handler) {
    return protect(user -> true, handler);
  }

  private Handler protect(Predicate<User> mayCall, ProtectedHandler handler) {
    return request -> {
      Optional<String> credentials = bearerCredentials(request);
      if (credentials.isEmpty()) {
        return Problem.of(request, MISSING_TOKEN, "Send Authorization: Bearer <token>.");
      }
      return switch (tokens.check(credentials.get())) {
        case CheckedToken.Valid(Claims claims) -> admit(request, claims, mayCall, handler);
        case CheckedToken.Expired() ->
            Problem.of(request, EXPIRED_TOKEN, "The token has expired: log in again.");
        case CheckedToken.Invalid() ->
            Problem.of(request, INVALID_TOKEN, whyInvalid(credentials.get()));
      };
    };
  }

  /** Quotes nothing of the token. */
  private static String whyInvalid(String token) {
    if (beginsWithScheme(token)) {
      return "The token begins with Bearer again: send that word once, as in Authorization: Bearer"
          + " <token>.";
    }
    if (token.startsWith("\"") || token.startsWith("'")) {
      return "The token is in quotes: send it without them.";
    }
    if (NO_VALUES.contains(token)) {
      return "The token is the word undefined, null or None: a variable has no value. Log in, and"
          + " send access_token.";
    }
    return "The token is incomplete, changed or not from this service. Send access_token as it was"
        + " received, or log in again.";
  }

  /**
   * Wraps a handler for users of one role. The returned handler also answers 403 to all others,
   * before the wrapped one reads anything of the request.
   */
  public Handler protect(Role role, ProtectedHandler handler) {
    return protect(
        user -> user.role() == role,
        (request, caller) ->
            caller.user().role() == role
                ? handler.handle(request, caller)
                : Problem.of(
                    request,
                    FORBIDDEN,
                    "This route is for the role %s, but the user's role is %s."
                        .formatted(role.text(), caller.user().role().text())));
  }

  /**
   * Reads the user again before a refusal. Otherwise a user who was enabled again would be refused
   * until the cache forgets the old state.
   */
  private Response admit(
      Request request, Claims claims, Predicate<User> mayCall, ProtectedHandler handler) {
    return users
        .find(claims.email(), user -> isLive(claims, user) && mayCall.test(user))
        .filter(user -> isLive(claims, user))
        .map(user ->
            handler
                .handle(request, new Caller(user, claims))
                .noting("user_id", user.id().toString()))
        .orElseGet(
            () -> Problem.of(request, REVOKED_TOKEN, "The token has been revoked: log in again."));
  }

  /** The id differs if the user was deleted and the address now belongs to a new user. */
  private static boolean isLive(Claims claims, User user) {
    return user.id().equals(claims.userId())
        && user.isActive()
        && !claims.sessionStart().isBefore(user.tokensValidFrom());
  }

  /** The text after the scheme. Two tokens are not refused here: the check finds them invalid. */
  private static Optional<String> bearerCredentials(Request request) {
    return request
        .header("authorization")
        .map(String::strip)
        .filter(Guard::beginsWithScheme)
        .map(header -> header.substring(SCHEME.length()).strip());
  }

  private static boolean beginsWithScheme(String text) {
    return text.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
  }
}
