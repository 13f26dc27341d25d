package dev.connectorevents.acceptance.oracle;

import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.user.Role;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Optional;

/** Makes the requests of sessions: login, refresh and me. Chooses the token of each request. */
final class Sessions {

  private final World world;
  private final Oracle oracle;
  private final SessionRules rules;
  private final Operators operators;

  Sessions(World world, Oracle oracle, SessionRules rules, Operators operators) {
    this.world = world;
    this.oracle = oracle;
    this.rules = rules;
    this.operators = operators;
  }

  void login(Step step) {
    KnownUser user = Step.any(step.who(), oracle.users);
    String password = user.possible().findFirst().orElseThrow().password();
    switch (step.how() % 10) {
      case 0 -> login(user.email, password + " or not");
      case 1 -> login("nobody@example.com", password);
      default -> login(user.email, password);
    }
  }

  private void login(String email, String password) {
    Answer answer = world.client().login(email, password);
    rules.login(email, operators.holder(email), password, answer);
  }

  /** Fails to log in about as often as it may. */
  void guess(Step step) {
    KnownUser user = Step.any(step.who(), oracle.users);
    for (int i = 0; i < 9 + step.how() % 4; i++) {
      login(user.email, "guess number " + i);
    }
  }

  /**
   * Chooses a token: mostly a live one, if need be after a login; at times a late or a false one.
   */
  KnownToken token(Step step, Optional<Role> role) {
    if (step.who() % 5 == 0 && !oracle.tokens.isEmpty()) {
      int known = oracle.tokens.size();
      List<KnownToken> late = oracle.tokens.subList(Math.max(0, known - 12), known);
      KnownToken any = Step.any(step.what(), late);
      return switch (step.who() % 8) {
        case 0 -> any.forged();
        case 1 -> KnownToken.none(any.user());
        default -> any;
      };
    }
    List<KnownUser> able =
        oracle.users.stream()
            .filter(user ->
                user.surely(it ->
                    it.exists()
                        && it.isActive()
                        && role.filter(needed -> needed != it.role()).isEmpty()))
            .toList();
    return tokenOf(Step.any(step.who(), able.isEmpty() ? oracle.users : able));
  }

  /** A live token of this user, if it can have one. */
  KnownToken tokenOf(KnownUser user) {
    if (live(user).isEmpty()) {
      login(user.email, user.possible().findFirst().orElseThrow().password());
    }
    return live(user)
        .orElseGet(() -> oracle.tokens.isEmpty() ? KnownToken.none(user) : oracle.tokens.getLast());
  }

  private Optional<KnownToken> live(KnownUser user) {
    return oracle.tokens.reversed().stream()
        .filter(
            it -> it.user() == user && oracle.isValid(it) && user.surely(each -> each.admits(it)))
        .findFirst();
  }

  void refresh(Step step) {
    refresh(token(step, Optional.empty()));
  }

  private void refresh(KnownToken token) {
    String[] headers = token.headers();
    Answer answer =
        world.client().send("POST", "/api/auth/refresh", BodyPublishers.noBody(), headers);
    rules.refresh(token, answer);
  }

  /** Refreshes the tokens of a session until it ends. */
  void outstay(Step step) {
    KnownUser user = Step.any(step.who(), oracle.users);
    refresh(tokenOf(user));
    for (int i = 0; i < 2; i++) {
      world.clock().pass(SessionRules.SESSION_LIFETIME.dividedBy(2).plusMinutes(1));
      refresh(oracle.tokens.isEmpty() ? KnownToken.none(user) : oracle.tokens.getLast());
    }
  }

  void me(Step step) {
    KnownToken token = token(step, Optional.empty());
    rules.me(token, token.get(world, "/api/auth/me"));
  }
}
