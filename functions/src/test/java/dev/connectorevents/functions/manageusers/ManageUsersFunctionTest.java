package dev.connectorevents.functions.manageusers;

import static dev.connectorevents.user.TestUsers.CONNECTOR;
import static dev.connectorevents.user.TestUsers.PASSWORD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

/** The log line and the error of an invocation. */
class ManageUsersFunctionTest {

  private final Operator operator = new Operator();

  @Test
  void an_invocation_writes_one_line_to_the_log_without_a_secret() {
    String password = operator.act("create", "new@example.com").get("password").textValue();
    operator.act("reset-password", Operator.ADDRESS, "\"password\":\"" + PASSWORD + "\"");
    String token =
        operator.act("issue-static-token", Operator.ADDRESS).at("/token/access_token").textValue();
    operator.act("hunter2 hunter2", Operator.ADDRESS, "\"password\":\"hunter2 hunter2\"");

    assertThat(operator.context.lines())
        .hasSize(4)
        .noneMatch(line -> line.contains(password) || line.contains(PASSWORD))
        .noneMatch(
            line -> line.contains(token) || line.contains("hunter2") || line.contains("$2a"));
    assertThat(operator.context.lines().get(1))
        .isEqualTo(
            ("{\"request_id\":\"%s\",\"function_name\":\"test\",\"action\":\"reset-password\",\"user_id\":\"%s\","
                    + "\"outcome\":\"done\"}\n")
                .formatted(operator.context.getAwsRequestId(), CONNECTOR.id()));
    assertThat(operator.context.lines().getLast()).contains("\"outcome\":\"validation_failed\"");
  }

  @Test
  void a_defect_is_a_function_error_and_writes_a_line_too() {
    operator.service.keys.fail(true);

    assertThatIllegalStateException()
        .isThrownBy(() -> operator.act("issue-static-token", Operator.ADDRESS));

    assertThat(operator.context.lines()).hasSize(1);
    assertThat(operator.context.lines().getFirst())
        .contains("\"action\":\"issue-static-token\"", "\"outcome\":\"failed\"");
  }
}
