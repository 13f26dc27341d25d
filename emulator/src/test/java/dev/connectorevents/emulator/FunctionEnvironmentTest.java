package dev.connectorevents.emulator;

import static org.assertj.core.api.Assertions.assertThat;

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
}
