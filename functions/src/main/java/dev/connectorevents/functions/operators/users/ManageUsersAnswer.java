package dev.connectorevents.functions.operators.users;

import dev.connectorevents.access.TokenResponse;
import dev.connectorevents.functions.operators.users.ManageUsersOutcome.AddressTaken;
import dev.connectorevents.functions.operators.users.ManageUsersOutcome.Deleted;
import dev.connectorevents.functions.operators.users.ManageUsersOutcome.Listed;
import dev.connectorevents.functions.operators.users.ManageUsersOutcome.PasswordMadeUp;
import dev.connectorevents.functions.operators.users.ManageUsersOutcome.RevokedTooOften;
import dev.connectorevents.functions.operators.users.ManageUsersOutcome.Shown;
import dev.connectorevents.functions.operators.users.ManageUsersOutcome.TokenIssued;
import dev.connectorevents.functions.operators.users.ManageUsersOutcome.UserDisabled;
import dev.connectorevents.functions.operators.users.ManageUsersOutcome.UserNotFound;
import dev.connectorevents.http.Problem;
import dev.connectorevents.http.ProblemCode;
import dev.connectorevents.token.AccessToken;
import dev.connectorevents.user.User;
import dev.connectorevents.user.UserPage;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The members of the function's answer: the user after the action, a page of users, or a problem
 * like the API's.
 */
final class ManageUsersAnswer {

  private ManageUsersAnswer() {}

  static Map<String, Object> of(String requestId, ManageUsersOutcome outcome) {
    return switch (outcome) {
      case Shown(User user) -> answer(user);
      case Deleted(User user) -> {
        Map<String, Object> members = members(user);
        members.put("state", "deleted");
        yield answer(members);
      }
      case Listed(UserPage page) -> answer(page);
      case PasswordMadeUp(User user, Password password) -> {
        Map<String, Object> answer = answer(user);
        answer.put("password", password.text());
        yield answer;
      }
      case TokenIssued(User user, AccessToken token) -> {
        Map<String, Object> answer = answer(user);
        answer.put("token", TokenResponse.body(token));
        yield answer;
      }
      case UserNotFound() ->
          Problem.body(requestId, ProblemCode.USER_NOT_FOUND, "No user has this e-mail address.");
      case RevokedTooOften() ->
          Problem.body(
              requestId,
              ProblemCode.TOO_MANY_ATTEMPTS,
              "This user's tokens were revoked several times within seconds. This call changed"
                  + " nothing: try again in some seconds.");
      case AddressTaken() ->
          Problem.body(
              requestId, ProblemCode.ADDRESS_TAKEN, "A user has this e-mail address already.");
      case UserDisabled() ->
          Problem.body(
              requestId, ProblemCode.USER_DISABLED, "The user is disabled: enable it first.");
    };
  }

  private static Map<String, Object> answer(User user) {
    return answer(members(user));
  }

  private static Map<String, Object> answer(Map<String, Object> user) {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("user", user);
    return answer;
  }

  private static Map<String, Object> answer(UserPage page) {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("users", page.users().stream().map(ManageUsersAnswer::members).toList());
    page.continueAfter().ifPresent(last -> answer.put("next", new UserCursor(last).text()));
    return answer;
  }

  private static Map<String, Object> members(User user) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("id", user.id().toString());
    members.put("email", user.email().value());
    if (user.name() != null) {
      members.put("name", user.name());
    }
    members.put("state", user.state().name().toLowerCase(Locale.ROOT));
    members.put("role", user.role().text());
    if (user.scope() != null) {
      members.put("event_types", user.scope().values());
    }
    members.put("created_at", user.createdAt().toString());
    members.put("tokens_valid_from", user.tokensValidFrom().toString());
    return members;
  }
}
