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
    } else if (isRedirecting) {
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

    ScriptRun run =
        run(
            command,
            Map.of(
                "CONNECTOR_API_EMAIL", "connector@example.com",
                "CONNECTOR_API_PASSWORD", "secret",
                "CONSUMER_TOKEN", "secret\n",
                "GITHUB_TOKEN", "secret\n",
                "STRIPE_API_KEY", "secret\n",
                "YOUNG", "-5000000000"));

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.output()).isEmpty();
    assertThat(run.errors()).isNotEmpty().noneMatch(line -> line.contains("secret"));
    assertThat(run.errors().getLast()).contains(redirects ? "302" : "ValueError");
    assertThat(requestsElsewhere).hasValue(0);
  }

  /** Servers for developers show a request, some in a member of JSON. */
  @ParameterizedTest
  @CsvSource({
    "consumer.py FILE, CONSUMER_TOKEN, 400: got Bearer …",
    "consumer.py FILE, CONSUMER_PASSWORD, 400: a_code",
    "backfill_github.py app, GITHUB_APP_JWT, GitHub: 400: got Bearer …",
    "backfill_stripe.py --event a, STRIPE_API_KEY, Stripe: 400: got Bearer …",
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
