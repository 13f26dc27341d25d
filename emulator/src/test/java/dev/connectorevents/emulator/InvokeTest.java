package dev.connectorevents.emulator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.connectorevents.emulator.function.Invocation;
import dev.connectorevents.emulator.stream.LambdaEndpoint;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
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
        "AnswerFunction:$LATEST",
        "arn:aws:lambda:us-east-1:000000000000:function:AnswerFunction",
        "arn%3Aaws%3Alambda%3Aus-east-1%3A000000000000%3Afunction%3AAnswerFunction%3Alive",
      })
  void a_function_is_invoked_by_any_of_its_names(String name) {
    HttpResponse<String> answer = invoke(name, "{\"body\":\"[1]\"}", "RequestResponse");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("[1]");
    assertThat(answer.headers().firstValue("x-amz-executed-version")).contains("$LATEST");
    assertThat(answer.headers().firstValue("x-amz-function-error")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"throw, java.lang.IllegalStateException", "sleep, Sandbox.Timedout"})
  void a_function_that_fails_reports_its_error_as_on_lambda(String behaviour, String type) {
    HttpResponse<String> answer =
        invoke("AnswerFunction", "{\"body\":\"%s\"}".formatted(behaviour), "RequestResponse");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("x-amz-function-error")).contains("Unhandled");
    assertThat(answer.body()).contains("\"errorType\":\"" + type + "\"", "errorMessage");
    if (behaviour.equals("sleep")) {
      String requestId = answer.headers().firstValue("x-amzn-requestid").orElseThrow();
      assertThat(answer.body()).contains("RequestId: " + requestId);
    }
  }

  @ParameterizedTest
  @CsvSource({"Event, 202", "DryRun, 204"})
  void other_invocation_types_return_at_once(String type, int status) {
    assertThat(invoke("AnswerFunction", "{\"body\":\"sleep\"}", type).statusCode())
        .isEqualTo(status);
  }

  @ParameterizedTest
  @CsvSource({
    "nobody, {}, 404, ResourceNotFoundException",
    "AnswerFunction, {, 400, InvalidRequestContentException",
  })
  void an_invalid_call_is_refused_with_lambdas_error_name(
      String name, String payload, int status, String type) {
    HttpResponse<String> answer = invoke(name, payload, "RequestResponse");
    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(answer.headers().firstValue("x-amzn-errortype")).contains(type);
  }

  @ParameterizedTest
  @CsvSource({"6291455, 200", "6291456, 413"})
  void an_event_must_be_smaller_than_six_megabytes(int size, int status) {
    String event = "{\"body\":\"[1]\",\"rest\":\"\"}";
    String padded = event.replace("\"\"", "\"" + "x".repeat(size - event.length()) + "\"");

    HttpResponse<String> answer = invoke("AnswerFunction", padded, "RequestResponse");

    assertThat(padded).hasSize(size);
    assertThat(answer.statusCode()).isEqualTo(status);
    if (status == 413) {
      assertThat(answer.headers().firstValue("x-amzn-errortype"))
          .contains("RequestTooLargeException");
      assertThat(answer.body()).contains("Request must be smaller than 6291456 bytes");
    }
  }

  @ParameterizedTest
  @CsvSource({"6291556, false", "6291557, true"})
  void an_answer_may_be_a_hundred_bytes_larger(int bytes, boolean fails) {
    HttpResponse<String> answer =
        invoke(
            "AnswerFunction", "{\"body\":\"answer %d bytes\"}".formatted(bytes), "RequestResponse");

    assertThat(answer.headers().firstValue("x-amz-function-error").isPresent()).isEqualTo(fails);
    assertThat(answer.body().contains("Function.ResponseSizeTooLarge")).isEqualTo(fails);
  }

  /** If the function runs elsewhere and nothing arrives there, somebody must hear of it. */
  @Test
  void a_call_elsewhere_tells_once_why_it_fails_and_again_after_a_success() {
    List<String> told = new ArrayList<>();
    LambdaEndpoint here = new LambdaEndpoint(service.baseUrl(), told::add);
    LambdaEndpoint nowhere = new LambdaEndpoint(URI.create("http://127.0.0.1:1"), told::add);
    byte[] good = "{\"body\":\"[1]\"}".getBytes(UTF_8);
    byte[] bad = "{\"body\":\"throw\"}".getBytes(UTF_8);

    for (int i = 0; i < 3; i++) {
      assertThat(nowhere.invoke("AnswerFunction", good)).isInstanceOf(Invocation.Failed.class);
    }
    assertThat(told)
        .singleElement(STRING)
        .isEqualTo(
            "AnswerFunction at http://127.0.0.1:1 fails, and is called again: nothing answers"
                + " there");

    told.clear();
    for (byte[] event : List.of(bad, bad, good, bad)) {
      here.invoke("AnswerFunction", event);
    }
    assertThat(told)
        .hasSize(2)
        .allSatisfy(
            it -> assertThat(it).contains("again: 200 {", "java.lang.IllegalStateException"));
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
