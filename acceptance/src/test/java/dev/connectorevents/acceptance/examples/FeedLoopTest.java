package dev.connectorevents.acceptance.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.Batches;
import dev.connectorevents.acceptance.service.NodePackages;
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
import org.junit.jupiter.api.BeforeAll;
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
      def store(page, cursor):
          for entry in page["events"]:
              print(entry["payload"]["_meta"]["brand_id"], entry["payload"]["n"])
      """;

  private static final String TYPESCRIPT =
      """
      import { follow, type Page } from './follow';
      declare const process: { argv: string[]; exit(): never };
      async function store(page: Page) {
        for (const entry of page.events) {
          if (entry.erased_at) continue;
          const brand: string | undefined = entry.payload?._meta.brand_id;
          const version: string | undefined = entry.payload?._meta.version;
          const n: unknown = entry.payload?.n;
          console.log(brand, n, ...(version ? [version] : []));
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
          if (entry.erased_at) continue;
          entry.payload!._meta.brandId.length;
          entry.payload!._meta.brand_id.length;
          entry.payload!.n.length;
          entry.event_type.length;
        }
      }
      """;

  @AutoClose private static final World service = World.start();

  /** The brand and the number of each stored event. */
  private static final List<String> expected = new ArrayList<>();

  @TempDir private Path folder;

  @BeforeAll
  static void storeEvents() {
    String connector = service.client().token();
    for (int batch = 0; batch < 11; batch++) { // more than a page
      List<String> events = new ArrayList<>();
      for (int i = 100 * batch + 1; i <= 100 * batch + 100; i++) {
        events.add(event(i, "acme"));
        expected.add("acme " + i);
      }
      Batches.send(service, connector, events);
      service.number();
    }
  }

  @Test
  @Promise("The loop, in Python.")
  void that_in_python_reads_each_event_once() throws Exception {
    CommandOnPath.assumeWorks("python3", "--version");
    String program = PYTHON + Page.of("reading-events.md").python("import json, os, sys, time");
    Map<String, String> settings =
        Map.of("API_URL", service.baseUrl() + "", "CONSUMER_TOKEN", token());

    ScriptRun run = ScriptRun.of(List.of("python3", "-c", program), settings, folder);

    assertEachIsReadOnce(run);
  }

  private static String token() {
    return service.operator().consumerToken();
  }

  /** A batch's events get their positions in any order. */
  private void assertEachIsReadOnce(ScriptRun run) {
    assertThat(run.errors()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(run.output()).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  @Promise("In TypeScript, with the types that")
  void that_in_typescript_compiles_refuses_nonsense_and_reads_each_event_once() throws Exception {
    String generator = NodePackages.command("openapi-typescript");
    Files.writeString(folder.resolve("follow.ts"), Page.of("reading-events.md").typeScript());
    Files.writeString(folder.resolve("read.ts"), TYPESCRIPT);
    Files.writeString(folder.resolve("nonsense.ts"), NONSENSE);

    Result made =
        CommandOnPath.of(generator, "../docs/openapi.yaml", "-o", folder.resolve("api.ts") + "")
            .run(Redirect.DISCARD);
    Result compiled =
        CommandOnPath.of(
                "sh",
                "-c",
                "cd '%s' && %s --strict --target es2022 --module commonjs --lib es2022,dom read.ts nonsense.ts"
                    .formatted(folder, NodePackages.command("tsc")))
            .run(Redirect.DISCARD);

    assertThat(made.exitCode()).isZero();
    assertThat(compiled.output().lines().map(line -> line.replaceFirst(",.*", "")))
        .containsExactly("nonsense.ts(5", "nonsense.ts(6", "nonsense.ts(7", "nonsense.ts(8");
    ScriptRun run =
        ScriptRun.of(
            List.of("node", folder.resolve("read.js") + "", service.baseUrl() + "", token()),
            Map.of(),
            folder);
    assertEachIsReadOnce(run);
  }

  private static String event(int n, String brand) {
    return "{\"event_type\":\"a.b\",\"payload\":{\"n\":%d,\"_meta\":{\"brand_id\":\"%s\"}}}"
        .formatted(n, brand);
  }
}
