package dev.connectorevents.functions.operators.users;

import dev.connectorevents.functions.operators.OperatorFunction;
import dev.connectorevents.functions.operators.OperatorHandler;
import dev.connectorevents.functions.wiring.Wiring;
import java.util.Map;

/**
 * The Lambda function for {@link ManageUsers}. Operators invoke it with IAM; it never has a route.
 * Its event has an {@code action} and, except for {@code list}, an {@code email}:
 *
 * <ul>
 *   <li>{@code create}: with {@code name}, {@code role}, {@code event_types}, {@code password}.
 *       Creates a user.
 *   <li>{@code show}: Changes nothing.
 *   <li>{@code disable}: Ends the user's tokens and refuses its logins.
 *   <li>{@code enable}: Lets the user log in again. Ended tokens stay ended.
 *   <li>{@code reset-password}: with {@code password}. Sets a new password and ends the user's
 *       tokens.
 *   <li>{@code revoke-tokens}: Ends the user's tokens.
 *   <li>{@code set-role}: with {@code role}. Sets the role and ends the user's tokens. {@code
 *       set-role} keeps the scope.
 *   <li>{@code set-scope}: with {@code event_types}. Sets the scope. {@code null} lifts it. Ends no
 *       tokens. It needs the member: a call without it must not lift a scope.
 *   <li>{@code issue-static-token}: with {@code days}. Issues a static token.
 *   <li>{@code delete}: Deletes the user for ever, with its password. Its events stay. A new user
 *       of that address has a new id and shares no keys with the deleted user: what is sent again
 *       is stored again.
 *   <li>{@code list}: with {@code next}. Returns a page of all users.
 * </ul>
 *
 * <p>{@code name} has 1 to 255 characters. {@code role} is {@code connector}, the default of {@code
 * create}, or {@code consumer}. {@code event_types} has 1 to 20 patterns of the API's scopes, each
 * once. {@code password} has at least 12 characters and at most 72 bytes in UTF-8, and no NUL;
 * without it the function generates one of 32 letters and digits, and returns it only once. {@code
 * days} is an integer from 1 to {@code KeyRotationDays} − 2, the default. A token with a longer
 * life could outlive its signing key. Any other member is refused, and the first such fault names
 * the action's: a misspelled {@code event_types} must not create a user without a scope.
 *
 * <p>The answer has the {@code user}, with {@code id}, {@code email}, {@code name}, {@code state},
 * {@code role}, {@code event_types}, {@code created_at} and {@code tokens_valid_from}, and a
 * generated {@code password} or the {@code token}. {@code list} returns at most 100 users, in no
 * particular order, and never a hash: {@code users} and, if there are more, {@code next}. The pages
 * together contain each user once. Users that are created meanwhile may be missing.
 *
 * <p>An error has the form of the API's; {@code status} is only a member of it:
 *
 * <ul>
 *   <li>400 {@code malformed_json}: the event is not one JSON object, or has a name twice.
 *   <li>404 {@code user_not_found}: No user has this address.
 *   <li>409 {@code address_taken}: {@code create}: a user has this address.
 *   <li>409 {@code user_disabled}: {@code issue-static-token}: the user is disabled.
 *   <li>422 {@code validation_failed}: a member breaks its rule, or the action does not have it.
 *   <li>429 {@code too_many_attempts}: The user's tokens were revoked several times within seconds.
 *       This call changed nothing; try again in some seconds.
 *   <li>503 {@code temporarily_unavailable}: DynamoDB or Secrets Manager does not answer; try
 *       again.
 * </ul>
 *
 * <p>The function fails if it receives an event of API Gateway. Somebody has then given it a route,
 * and API Gateway would turn any result into a 200.
 */
public final class ManageUsersFunction extends OperatorFunction {

  public ManageUsersFunction() {
    this(System.getenv());
  }

  public ManageUsersFunction(Map<String, String> environment) {
    super(handler(new Wiring(environment)));
  }

  /** Handles operators' events with parts of this wiring. */
  public static OperatorHandler handler(Wiring wiring) {
    return handler(
        new ManageUsers(
            wiring.users(), wiring.tokens(), wiring.bcryptCost(), wiring.clock(), wiring.random()),
        wiring.staticTokenMaxDays());
  }

  static OperatorHandler handler(ManageUsers manageUsers, int maxDays) {
    return OperatorHandler.of(
        event -> ManageUsersRequest.read(event, maxDays),
        (requestId, request, line) -> {
          line.put("action", request.name().toString());
          ManageUsersOutcome outcome = manageUsers.manage(request.action());
          if (outcome instanceof ManageUsersOutcome.Done done) {
            line.put("user_id", done.user().id().toString());
          }
          if (outcome instanceof ManageUsersOutcome.TokenIssued issued) {
            line.put("days", issued.token().lifetime().toDays());
          }
          return ManageUsersAnswer.of(requestId, outcome);
        });
  }
}
