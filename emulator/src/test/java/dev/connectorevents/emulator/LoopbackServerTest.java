package dev.connectorevents.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpHandler;
import dev.connectorevents.emulator.http.Answer;
import dev.connectorevents.emulator.http.LoopbackServer;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class LoopbackServerTest {

  @AutoClose private final LoopbackServer server = LoopbackServer.bind(0);

  LoopbackServerTest() throws IOException {}

  @Test
  void a_defect_of_a_handler_is_a_500() {
    serve(exchange -> {
      throw new IllegalStateException("on purpose");
    });

    assertThat(Fixtures.send(HttpRequest.newBuilder(server.endpoint())).statusCode())
        .isEqualTo(500);
  }

  @Test
  void a_defect_after_the_answer_changes_nothing() {
    serve(exchange -> {
      Answer.json(200, "{}").send(exchange);
      throw new IllegalStateException("on purpose");
    });

    assertThat(Fixtures.send(HttpRequest.newBuilder(server.endpoint())).body()).isEqualTo("{}");
  }

  private void serve(HttpHandler handler) {
    server.serve(Map.of("/", handler));
  }
}
