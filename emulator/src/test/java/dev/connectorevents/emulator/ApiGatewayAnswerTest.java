package dev.connectorevents.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a function's answer becomes an HTTP answer. */
class ApiGatewayAnswerTest {

  @AutoClose private static final Emulator service = Fixtures.startEcho();

  @Test
  void an_answer_keeps_status_headers_and_bytes() {
    HttpResponse<String> answer =
        answered(
            """
            {"statusCode":401,"headers":{"WWW-Authenticate":"Bearer","X-A":"b"},
             "body":"aGk=","isBase64Encoded":true}
            """);
    assertThat(answer.statusCode()).isEqualTo(401);
    assertThat(answer.body()).isEqualTo("hi");
    assertThat(answer.headers().firstValue("www-authenticate")).isEmpty();
    assertThat(answer.headers().firstValue("x-amzn-remapped-www-authenticate")).contains("Bearer");
    assertThat(answer.headers().firstValue("x-a")).contains("b");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "throw",
        "sleep",
        "not json",
        "",
        "{\"a\":1}",
        "{\"statusCode\":\"ok\"}",
        "{\"statusCode\":600}",
        "{\"statusCode\":200,\"body\":{}}",
        "{\"statusCode\":200,\"body\":5}",
        "{\"statusCode\":200,\"headers\":{\"a\":\"b\\nc\"}}",
        "{\"statusCode\":200,\"body\":\"*\",\"isBase64Encoded\":true}",
      })
  void a_function_that_misbehaves_is_an_internal_server_error(String behaviour) {
    HttpResponse<String> answer = answered(behaviour);
    assertThat(answer.statusCode()).isEqualTo(500);
    assertThat(answer.body()).isEqualTo("{\"message\":\"Internal Server Error\"}");
  }

  private static HttpResponse<String> answered(String behaviour) {
    return Fixtures.send(
        Fixtures.post(service.baseUrl(), "/answer", behaviour)
            .header("Content-Type", "text/plain"));
  }
}
