package dev.connectorevents.functions.manageusers;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.functions.lambda.LogLine;
import dev.connectorevents.functions.resilience.RequestDeadline;
import dev.connectorevents.functions.wiring.Wiring;
import dev.connectorevents.http.Fault;
import dev.connectorevents.http.Json;
import dev.connectorevents.http.Problem;
import dev.connectorevents.http.ProblemCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The Lambda function for {@link ManageUsers}. Operators invoke it with IAM; it never has a route.
 */
public final class ManageUsersFunction implements RequestStreamHandler {

  private final ManageUsers manageUsers;
  private final int maxDays;

  public ManageUsersFunction() {
    this(System.getenv());
  }

  public ManageUsersFunction(Map<String, String> environment) {
    this(new Wiring(environment));
  }

  public ManageUsersFunction(Wiring wiring) {
    this(
        new ManageUsers(
            wiring.users(), wiring.tokens(), wiring.bcryptCost(), wiring.clock(), wiring.random()),
        wiring.staticTokenMaxDays());
  }

  ManageUsersFunction(ManageUsers manageUsers, int maxDays) {
    this.manageUsers = manageUsers;
    this.maxDays = maxDays;
  }

  @Override
  public void handleRequest(InputStream input, OutputStream output, Context context)
      throws IOException {
    Map<String, Object> line = LogLine.begin(context);
    try {
      ManageUsersRequest request = ManageUsersRequest.of(input.readAllBytes(), maxDays);
      Map<String, Object> answer =
          RequestDeadline.within(
              Duration.ofMillis(context.getRemainingTimeInMillis()),
              () -> answer(context.getAwsRequestId(), request, line));
      output.write(Json.write(answer).getBytes(UTF_8));
      line.put("outcome", answer.getOrDefault("code", "done"));
    } finally {
      line.putIfAbsent("outcome", "failed"); // the runtime logs the exception, with its stack
      context.getLogger().log(LogLine.of(line));
    }
  }

  private Map<String, Object> answer(
      String requestId, ManageUsersRequest request, Map<String, Object> line) {
    return switch (request) {
      case ManageUsersRequest.Valid(ActionName name, UserAction action) -> {
        line.put("action", name.toString());
        yield manage(requestId, action, line);
      }
      case ManageUsersRequest.Invalid(List<Fault> faults) -> Problem.invalidBody(requestId, faults);
      case ManageUsersRequest.Malformed() ->
          Problem.body(
              requestId,
              ProblemCode.MALFORMED_JSON,
              "The event must be one JSON object in UTF-8, and no name may appear twice.");
    };
  }

  private Map<String, Object> manage(
      String requestId, UserAction action, Map<String, Object> line) {
    try {
      ManageUsersOutcome outcome = manageUsers.manage(action);
      if (outcome instanceof ManageUsersOutcome.Done done) {
        line.put("user_id", done.user().id().toString());
      }
      return ManageUsersAnswer.of(requestId, outcome);
    } catch (DependencyUnavailableException e) {
      line.put("error", LogLine.causes(e));
      return Problem.body(
          requestId,
          ProblemCode.TEMPORARILY_UNAVAILABLE,
          "A service that this one depends on does not answer. Try again.");
    }
  }
}
