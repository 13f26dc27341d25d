package dev.connectorevents.acceptance.examples;

import static dev.connectorevents.acceptance.examples.ConnectedService.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import dev.connectorevents.emulator.CommandOnPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The settings of the examples. {@code docs/connectors.md} lists those of the connectors, and has
 * the commands that set them.
 */
class ExampleSettingsTest {

  /** A row of the table of settings in {@code docs/connectors.md}. */
  private static final Pattern ROW = Pattern.compile("\\| `([A-Z_2]+(`, `[A-Z_2]+)*)` \\|.*");

  /** The code that reads a setting. The last alternative is for a dictionary in outbox.py. */
  private static final Pattern SETTING =
      Pattern.compile("(?:setting\\(\"|environ.get\\(\"|: \"(?=CONNECTOR_))([A-Z_2]+)");

  /**
   * Settings for tests only: they shorten the pauses of an outbox. {@code docs/connectors.md} does
   * not list them.
   */
  private static final Set<String> PAUSES = Set.of("PAUSE", "PARKED");

  static final List<String> URLS = List.of("CONNECTOR_API_URL", "API_URL");

  @AutoClose private static final ConnectedService connected = new ConnectedService();

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"connector.py", "Connector.java"})
  @Promise("`CONNECTOR_API_EMAIL`, `CONNECTOR_API_PASSWORD`")
  void a_connector_starts_and_takes_a_webhook_by_the_commands_of_the_page(String file)
      throws Exception {
    Examples.command(List.of(file)); // skips the test if its language is not installed
    String topic = "t" + UUID.randomUUID();
    Page page = Page.of("connectors.md");
    String python = "PROVIDER=shopify OUTBOX=outbox.db python3 examples/connector.py";
    String start = file.endsWith(".py") ? python : page.commandOf(file);
    String commands =
        page.commands("export CONNECTOR_API_URL=")
            .replace(python, "exec env " + start) // exec: a kill reaches it, not the shell
            .replace("http://127.0.0.1:3000", connected.gateway().endpoint().toString())
            .replace("=EMAIL", "=" + ConnectedService.EMAIL)
            .replace("_PASSWORD\n", "_PASSWORD='" + ConnectedService.PASSWORD + "'\n")
            .replace("outbox.db", folder.resolve("outbox.db").toString())
            .replace("examples/", "../examples/");
    String path = System.getProperty("java.home") + "/bin:" + CommandOnPath.path();
    try (ExampleConnector connector =
        connected.start(List.of("bash", "-c", commands), Map.of("PATH", path))) {
      // On a busy machine the first login may take longer than a provider waits: it delivers again.
      await(() -> connector.deliverAsThePageSays(topic).matches("(?s)HTTP/1.[01] 200 .*"));

      await(() -> connected.count(topic) == 1);
    }
  }

  /** Values that no HTTP client sends, and of which some print the whole, are never printed. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          connector.py            | WEBHOOK_SECRET=                   | WEBHOOK_SECRET is not set
          Connector.java          | WEBHOOK_SECRET=                   | WEBHOOK_SECRET is not set
          connector.py            | CONNECTOR_API_URL=                | CONNECTOR_API_URL is not set
          connector.py            | CONNECTOR_API_TOKEN=              | CONNECTOR_API_EMAIL is not set
          connector.py            | CONNECTOR_API_URL=localhost:3000  | CONNECTOR_API_URL is malformed
          Connector.java          | CONNECTOR_API_URL=http://local host | CONNECTOR_API_URL is malformed
          connector.py            | CONNECTOR_API_URL=https:///       | CONNECTOR_API_URL is malformed
          connector.py            | CONNECTOR_API_TOKEN=se~cret       | CONNECTOR_API_TOKEN is malformed
          Connector.java          |                                   | CONNECTOR_API_EMAIL is not set
          outbox.py FILE send     | CONNECTOR_API_URL=                | CONNECTOR_API_URL is not set
          outbox.py               |                                   | 'usage: outbox.py FILE add KEY | send | refused | retry [--provider NAME] | drop NUMBER'
          outbox.py FILE add key  |                                   | an event is a JSON object
          consumer.py             |                                   | 'the following arguments are required: FILE; usage: consumer.py [--share 2/8] [--until POSITION] FILE [SINCE]'
          consumer.py FILE        | API_URL=                          | API_URL is not set
          consumer.py FILE        | API_URL=http://secret@localhost   | API_URL is malformed
          consumer.py FILE        | CONSUMER_TOKEN=se~cret            | CONSUMER_TOKEN is malformed
          """)
  void an_example_says_in_one_sentence_what_is_wrong_and_exits(
      String command, @Nullable String setting, String sentence) throws Exception {
    String file = folder.resolve("file").toString();
    Map<String, String> settings = new HashMap<>();
    for (String url : URLS) {
      settings.put(url, "http://127.0.0.1:1");
    }
    for (String token : List.of("CONNECTOR_API_TOKEN", "CONSUMER_TOKEN")) {
      settings.put(token, "token");
    }
    settings.putAll(Map.of("WEBHOOK_SECRET", "hush", "PROVIDER", "github", "OUTBOX", file));
    if (setting != null) {
      String[] nameAndValue = setting.split("=", 2);
      settings.put(nameAndValue[0], nameAndValue[1].replace('~', '\n'));
      settings.values().removeIf(String::isEmpty);
    }
    List<String> words = List.of(command.replace("FILE", file).split(" ", -1));

    assertThat(ScriptRun.of(Examples.command(words), settings, folder))
        .isEqualTo(new ScriptRun(1, List.of(), List.of(sentence)));
  }

  @ParameterizedTest
  @CsvSource({
    "true, connector.py outbox.py",
    "false, Connector.java",
  })
  void the_page_has_the_settings_that_a_connector_reads(boolean hasOutbox, String files)
      throws IOException {
    List<String> documented =
        Page.of("connectors.md")
            .text()
            .lines()
            .filter(row -> hasOutbox || !row.contains("| only `connector.py`"))
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
}
