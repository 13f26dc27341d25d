package dev.connectorevents.functions.operators.users;

import static dev.connectorevents.user.TestUsers.CONNECTOR;
import static dev.connectorevents.user.TestUsers.PASSWORD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.Promise;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The log line of an invocation, also in an outage and after a defect. */
class ManageUsersFunctionTest {

  private final ManagingOperator operator = new ManagingOperator();

  @Test
  void each_invocation_logs_one_line_without_secrets() {
    String password = operator.act("create", "new@example.com").get("password").textValue();
    operator.act("reset-password", ManagingOperator.ADDRESS, "\"password\":\"" + PASSWORD + "\"");
    String token =
        operator
            .act("issue-static-token", ManagingOperator.ADDRESS)
            .at("/token/access_token")
            .textValue();
    operator.act("hunter2 hunter2", ManagingOperator.ADDRESS, "\"password\":\"hunter2 hunter2\"");

    List<String> lines = operator.context.lines();
    assertThat(lines).hasSize(4);
    // A bcrypt hash begins with $2a.
    assertThat(String.join("", lines)).doesNotContain(password, PASSWORD, token, "hunter2", "$2a");
    assertThat(lines.get(1))
        .isEqualTo(
            ("{\"request_id\":\"%s\",\"function_name\":\"test\",\"action\":\"reset-password\",\"user_id\":\"%s\","
                    + "\"outcome\":\"done\"}\n")
                .formatted(operator.context.getAwsRequestId(), CONNECTOR.id()));
    assertThat(lines.get(2)).contains("\"days\":30,");
    assertThat(lines.getLast()).contains("\"outcome\":\"validation_failed\"");
  }

  @Test
  @Promise("DynamoDB or Secrets Manager does not answer; try again")
  void an_outage_gets_temporarily_unavailable_and_its_cause_is_logged() {
    operator.service.keys.fail(true);

    JsonNode answer = operator.act("issue-static-token", ManagingOperator.ADDRESS);

    assertThat(answer.path("code").asText()).isEqualTo("temporarily_unavailable");
    assertThat(operator.context.lines())
        .singleElement(STRING)
        .contains(
            "\"action\":\"issue-static-token\"",
            "\"error\":\"DependencyUnavailableException: the keys cannot be read\"",
            "\"outcome\":\"temporarily_unavailable\"");
  }

  @Test
  void a_defect_fails_the_invocation_and_is_logged() {
    operator.service.keys.beforeRead(() -> {
      throw new IllegalStateException("a defect");
    });

    assertThatIllegalStateException()
        .isThrownBy(() -> operator.act("issue-static-token", ManagingOperator.ADDRESS));

    assertThat(operator.context.lines())
        .singleElement(STRING)
        .contains("\"action\":\"issue-static-token\"", "\"outcome\":\"failed\"");
  }
}
