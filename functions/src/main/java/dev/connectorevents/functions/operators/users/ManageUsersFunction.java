package dev.connectorevents.functions.operators.users;

import dev.connectorevents.functions.operators.OperatorFunction;
import dev.connectorevents.functions.operators.OperatorHandler;
import dev.connectorevents.functions.wiring.Wiring;
import java.util.Map;

/**
 * The Lambda function for {@link ManageUsers}. Operators invoke it with IAM; it never has a route.
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
