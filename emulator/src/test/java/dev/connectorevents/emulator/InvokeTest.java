package dev.connectorevents.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InvokeTest {
  @AutoClose private static final Emulator service = Fixtures.startEcho();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "AnswerFunction",
        "answers",
        "answers:$LATEST",
        "arn:aws:lambda:us-east-1:000000000000:function:answers",
        "arn%3Aaws%3Alambda%3Aus-east-1%3A000000000000%3Afunction%3Aanswers%3Alive",
      })
  void a_function_is_invoked_by_any_of_its_names(String name) {
    var answer = invoke(name, "{\"body\":\"[1]\"}", "RequestResponse");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("[1]");
    assertThat(answer.headers().firstValue("x-amz-executed-version")).contains("$LATEST");
    assertThat(answer.headers().firstValue("x-amz-function-error")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"throw, java.lang.IllegalStateException", "sleep, Sandbox.Timedout"})
  void a_function_that_fails_reports_its_error_as_on_lambda(String behaviour, String type) {
    var answer = invoke("answers", "{\"body\":\"%s\"}".formatted(behaviour), "RequestResponse");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("x-amz-function-error")).contains("Unhandled");
    assertThat(answer.body()).contains("\"errorType\":\"" + type + "\"", "errorMessage");
  }

  @ParameterizedTest
  @CsvSource({"Event, 202", "DryRun, 204"})
  void other_invocation_types_return_at_once(String type, int status) {
    assertThat(invoke("answers", "{\"body\":\"sleep\"}", type).statusCode()).isEqualTo(status);
  }

  @ParameterizedTest
  @CsvSource({
    "nobody, {}, 404, ResourceNotFoundException",
    "answers, {, 400, InvalidRequestContentException",
  })
  void an_invalid_call_is_refused_with_lambdas_error_name(
      String name, String payload, int status, String type) {
    var answer = invoke(name, payload, "RequestResponse");
    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(answer.headers().firstValue("x-amzn-errortype")).contains(type);
  }

  @Test
  void an_event_over_six_megabytes_is_too_large() {
    var answer = invoke("answers", "\"" + "x".repeat(6_291_556) + "\"", "RequestResponse");
    assertThat(answer.statusCode()).isEqualTo(413);
    assertThat(answer.headers().firstValue("x-amzn-errortype"))
        .contains("RequestTooLargeException");
  }

  private static HttpResponse<String> invoke(String name, String payload, String type) {
    return Fixtures.send(
        Fixtures.post(
                service.baseUrl(),
                "/2015-03-31/functions/" + name.replace("$", "%24") + "/invocations",
                payload)
            .header("X-Amz-Invocation-Type", type));
  }
}
