package dev.connectorevents.acceptance.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.emulator.CommandOnPath;
import dev.connectorevents.emulator.CommandOnPath.Result;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The loops of {@code docs/reading-events.md} read what the feed has. */
class FeedLoopTest {

  private static final String PYTHON =
      """
      import sys, time
      time.sleep = lambda seconds: sys.exit() # the end of the feed
      def load():
          return None
      def store(page):
          for entry in page["events"]:
              print(entry["position"], entry["payload"]["_meta"]["brand_id"], entry["payload"]["n"])
      """;

  private static final String TYPESCRIPT =
      """
      import { follow, type Page } from './follow';
      declare const process: { argv: string[]; exit(): never };
      async function store(page: Page) {
        for (const entry of page.events) {
          if ('erased_at' in entry) continue;
          const brand: string | undefined = entry.payload?._meta.brand_id;
          const n: unknown = entry.payload?.n;
          console.log(entry.position, brand, n);
        }
        if (!page.more) process.exit();
      }
      follow(process.argv[2]!, process.argv[3]!, '', store);
      """;

  /** Each of the lines from the fifth on must not compile. */
  private static final String NONSENSE =
      """
      import type { Page } from './follow';
      export function store(page: Page) {
        for (const entry of page.events) {
          if ('erased_at' in entry) continue;
          entry.payload!._meta.brandId;
          entry.payload!._meta.brand_id.length;
          entry.payload!.n.length;
          entry.erased_at;
        }
      }
      """;

  @AutoClose private final World service = World.start();
  @TempDir private Path folder;

  private final List<String> expected = new ArrayList<>();
  private String token = "";

  @BeforeEach
  void storeEvents() {
    String connector = service.client().token();
    for (int i = 1; i <= 103; i++) { // more than a page
      service
          .client()
          .post(
              UnreliableGateway.EVENTS,
              "{\"event_type\":\"a.b\",\"payload\":{\"n\":%d,\"_meta\":{\"brand_id\":\"acme\"}}}"
                  .formatted(i),
              "Authorization",
              "Bearer " + connector);
      expected.add(i + " acme " + i);
    }
    service.number();
    token = service.operator().consumerToken();
  }

  @Test
  @Promise("The loop, in Python.")
  void that_in_python_reads_each_event_once() throws Exception {
    CommandOnPath.assumeWorks("python3", "--version");
    String program = PYTHON + Page.of("reading-events.md").python("import json, os, time");
    Map<String, String> settings =
        Map.of("API_URL", service.baseUrl() + "", "CONSUMER_TOKEN", token);

    ScriptRun run = ScriptRun.of(List.of("python3", "-c", program), settings, folder);

    assertThat(run).isEqualTo(new ScriptRun(0, expected, List.of()));
  }

  @Test
  @Promise("In TypeScript, with the types that")
  void that_in_typescript_compiles_refuses_nonsense_and_reads_each_event_once() throws Exception {
    Files.writeString(folder.resolve("follow.ts"), Page.of("reading-events.md").typeScript());
    Files.writeString(folder.resolve("read.ts"), TYPESCRIPT);
    Files.writeString(folder.resolve("nonsense.ts"), NONSENSE);
    String openApi = Path.of("../docs/openapi.yaml").toAbsolutePath().normalize().toString();

    Result made = npx("openapi-typescript " + openApi + " -o api.ts >/dev/null && echo made");
    if (made.exitCode() != 0) {
      CommandOnPath.assumeWorks("sh", "-c", npxCommand("tsc --version"));
    }
    Result compiled =
        npx("tsc --strict --target es2022 --module commonjs --lib es2022,dom read.ts nonsense.ts");

    assertThat(made.output()).isEqualTo("made\n");
    assertThat(compiled.output().lines().map(line -> line.replaceFirst(",.*", "")))
        .containsExactly("nonsense.ts(5", "nonsense.ts(6", "nonsense.ts(7", "nonsense.ts(8");
    ScriptRun run =
        ScriptRun.of(
            List.of("node", folder.resolve("read.js") + "", service.baseUrl() + "", token),
            Map.of(),
            folder);
    assertThat(run).isEqualTo(new ScriptRun(0, expected, List.of()));
  }

  private Result npx(String command) throws Exception {
    return CommandOnPath.of("sh", "-c", "cd '%s' && %s".formatted(folder, npxCommand(command)))
        .run(Redirect.DISCARD);
  }

  private static String npxCommand(String command) {
    return "npx --yes -p openapi-typescript@%s -p typescript@%s -c '%s'"
        .formatted(
            System.getProperty("openapi-typescript.version"),
            System.getProperty("typescript.version"),
            command);
  }
}
