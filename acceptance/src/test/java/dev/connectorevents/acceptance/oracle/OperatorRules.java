package dev.connectorevents.acceptance.oracle;

import static dev.connectorevents.acceptance.oracle.Oracle.OK;
import static dev.connectorevents.acceptance.oracle.Oracle.require;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Which answers of {@code ManageUsersFunction} are allowed to an operator. */
final class OperatorRules {

  private static final String NOT_FOUND = "404 user_not_found";

  private final Oracle oracle;
  private final SessionRules sessions;

  OperatorRules(Oracle oracle, SessionRules sessions) {
    this.oracle = oracle;
    this.sessions = sessions;
  }

  /** The status and the code of an operator's answer. */
  static String reply(JsonNode answer) {
    String code = answer.path("code").asText();
    require(!answer.has("errorMessage"), "the function failed: " + answer);
    return code.isEmpty() ? OK : answer.path("status").asInt() + " " + code;
  }

  /** The user with this address, which may be deleted. */
  Optional<KnownUser> holder(String email) {
    List<KnownUser> all = oracle.users.stream().filter(it -> it.email.equals(email)).toList();
    return all.isEmpty() ? Optional.empty() : Optional.of(all.getLast());
  }

  /** Judges the creation of a user, in which no call to AWS fails. */
  void create(String email, Standing created, JsonNode answer) {
    oracle.nextRequest();
    Optional<KnownUser> holder = holder(email);
    Set<String> allowed = new HashSet<>();
    holder.ifPresent(
        it -> it.possible().forEach(each -> allowed.add(each.exists() ? "409 address_taken" : OK)));
    if (holder.isEmpty()) {
      allowed.add(OK);
    }
    String reply = reply(answer);
    if (!oracle.isSettled(reply, allowed)) {
      return;
    }
    holder.ifPresent(it -> it.learn(each -> each.exists() != reply.equals(OK), oracle.now()));
    if (reply.equals(OK)) {
      JsonNode user = answer.path("user");
      require(created.isShownIn(user), "it created another user: " + user);
      String id = user.path("id").asText();
      require(oracle.users.stream().noneMatch(it -> it.id.equals(id)), "two users have one id");
      oracle.users.add(new KnownUser(email, id, created));
    }
  }

  /**
   * Judges a change of a user.
   *
   * @param endsSessions whether the change ends the user's tokens
   */
  void change(
      KnownUser user, UnaryOperator<Standing> change, boolean endsSessions, JsonNode answer) {
    int request = oracle.nextRequest();
    String reply = reply(answer);
    Set<String> allowed = new HashSet<>();
    user.possible().forEach(each -> allowed.add(each.exists() ? OK : NOT_FOUND));
    if (endsSessions && user.mayHaveEndedTooOften(oracle.now())) {
      allowed.add("429 too_many_attempts");
    }
    UnaryOperator<Standing> whole =
        each -> {
          Standing changed = change.apply(each);
          return !each.exists() ? each : endsSessions ? changed.endedAt(request) : changed;
        };
    if (!oracle.isSettled(reply, allowed)) {
      user.mayChange(whole, oracle.now());
      user.endedSessions(oracle.now());
      return;
    }
    user.learn(each -> each.exists() != reply.equals(NOT_FOUND), oracle.now());
    if (reply.equals(OK)) {
      JsonNode shown = answer.path("user");
      require(shown.path("id").asText().equals(user.id), "it changed another user");
      user.change(whole, oracle.now());
      user.learn(each -> isShown(each, shown), oracle.now());
      require(user.possible().anyMatch(each -> isShown(each, shown)), "it shows " + shown);
      if (endsSessions) {
        user.endedSessions(oracle.now());
      }
    }
  }

  private static boolean isShown(Standing standing, JsonNode user) {
    String state = standing.isActive() ? "active" : "disabled";
    return standing.isShownIn(user)
        && user.path("state").asText().equals(standing.exists() ? state : "deleted");
  }

  void issueStaticToken(KnownUser user, Duration lifetime, JsonNode answer) {
    int begun = oracle.nextRequest();
    String reply = reply(answer);
    Set<String> allowed = new HashSet<>();
    user.possible().forEach(each -> allowed.add(ofStaticToken(each)));
    if (oracle.isSettled(reply, allowed)) {
      user.learn(each -> ofStaticToken(each).equals(reply), oracle.now());
      if (reply.equals(OK)) {
        sessions.addToken(user, begun, Optional.empty(), lifetime, answer.path("token"));
      }
    }
  }

  private static String ofStaticToken(Standing standing) {
    if (!standing.exists()) {
      return NOT_FOUND;
    }
    return standing.isActive() ? OK : "409 user_disabled";
  }
}
