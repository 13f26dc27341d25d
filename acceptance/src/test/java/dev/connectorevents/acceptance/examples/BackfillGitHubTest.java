package dev.connectorevents.acceptance.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.emulator.CommandOnPath;
import dev.connectorevents.emulator.http.HttpAnswer;
import io.jsonwebtoken.Claims;
import io.jsonwebtoken.Jwts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs {@code examples/backfill_github.py}. */
class BackfillGitHubTest {

  private static final int NOTHING_MISSING = 0;
  private static final int UNKNOWN = 1;
  private static final int ASKED_FOR_ALL = 3;

  @AutoClose private static final BackfilledService service = new BackfilledService(new Setup());

  @AutoClose private final StandInGitHub gitHub = new StandInGitHub(service::receive);

  @TempDir private Path folder;

  private final String prefix = BackfilledService.prefix();

  /** A delivery has a name, an event, an age and a status. An asterisk: its event is stored. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          '' | 0 | a* push 2H 200, b* push 1H 503 | ''
          '' | 3 | oldest push 70H 503, stored* push 3H 200, failed issues 2H 503, retried* push 2H 503, retried* push 1H 200, failed issues 1H 0, lost push 2M 200 | oldest push asked for again, failed issues asked for again, lost push asked for again
          '' | 2 | dropped push 5H 503, dropped push 4H 200, again push 1H 503 | dropped push stays missing: the connector answered 200 to its redelivery, again push asked for again
          '' | 2 | tried push 4H 503, tried push 3H 503, tried push 2H 0, tried push 1H 503 | tried push stays missing: 3 redeliveries did not help
          --tries 4 | 3 | tried push 4H 503, tried push 3H 503, tried push 2H 0, tried push 1H 503 | tried push asked for again
          '' | 3 | twice push 40M 503, twice push 30M 503, twice push 20M 503 | twice push asked for again
          '' | 0 | it ping 1H 200, young push 10S 503, redelivered push 1H 503, redelivered push 10S 503 | ''
          --event push --event star | 3 | a push 4H 503, b issues 3H 503, c star 2H 503, d fork 1H 503 | a push asked for again, c star asked for again
          --since 1.5 | 2 | older push 4H 503, old push 3H 503, old push 1H 503, new push 30M 503 | old push stays missing: it is older than --since, new push asked for again
          --dry-run | 3 | it push 1H 503 | it push to ask for
          """)
  void it_asks_for_what_is_missing_and_may_arrive_and_for_nothing_else(
      String options, int exitCode, String deliveries, String output) throws Exception {
    List<String> stored = new ArrayList<>();
    for (String delivery : deliveries.split(", ", -1)) {
      String[] words = delivery.split("\\*? ", -1);
      gitHub.delivered(
          guid(words[0]), words[1], Duration.parse("PT" + words[2]), Integer.parseInt(words[3]));
      if (delivery.contains("*")) {
        stored.add(guid(words[0]));
      }
    }
    service.store(stored);
    List<String> lines =
        Stream.of(output.split(", ", -1)).filter(line -> !line.isEmpty()).map(this::guid).toList();
    List<String> asked = lines.stream().filter(line -> line.endsWith("asked for again")).toList();
    String[] words = options.isEmpty() ? new String[0] : options.split(" ", -1);

    ScriptRun run = backfill(Map.of(), words);

    assertThat(run.exitCode()).isEqualTo(exitCode);
    assertThat(run.output()).containsExactlyElementsOf(lines);
    assertThat(run.errors().getLast()).contains(" GUIDs: " + lines.size() + " missing, ");
    assertThat(gitHub.redelivered())
        .containsExactlyElementsOf(
            asked.stream().map(line -> line.substring(0, line.indexOf(' '))).toList());
    if (asked.size() == lines.size()) {
      assertThat(backfill(Map.of(), words).exitCode()).isEqualTo(NOTHING_MISSING);
    }
  }

  @Test
  void it_follows_github_to_the_new_place_of_what_was_renamed() throws Exception {
    gitHub.delivered(guid("renamed"), "push", Duration.ofHours(1), 503);
    String place = gitHub.endpoint() + "/repos/octo/hub/hooks/7/deliveries?per_page=100";
    gitHub.failOnce(HttpAnswer.json(301, "{}").with("Location", place));

    assertThat(backfill().exitCode()).isEqualTo(ASKED_FOR_ALL);
    assertThat(gitHub.redelivered()).containsExactly(guid("renamed"));
  }

  @Test
  void it_reads_all_pages_and_waits_while_the_service_throttles_it() throws Exception {
    List<String> guids = IntStream.range(0, 150).mapToObj(i -> guid("" + i)).toList();
    List<String> lost = List.of(guid("0"), guid("70"), guid("149"));
    for (int i = 0; i < guids.size(); i++) {
      gitHub.delivered(guids.get(i), "push", Duration.ofMinutes(1000 - i), 503);
    }
    try (BackfilledService throttled =
        new BackfilledService(
            new Setup().throttled().parameters(Map.of("MissingPerSecond", "1")))) {
      throttled.store(guids.stream().filter(guid -> !lost.contains(guid)).toList());
      long begin = System.nanoTime();

      ScriptRun run = backfill(throttled.settings(Map.of()));

      assertThat(run.exitCode()).isEqualTo(ASKED_FOR_ALL);
      assertThat(gitHub.redelivered()).containsExactlyElementsOf(lost);
      assertThat(Duration.ofNanos(System.nanoTime() - begin))
          .as("two requests, one a second")
          .isGreaterThan(Duration.ofMillis(900));
    }
  }

  @Test
  void it_waits_as_long_as_git_hub_asks_for() throws Exception {
    gitHub.delivered(guid("a"), "push", Duration.ofHours(1), 503);
    gitHub.failOnce(
        HttpAnswer.json(403, "{\"message\":\"API rate limit exceeded for user ID 1.\"}")
            .with("X-RateLimit-Remaining", "0")
            .with("X-RateLimit-Reset", "" + Instant.now().plusSeconds(1).getEpochSecond()));
    gitHub.failOnce(
        HttpAnswer.json(429, "{\"message\":\"You have exceeded a secondary rate limit.\"}")
            .with("Retry-After", "1"));
    gitHub.failOnce(HttpAnswer.json(502, "{\"message\":\"Server Error\"}"));

    assertThat(backfill().exitCode()).isEqualTo(ASKED_FOR_ALL);
    assertThat(gitHub.redelivered()).containsExactly(guid("a"));
  }

  @Test
  void if_a_token_is_refused_it_says_so_in_one_sentence() throws Exception {
    gitHub.delivered(guid("a"), "push", Duration.ofHours(1), 503);
    assertThat(backfill(Map.of("CONNECTOR_API_TOKEN", "wrong")))
        .isEqualTo(unknown("Connector Events: 401: " + service.refusal("wrong")));
    assertThat(backfill(Map.of("GITHUB_TOKEN", "wrong")))
        .isEqualTo(unknown("GitHub: 401: Bad credentials"));
    assertThat(gitHub.redelivered()).isEmpty();
  }

  private static ScriptRun unknown(String sentence) {
    return new ScriptRun(UNKNOWN, List.of(), List.of(sentence));
  }

  @Test
  void an_app_authenticates_with_a_token_that_openssl_signs() throws Exception {
    CommandOnPath.assumeWorks("openssl", "version");
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    KeyPair keys = generator.generateKeyPair();
    String base64 =
        Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(keys.getPrivate().getEncoded());
    Path pem =
        Files.writeString(
            folder.resolve("key.pem"),
            "-----BEGIN PRIVATE KEY-----\n" + base64 + "\n-----END PRIVATE KEY-----\n");
    gitHub.delivered(guid("a"), "push", Duration.ofHours(1), 503);

    ScriptRun run =
        run(
            Map.of("GITHUB_APP_ID", "42", "GITHUB_APP_KEY", pem.toString()),
            Examples.command(List.of("backfill_github.py", "app")));

    assertThat(run.exitCode()).isEqualTo(ASKED_FOR_ALL);
    assertThat(gitHub.redelivered()).containsExactly(guid("a"));
    Claims claims =
        Jwts.parser()
            .verifyWith(keys.getPublic())
            .build()
            .parseSignedClaims(gitHub.appTokens().getFirst())
            .getPayload();
    assertThat(claims.getIssuer()).isEqualTo("42");
    assertThat(claims.getIssuedAt()).isInThePast();
    assertThat(claims.getExpiration().toInstant())
        .isBefore(Instant.now().plus(Duration.ofMinutes(10)));
  }

  @Test
  void the_commands_of_the_page_work() throws Exception {
    CommandOnPath.assumeWorks("bash", "--version");
    CommandOnPath.assumeWorks("python3", "--version");
    gitHub.delivered(guid("a"), "push", Duration.ofHours(1), 503);
    String commands = Page.of("connectors.md").commands("python3 examples/backfill_github.py");

    Map<String, String> login =
        Map.of(
            "CONNECTOR_API_TOKEN",
            "",
            "CONNECTOR_API_EMAIL",
            World.EMAIL,
            "CONNECTOR_API_PASSWORD",
            World.PASSWORD);

    ScriptRun run =
        run(login, List.of("bash", "-c", commands.replace("examples/", "../examples/")));

    assertThat(run.output())
        .containsExactly(guid("a") + " push to ask for", guid("a") + " push asked for again");
  }

  /** A GUID that no other test has. */
  private String guid(String name) {
    return prefix + "-" + name;
  }

  private ScriptRun backfill() throws IOException, InterruptedException {
    return backfill(Map.of());
  }

  private ScriptRun backfill(Map<String, String> settings, String... options)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of("backfill_github.py"));
    words.addAll(List.of(options));
    words.addAll(List.of("repo", "octo/hub", "7"));
    return run(settings, Examples.command(words));
  }

  private ScriptRun run(Map<String, String> settings, List<String> command)
      throws IOException, InterruptedException {
    Map<String, String> all = service.settings(gitHub.settings());
    all.putAll(settings);
    return ScriptRun.of(command, all, folder);
  }
}
