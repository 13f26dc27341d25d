package dev.connectorevents.acceptance.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.Batches;
import dev.connectorevents.acceptance.service.Texts;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.emulator.CommandOnPath;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code examples/export.py} exports the feed by days. */
class DayExportTest {

  @AutoClose private final World service = World.start();

  @TempDir private Path folder;

  /** What does not exist before the first export. */
  private Path days = Path.of("");

  private Page page = new Page("");
  private String program = "";

  @BeforeEach
  void readProgram() throws Exception {
    CommandOnPath.assumeWorks("python3", "--version");
    days = folder.resolve("days");
    page = Page.of("reading-events.md");
    program = Files.readString(Path.of("../examples/export.py"));
  }

  /** A kill keeps one of the two files from its place: the day, then the cursor. */
  @Test
  @Promise("Kill it at will, and run it again: it begins where the last whole day ended.")
  void a_day_is_whole_also_after_kills_and_the_next_one_joins_it() throws Exception {
    List<String> first = storeMoreThanAPage();
    service.beat();
    String day = day();
    assertThat(export(program, day).errors()).containsExactly(day + " is not whole yet");
    passADay();
    String next = day();
    store(List.of(event("next", 0, "")));
    store(List.of(event("large", 0, Texts.noise(ConsumedFeed.BIG))));

    for (int kill = 1; kill <= 2; kill++) {
      assertThat(export(killedBefore(kill) + program, day).exitCode()).isEqualTo(9);
    }
    for (int again = 0; again < 2; again++) {
      assertThat(export(program, day).errors()).isEmpty();
    }
    passADay();
    store(List.of(event("last", 0, "")));
    assertThat(export(program, next).errors()).isEmpty();
    assertThat(export(program, day).errors())
        .containsExactly(days.resolve("place") + " is past " + day + " already");

    assertThat(exported(day)).containsExactlyInAnyOrderElementsOf(first);
    assertThat(exported(next)).containsExactly("next 0", "large 0");
  }

  @Test
  @Promise("A second run waits for the first.")
  void two_runs_at_once_write_a_day_once() throws Exception {
    store(List.of(event("first", 0, "")));
    service.beat();
    String day = day();
    passADay();
    String held = held(folder.resolve("held"), folder.resolve("go"));

    try (ExecutorService runs = Executors.newFixedThreadPool(2)) {
      Future<ScriptRun> first = runs.submit(() -> export(held + program, day));
      while (!first.isDone() && !Files.exists(folder.resolve("held"))) {
        Thread.sleep(100);
      }
      Future<ScriptRun> second = runs.submit(() -> export(program, day));
      Thread.sleep(2_000); // longer than a run takes
      boolean isWritten = Files.exists(days.resolve(day + ".json"));
      Files.createFile(folder.resolve("go"));

      assertThat(first.get().errors()).isEmpty();
      assertThat(second.get().errors()).isEmpty();
      assertThat(isWritten).isFalse();
    }
    assertThat(exported(day)).containsExactly("first 0");
  }

  @Test
  void the_days_are_asked_in_sql_without_what_was_erased() throws Exception {
    CommandOnPath.assumeWorks("python3", "-c", "import duckdb");
    String toErase = service.store(total("100.00"));
    store(List.of(ofTotal("12.50", ""), ofTotal("99.00", "\\ud800")));
    service.beat();
    String day = day();
    passADay();
    assertThat(export(program, day).errors()).isEmpty();
    List<String> before = ask();
    service.operator().erase(toErase);
    store(List.of(ofTotal("0.05", "\\u0000\\n")));
    String next = day();
    passADay();
    assertThat(export(program, next).errors()).isEmpty();

    assertThat(ask()).containsExactly("a.b 3 12.55");
    assertThat(ask()).as("without a new day").containsExactly("a.b 3 12.55");
    assertThat(before).containsExactly("a.b 3 112.50");
    try (Stream<Path> files = Files.list(days)) {
      assertThat(files.map(it -> it.getFileName().toString()))
          .contains("events.parquet")
          .noneMatch(it -> it.endsWith(".json"));
    }
  }

  private static String total(String total) {
    return "{\"total_price\":\"" + total + "\"}";
  }

  private static String ofTotal(String total, String text) {
    return event("acme", 1, text).replace("\"n\":1", "\"total_price\":\"" + total + "\"");
  }

  /** Asks as the page does. Returns the answer's rows. */
  private List<String> ask() throws Exception {
    Path ask = Path.of("../examples/ask.py").toAbsolutePath();
    String command =
        page.commands("python3 examples/ask.py")
            .replace("examples/ask.py FOLDER", ask + " " + days);
    ScriptRun run =
        ScriptRun.of(
            List.of("bash", "-c", command), Map.of(), Files.createTempDirectory(folder, "run"));
    assertThat(run.errors()).isEmpty();
    return run.output().stream()
        .filter(line -> line.contains("a.b"))
        .map(line -> line.replaceAll("[│ ]+", " ").strip())
        .toList();
  }

  /** Returns the brand and the number of each. */
  private List<String> storeMoreThanAPage() {
    for (int batch = 0; batch < 11; batch++) {
      int begin = 100 * batch;
      store(IntStream.range(begin, begin + 100).mapToObj(n -> event("acme", n, "")).toList());
    }
    return IntStream.range(0, 1_100).mapToObj(n -> "acme " + n).toList();
  }

  private void store(List<String> events) {
    Batches.send(service, service.client().token(), events);
    service.number();
  }

  private static String event(String brand, int n, String text) {
    String meta = "\"_meta\":{\"brand_id\":\"" + brand + "\"}";
    return "{\"event_type\":\"a.b\",\"payload\":{\"n\":%d,\"text\":\"%s\",%s}}"
        .formatted(n, text, meta);
  }

  /** And two minutes, since clocks differ. After a day without a beat, the feed may lack events. */
  private void passADay() {
    for (int half = 0; half < 2; half++) {
      service.clock().jump(Duration.ofHours(12).plusMinutes(1));
      service.beat();
    }
  }

  private String day() {
    return service.clock().now().toString().substring(0, 10);
  }

  private ScriptRun export(String python, String day) throws Exception {
    Map<String, String> settings =
        Map.of(
            "API_URL",
            service.baseUrl() + "",
            "CONSUMER_TOKEN",
            service.operator().consumerToken());
    return ScriptRun.of(
        List.of("python3", "-c", python, day, days.toString()),
        settings,
        Files.createTempDirectory(folder, "run"));
  }

  /** The brand and the number of each event of a day's file. */
  private List<String> exported(String day) throws Exception {
    List<String> exported = new ArrayList<>();
    for (JsonNode entry : new ObjectMapper().readTree(days.resolve(day + ".json").toFile())) {
      JsonNode payload = entry.path("payload");
      exported.add(payload.at("/_meta/brand_id").asText() + " " + payload.path("n").asInt());
    }
    return exported;
  }

  /** Ends the export before it puts a file, counted from 1, into its place. */
  private static String killedBefore(int file) {
    return """
    import os
    left, replace = [%d], os.replace
    def kill(*names):
        left[0] -= 1
        os._exit(9) if not left[0] else replace(*names)
    os.replace = kill
    """
        .formatted(file);
  }

  /** Holds the export before it puts a file into its place, until another file is there. */
  private static String held(Path isHeld, Path go) {
    return """
    import os, time
    replace = os.replace
    def hold(*names):
        open("%s", "w").close()
        while not os.path.exists("%s"):
            time.sleep(0.1)
        replace(*names)
    os.replace = hold
    """
        .formatted(isHeld, go);
  }
}
