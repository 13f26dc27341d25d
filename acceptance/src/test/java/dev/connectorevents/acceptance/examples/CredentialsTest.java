package dev.connectorevents.acceptance.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.connectorevents.emulator.http.HttpAnswer;
import dev.connectorevents.emulator.http.LoopbackServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A consumer shows its credentials to nobody else, whatever an API answers. {@link
 * ExampleSettingsTest} has malformed settings, {@code local/exam} the connectors, and {@code
 * examples/tests} has {@code complete.py}.
 */
class CredentialsTest {

  private final AtomicInteger requestsElsewhere = new AtomicInteger();
  private volatile boolean isShowing;

  @AutoClose
  private final LoopbackServer elsewhere =
      LoopbackServer.answering(exchange -> {
        requestsElsewhere.incrementAndGet();
        HttpAnswer.json(200, "{}").send(exchange);
      });

  @AutoClose private final LoopbackServer api = LoopbackServer.answering(this::answer);

  @TempDir private Path folder;

  private void answer(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    if (isShowing) {
      String token = exchange.getRequestHeaders().getFirst("Authorization");
      String detail = "got " + Objects.requireNonNullElse(token, body).replace('"', '|');
      HttpAnswer.json(400, "{\"code\":\"a_code\",\"detail\":\"" + detail + "\"}").send(exchange);
    } else {
      HttpAnswer.json(302, "{}").with("Location", elsewhere.endpoint().toString()).send(exchange);
    }
  }

  @Test
  void no_redirect_gets_a_token_and_no_message_has_one() throws Exception {
    ScriptRun run = run("consumer.py FILE", Map.of("CONSUMER_TOKEN", "secret\n"));

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.output()).isEmpty();
    assertThat(run.errors()).isNotEmpty().noneMatch(line -> line.contains("secret"));
    assertThat(run.errors().getLast()).contains("302");
    assertThat(requestsElsewhere).hasValue(0);
  }

  /** Servers for developers show a request, some in a member of JSON. */
  @ParameterizedTest
  @CsvSource({
    "consumer.py FILE, CONSUMER_TOKEN, 400: got Bearer …",
    "consumer.py FILE, CONSUMER_PASSWORD, 400: a_code",
  })
  void a_credential_that_an_answer_shows_is_not_printed(String command, String name, String message)
      throws Exception {
    isShowing = true;

    ScriptRun run = run(command, Map.of("CONSUMER_EMAIL", "reader@example.com", name, "s3cr3t"));

    assertThat(run.errors()).containsExactly(message);
  }

  private ScriptRun run(String command, Map<String, String> credentials) throws Exception {
    Map<String, String> settings = new HashMap<>(credentials);
    settings.put("PAUSE", "0.001");
    ExampleSettingsTest.URLS.forEach(url -> settings.put(url, api.endpoint() + "/"));
    List<String> words = List.of(command.replace("FILE", folder + "/state").split(" "));
    return ScriptRun.of(Examples.command(words), settings, folder);
  }
}
