package dev.connectorevents.acceptance.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.connectorevents.emulator.http.HttpAnswer;
import dev.connectorevents.emulator.http.LoopbackServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The scripts of {@code examples/} show their credentials to nobody else, whatever an API answers.
 * {@link ExampleSettingsTest} has malformed settings, and {@code local/exam} the connectors.
 */
class CredentialsTest {

  private static final Map<String, String> ANSWERS =
      Map.of(
          "/api/auth/login",
          "{\"access_token\":\"secret\\n\",\"expires_in\":3600}",
          "/v1/events",
          "{\"data\":[{\"id\":\"evt_1\",\"type\":\"a\",\"created\":1}],\"has_more\":false}",
          "/repos/octo/hub/hooks/7/deliveries",
          """
          [{"id":1,"guid":"g","event":"push","redelivery":false,"status_code":503,
          "delivered_at":"2100-01-01T00:00:00Z"}]\
          """);

  private final AtomicInteger requestsElsewhere = new AtomicInteger();
  private volatile boolean isRedirecting;

  @AutoClose
  private final LoopbackServer elsewhere =
      LoopbackServer.answering(exchange -> {
        requestsElsewhere.incrementAndGet();
        HttpAnswer.json(200, "{}").send(exchange);
      });

  @AutoClose private final LoopbackServer api = LoopbackServer.answering(this::answer);

  @TempDir private Path folder;

  private void answer(HttpExchange exchange) throws IOException {
    exchange.getRequestBody().readAllBytes();
    if (isRedirecting) {
      HttpAnswer.json(302, "{}").with("Location", elsewhere.endpoint().toString()).send(exchange);
    } else {
      HttpAnswer.json(200, ANSWERS.getOrDefault(exchange.getRequestURI().getPath(), "{}"))
          .send(exchange);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "true,  consumer.py FILE",
    "true,  backfill_github.py repo octo/hub 7",
    "true,  backfill_stripe.py --event a",
    "true,  backfill_stripe.py --event v1.a",
    "false, backfill_github.py repo octo/hub 7",
    "false, backfill_stripe.py --event a",
  })
  void no_redirect_gets_a_token_and_no_message_has_one(boolean redirects, String command)
      throws Exception {
    isRedirecting = redirects;
    List<String> words = List.of(command.replace("FILE", folder + "/state").split(" "));
    String url = api.endpoint() + "/";

    ScriptRun run =
        ScriptRun.of(
            Examples.command(words),
            Map.ofEntries(
                Map.entry("CONNECTOR_API_URL", url),
                Map.entry("CONNECTOR_API_EMAIL", "connector@example.com"),
                Map.entry("CONNECTOR_API_PASSWORD", "secret"),
                Map.entry("API_URL", url),
                Map.entry("CONSUMER_TOKEN", "secret\n"),
                Map.entry("GITHUB_API_URL", url),
                Map.entry("GITHUB_TOKEN", "secret\n"),
                Map.entry("STRIPE_API_URL", url),
                Map.entry("STRIPE_API_KEY", "secret\n"),
                Map.entry("YOUNG", "-5000000000"),
                Map.entry("PAUSE", "0.001")),
            folder);

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.output()).isEmpty();
    assertThat(run.errors()).isNotEmpty().noneMatch(line -> line.contains("secret"));
    assertThat(run.errors().getLast()).contains(redirects ? "302" : "ValueError");
    assertThat(requestsElsewhere).hasValue(0);
  }
}
