package dev.connectorevents.bench.coldstart;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.connectorevents.emulator.http.HttpAnswer;
import dev.connectorevents.emulator.http.LoopbackServer;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;

class SlowNetworkTest {

  @Test
  void what_is_sent_arrives_unchanged_in_both_directions() throws Exception {
    String text = "{\"text\":\"" + "é 你 ".repeat(100_000) + "\"}";
    try (LoopbackServer server = LoopbackServer.answering(SlowNetworkTest::echo);
        SlowNetwork network = new SlowNetwork(server.endpoint());
        HttpClient client = HttpClient.newHttpClient()) {
      for (int request = 0; request < 2; request++) {
        HttpResponse<String> answer =
            client.send(
                HttpRequest.newBuilder(network.endpoint())
                    .POST(BodyPublishers.ofString(text))
                    .build(),
                BodyHandlers.ofString());

        assertThat(answer.body()).isEqualTo(text);
      }
    }
  }

  private static void echo(HttpExchange exchange) throws IOException {
    HttpAnswer.json(200, new String(exchange.getRequestBody().readAllBytes(), UTF_8))
        .send(exchange);
  }
}
