package dev.connectorevents.acceptance.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.acceptance.examples.ExampleConnector.Language;
import dev.connectorevents.emulator.CommandOnPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each example's error message names the missing setting. {@code docs/connectors.md} lists the
 * settings of the connectors.
 */
class ExampleSettingsTest {

  private static final Map<String, String> NO_USER =
      Map.of("WEBHOOK_SECRET", "hush", "CONNECTOR_API_URL", "http://127.0.0.1:1");

  /** A row of the table of settings in {@code docs/connectors.md}. */
  private static final Pattern ROW = Pattern.compile("\\| `([A-Z_]+(`, `[A-Z_]+)*)` \\|.*");

  /**
   * The code that reads a setting, in any language of the examples. The last alternative is for the
   * dictionary of settings in {@code outbox.py}.
   */
  private static final Pattern SETTING =
      Pattern.compile(
          "(?:setting\\(\"|environ.get\\(\"|process.env.|getOrDefault\\(\"|: \"(?=CONNECTOR_))([A-Z_]+)");

  /**
   * Settings for tests only: they shorten the pauses of an outbox. {@code docs/connectors.md} does
   * not list them.
   */
  private static final Set<String> PAUSES = Set.of("PAUSE", "PARKED");

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource(Language.class)
  void a_connector_names_the_setting_that_is_missing_and_exits(Language language) throws Exception {
    language.assumeInstalled();

    assertThat(run(language.command(), Map.of()))
        .isIn("1: WEBHOOK_SECRET is not set", "1: CONNECTOR_API_URL is not set");
    assertThat(run(language.compiled(), NO_USER)).isEqualTo("1: CONNECTOR_API_EMAIL is not set");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          consumer.py             | usage: consumer.py FILE [SINCE]
          consumer.py FILE        | API_URL is not set
          outbox.py               | 'usage: outbox.py FILE add KEY | send | refused | retry [REFUSED.jsonl] | drop NUMBER'
          outbox.py FILE add      | 'usage: outbox.py FILE add KEY | send | refused | retry [REFUSED.jsonl] | drop NUMBER'
          outbox.py FILE send     | CONNECTOR_API_URL is not set
          connector.py            | WEBHOOK_SECRET is not set
          outbox.py FILE add key  | an event is a JSON object
          backfill_github.py      | 'the following arguments are required: kind, hook; usage: backfill_github.py [--since HOURS] [--event NAME]... [--tries N] [--dry-run] repo OWNER/NAME HOOK | org ORG HOOK | app'
          backfill_github.py org o | 'org takes 2 words after it; usage: backfill_github.py [--since HOURS] [--event NAME]... [--tries N] [--dry-run] repo OWNER/NAME HOOK | org ORG HOOK | app'
          backfill_github.py app  | CONNECTOR_API_URL is not set
          backfill_stripe.py now  | unrecognized arguments: now; usage: backfill_stripe.py [--since HOURS] [--event TYPE]...
          backfill_stripe.py      | CONNECTOR_API_URL is not set
          """)
  void a_script_says_in_one_sentence_what_is_missing_and_exits(String command, String sentence)
      throws Exception {
    CommandOnPath.assumeWorks("python3", "--version");
    List<String> words = new ArrayList<>(List.of("python3"));
    words.addAll(
        Arrays.asList(command.replace("FILE", folder.resolve("file") + "").split(" ", -1)));
    words.set(1, "../examples/" + words.get(1));

    assertThat(run(words, Map.of())).isEqualTo("1: " + sentence);
  }

  /** Values that no HTTP client sends, and of which some print the whole. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          node ../examples/connector.mjs             | CONNECTOR_API_URL   | localhost:3000
          node ../examples/connector.mjs             | CONNECTOR_API_URL   | http://secret@localhost
          node ../examples/connector.mjs             | CONNECTOR_API_TOKEN | secret€
          JAVA                                       | CONNECTOR_API_URL   | http://local host
          JAVA                                       | CONNECTOR_API_TOKEN | secret€
          python3 ../examples/connector.py           | CONNECTOR_API_URL   | localhost:3000
          python3 ../examples/connector.py           | CONNECTOR_API_TOKEN | se~cret
          python3 ../examples/outbox.py FILE send    | CONNECTOR_API_TOKEN | secret€
          python3 ../examples/consumer.py FILE       | API_URL             | http://secret@localhost
          python3 ../examples/consumer.py FILE       | CONSUMER_TOKEN      | se~cret
          python3 ../examples/backfill_github.py app | GITHUB_API_URL      | localhost
          python3 ../examples/backfill_github.py app | GITHUB_APP_JWT      | se~cret
          python3 ../examples/backfill_stripe.py     | STRIPE_API_KEY      | secret€
          """)
  void a_malformed_setting_is_named_and_its_value_is_not(String command, String name, String value)
      throws Exception {
    List<String> words =
        command.equals("JAVA")
            ? Language.JAVA.compiled()
            : List.of(command.replace("FILE", folder.resolve("file") + "").split(" ", -1));
    CommandOnPath.assumeWorks(words.getFirst(), "--version");
    Map<String, String> settings = new HashMap<>();
    for (String url : List.of("CONNECTOR_API_URL", "API_URL", "GITHUB_API_URL", "STRIPE_API_URL")) {
      settings.put(url, "http://127.0.0.1:1");
    }
    for (String token : List.of("CONNECTOR_API_TOKEN", "CONSUMER_TOKEN", "STRIPE_API_KEY")) {
      settings.put(token, "token");
    }
    settings.putAll(
        Map.of(
            "WEBHOOK_SECRET", "hush", "PROVIDER", "github", "OUTBOX", folder.resolve("file") + ""));
    settings.put(name, value.replace('~', '\n'));

    assertThat(run(words, settings)).isEqualTo("1: " + name + " is malformed");
  }

  @ParameterizedTest
  @CsvSource({
    "true, connector.py outbox.py",
    "false, connector.mjs",
    "false, Connector.java",
  })
  void the_page_has_the_settings_that_a_connector_reads(boolean hasOutbox, String files)
      throws IOException {
    List<String> documented =
        Page.of("connectors.md")
            .text()
            .lines()
            .filter(
                row -> !row.contains(hasOutbox ? "| not `connector.py`" : "| only `connector.py`"))
            .map(ROW::matcher)
            .filter(Matcher::matches)
            .flatMap(row -> Stream.of(row.group(1).split("`, `", -1)))
            .toList();
    Set<String> read = new TreeSet<>();
    for (String file : files.split(" ", -1)) {
      String text = Files.readString(Path.of("../examples").resolve(file));
      SETTING.matcher(text).results().forEach(name -> read.add(name.group(1)));
    }
    read.removeAll(PAUSES);

    assertThat(documented).containsExactlyInAnyOrderElementsOf(read);
  }

  /** Runs a command, and returns its exit code and everything that it prints. */
  private String run(List<String> command, Map<String, String> settings)
      throws IOException, InterruptedException {
    Path output = folder.resolve("output");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.matches("((CONNECTOR|GITHUB|STRIPE)_)?API_.*|WEBHOOK_SECRET"));
    builder.environment().putAll(settings);
    Process process = builder.start();
    process.getOutputStream().close();
    boolean hasExited = process.waitFor(30, TimeUnit.SECONDS);
    process.destroyForcibly();
    assertThat(hasExited).as("it exits").isTrue();
    return process.exitValue() + ": " + Files.readString(output).strip();
  }
}
