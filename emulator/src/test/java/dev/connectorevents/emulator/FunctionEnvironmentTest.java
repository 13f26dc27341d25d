package dev.connectorevents.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class FunctionEnvironmentTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  static {
    System.setProperty("aws.useFipsEndpoint", "true"); // as a user may have set it
  }

  @AutoClose private static final Emulator service = Fixtures.startEcho();

  @Test
  void a_functions_unconfigured_clients_reach_the_stand_ins() throws IOException {
    String body =
        Fixtures.send(
                Fixtures.post(service.baseUrl(), "/echo", "aws")
                    .header("Content-Type", "text/plain"))
            .body();
    assertThat(JSON.readTree(body).path("aws").asText()).isEqualTo("[Things] 64");
  }

  @Test
  void a_function_has_the_environment_that_the_template_and_lambda_give_it() throws IOException {
    String body = Fixtures.send(Fixtures.post(service.baseUrl(), "/echo", "")).body();
    JsonNode environment = JSON.readTree(body).path("environment");
    assertThat(environment.path("GREETING").asText()).isEqualTo("hello");
    assertThat(environment.path("THINGS_TABLE").asText()).isEqualTo("Things");
    assertThat(environment.path("AWS_LAMBDA_FUNCTION_NAME").asText()).isEqualTo("EchoFunction");
    assertThat(environment.path("AWS_REGION").asText()).isEqualTo("us-east-1");
    assertThat(JSON.readTree(body).path("remaining").asInt()).isBetween(1, 20_000);
  }
}
