package dev.connectorevents.access;

import static dev.connectorevents.http.ProblemCode.EXPIRED_TOKEN;
import static dev.connectorevents.http.ProblemCode.FORBIDDEN;
import static dev.connectorevents.http.ProblemCode.INVALID_TOKEN;
import static dev.connectorevents.http.ProblemCode.MISSING_TOKEN;
import static dev.connectorevents.http.ProblemCode.REVOKED_TOKEN;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.http.Handler;
import dev.connectorevents.http.Problem;
import dev.connectorevents.http.Request;
import dev.connectorevents.http.Response;
import dev.connectorevents.token.CheckedToken;
import dev.connectorevents.token.Claims;
import dev.connectorevents.token.Tokens;
import dev.connectorevents.user.Role;
import dev.connectorevents.user.User;
import dev.connectorevents.user.UserLookup;
import java.util.Map;
import java.util.Optional;

/**
 * Protects handlers: only requests with a live bearer token pass (RFC 6750). A token is live if it
 * is ours, has not expired, and belongs to an active user who has not been revoked since the
 * session began.
 */
public final class Guard {

  /** So many characters tell the keys of a secret apart. Each line of the log has them. */
  private static final int KEY_NOTED = 8;

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
    return protect(Optional.empty(), handler);
  }

  /**
   * Wraps a handler for users of one role. The returned handler also answers 403 to all others,
   * before the wrapped one reads anything of the request.
   */
  public Handler protect(Role role, ProtectedHandler handler) {
    return protect(Optional.of(role), handler);
  }

  private Handler protect(Optional<Role> required, ProtectedHandler handler) {
    return request -> {
      Optional<String> credentials = bearerCredentials(request);
      if (credentials.isEmpty()) {
        return Problem.of(request, MISSING_TOKEN, TokenMistakes.describeMissing(request));
      }
      String token = credentials.get();
      return switch (tokens.check(token)) {
        case CheckedToken.Valid(Claims claims) -> admit(request, claims, required, handler);
        case CheckedToken.Expired() ->
            Problem.of(request, EXPIRED_TOKEN, "The token has expired: log in again.");
        case CheckedToken.Invalid() ->
            Problem.of(request, INVALID_TOKEN, TokenMistakes.describe(token));
      };
    };
  }

  /**
   * A cached state that would refuse the request does not suffice: then this reads the current one.
   * Otherwise a user who was enabled again would be refused until the cache expires.
   */
  private Response admit(
      Request request, Claims claims, Optional<Role> required, ProtectedHandler handler) {
    Optional<User> live =
        users
            .find(claims.email(), cached -> isLive(claims, cached) && hasRole(cached, required))
            .filter(user -> isLive(claims, user));
    if (live.isEmpty()) {
      return Problem.of(request, REVOKED_TOKEN, "The token has been revoked: log in again.")
          .noting(notes(claims));
    }
    User user = live.get();
    Response response =
        hasRole(user, required)
            ? handler.handle(request, new Caller(user, claims, () -> current(claims, required)))
            : forbidden(request, required.orElseThrow(), user);
    return response.noting(notes(claims));
  }

  /** Whose token it is, the beginning of its key's id and, of a static one, when it ends. */
  private static Map<String, String> notes(Claims claims) {
    String id = claims.userId().toString();
    String key = claims.keyId().substring(0, Math.min(KEY_NOTED, claims.keyId().length()));
    return claims.isStatic()
        ? Map.of("user_id", id, "kid", key, "token_ends", claims.expiresAt().toString())
        : Map.of("user_id", id, "kid", key);
  }

  /** The user's current state, if it is live and has the role. It replaces a cached one. */
  private Optional<User> current(Claims claims, Optional<Role> required) {
    return users
        .find(claims.email(), cached -> false)
        .filter(user -> isLive(claims, user) && hasRole(user, required));
  }

  private static boolean hasRole(User user, Optional<Role> required) {
    return required.isEmpty() || required.get() == user.role();
  }

  private static Response forbidden(Request request, Role required, User user) {
    return Problem.of(
        request,
        FORBIDDEN,
        "%s is for the role %s, but the user's role is %s."
            .formatted(request.route(), required.text(), user.role().text()));
  }

  /** The id differs if the user was deleted and the address now belongs to a new user. */
  private static boolean isLive(Claims claims, User user) {
    return user.id().equals(claims.userId())
        && user.isActive()
        && !claims.sessionStart().isBefore(user.tokensValidFrom());
  }

  /** The text after the scheme. Does not refuse two tokens: {@link Tokens#check} does. */
  private static Optional<String> bearerCredentials(Request request) {
    return request
        .header("authorization")
        .map(String::strip)
        .filter(TokenMistakes::beginsWithScheme)
        .map(header -> header.substring(TokenMistakes.SCHEME.length()).strip());
  }
}
