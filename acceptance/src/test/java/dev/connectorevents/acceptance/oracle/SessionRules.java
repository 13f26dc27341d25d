package dev.connectorevents.acceptance.oracle;

import static dev.connectorevents.acceptance.oracle.Oracle.OK;
import static dev.connectorevents.acceptance.oracle.Oracle.require;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.acceptance.oracle.Oracle.Ask;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Which answers are allowed to login, refresh and me. */
final class SessionRules {

  /** Parameters of the walk's service. Sessions end while a refreshed token still lives. */
  static final Duration TOKEN_LIFETIME = Duration.ofHours(20);

  static final Duration SESSION_LIFETIME = Duration.ofDays(1);

  /** A session that begins right after a revocation begins up to so much later. */
  private static final Duration LATEST_BEGIN = Duration.ofSeconds(16);

  private static final String INVALID = "401 invalid_credentials";
  private static final String TOO_MANY = "429 too_many_attempts";

  private final Oracle oracle;
  private final Attempts attempts = new Attempts();

  SessionRules(Oracle oracle) {
    this.oracle = oracle;
  }

  /**
   * Judges a login.
   *
   * @param user empty if no user has the address
   */
  void login(String email, Optional<KnownUser> user, String password, Answer answer) {
    Instant now = oracle.now();
    int begun = oracle.nextRequest();
    String reply = Oracle.reply(answer);
    Set<String> allowed = new HashSet<>();
    if (!attempts.areTooMany(email, now)) {
      user.ifPresent(
          it -> it.possible().forEach(each -> allowed.add(each.letsIn(password) ? OK : INVALID)));
      if (user.isEmpty()) {
        allowed.add(INVALID);
      }
    }
    if (attempts.mayBeTooMany(email, now)) {
      allowed.add(TOO_MANY);
    }
    if (!oracle.isSettled(reply, allowed)) {
      attempts.failed(email, now, false);
      attempts.succeeded(email, false);
    } else if (reply.equals(OK)) {
      KnownUser known = user.orElseThrow();
      known.learn(each -> each.letsIn(password), now);
      attempts.succeeded(email, true);
      addToken(known, begun, Optional.of(now), TOKEN_LIFETIME, answer.body());
    } else if (reply.equals(INVALID)) {
      user.ifPresent(it -> it.learn(each -> !each.letsIn(password), now));
      attempts.failed(email, now, !oracle.isTroubled());
    } else {
      int wait = Integer.parseInt(answer.header("Retry-After"));
      require(wait >= 1 && wait <= 900, "Retry-After is " + wait);
    }
  }

  void refresh(KnownToken token, Answer answer) {
    oracle.nextRequest();
    String reply = Oracle.reply(answer);
    Ask ask = ask(token, refreshed(token));
    if (oracle.isSettled(reply, ask) && reply.equals(OK)) {
      addToken(token.user(), token.begunAt(), token.authTime(), TOKEN_LIFETIME, answer.body());
    }
  }

  private Set<String> refreshed(KnownToken token) {
    if (token.authTime().isEmpty()) {
      return Set.of("401 invalid_token");
    }
    Instant end = token.authTime().get().plus(SESSION_LIFETIME);
    Set<String> allowed = new HashSet<>();
    if (oracle.now().isAfter(end.minusSeconds(1))) {
      allowed.add("401 session_ended");
    }
    if (oracle.now().isBefore(end.plus(LATEST_BEGIN))) {
      allowed.add(OK);
    }
    return allowed;
  }

  void me(KnownToken token, Answer answer) {
    oracle.nextRequest();
    String reply = Oracle.reply(answer);
    boolean isOther =
        reply.equals(OK) && !answer.body().path("id").asText().equals(token.user().id);
    require(!isOther, "me showed another user");
    JsonNode shown = answer.body();
    Ask ask =
        reply.equals(OK)
            ? new Ask(
                token,
                Optional.empty(),
                false,
                each -> each.isShownIn(shown),
                "200 with another role or scope",
                Set.of(OK))
            : ask(token, Set.of(OK));
    oracle.isSettled(reply, ask);
  }

  private static Ask ask(KnownToken token, Set<String> inside) {
    return new Ask(token, Optional.empty(), false, any -> true, "", inside);
  }

  /** Adds a token of an answer to those that a walk may use. */
  void addToken(
      KnownUser user, int begun, Optional<Instant> authTime, Duration lifetime, JsonNode answer) {
    require(
        answer.path("expires_in").asLong() == lifetime.toSeconds(),
        "expires_in is " + answer.path("expires_in"));
    String text = answer.path("access_token").asText();
    int key = oracle.keys.signedBy(keyId(text), oracle.now());
    Instant expires = oracle.now().plus(lifetime);
    oracle.tokens.add(new KnownToken(text, user, begun, authTime, expires, key, Optional.empty()));
  }

  static String keyId(String token) {
    byte[] header = Base64.getUrlDecoder().decode(token.substring(0, token.indexOf('.')));
    try {
      return new ObjectMapper().readTree(header).path("kid").asText();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
