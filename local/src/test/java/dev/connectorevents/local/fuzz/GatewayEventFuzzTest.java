package dev.connectorevents.local.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.connectorevents.functions.lambda.ApiGatewayFunction;
import dev.connectorevents.http.Response;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** API Gateway's own event. */
@Tag("fuzz")
class GatewayEventFuzzTest {

  private final ApiGatewayFunction function =
      new ApiGatewayFunction(
          request -> Response.json(200, Map.of("text", request.text().isPresent()))) {};

  @FuzzTest
  void an_event_is_a_request_or_broken(byte[] bytes) {
    Budget.spend(
        bytes,
        () -> {
          ByteArrayOutputStream answer = new ByteArrayOutputStream();
          try {
            function.handleRequest(new ByteArrayInputStream(bytes), answer, SilentContext.create());
            assertThat(answer.toString(UTF_8)).contains("\"statusCode\":200");
          } catch (IOException e) {
            // It is no event.
          }
        });
  }
}
