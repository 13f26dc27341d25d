package dev.connectorevents.acceptance.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.acceptance.service.NodePackages;
import dev.connectorevents.emulator.CommandOnPath;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code examples/payloads.py} and {@code payloads.ts} cut payloads out of a page. */
class PayloadTextsTest {

  private static final Path EXAMPLES = Path.of("../examples");

  private static final String PRINT =
      """

      import sys
      sys.setrecursionlimit(5000)
      for payload in payloads(open(sys.argv[1], encoding="utf-8").read()):
          print(payload)
          print(clean(payload))
      """;

  @TempDir private Path folder;

  @BeforeAll
  static void pythonIsInstalled() throws Exception {
    CommandOnPath.assumeWorks("python3", "--version");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"a\":1.0} |                        {\"a\":1.0}",
        "{\"a\":1e400} |                      {\"a\":1e400}",
        "{\"a\":1 ,\"a\": 2} |                {\"a\":1 ,\"a\": 2}",
        "{\"payload\":{\"payload\":[]}} |     {\"payload\":{\"payload\":[]}}",
        "{\"a\":\"\\u0000\"} |                {\"a\":\"\\ufffd\"}",
        "{\"\\u0000\":1} |                    {\"\\ufffd\":1}",
        "{\"a\":\"\\\\u0000\\\\\\u0000\"} |   {\"a\":\"\\\\u0000\\\\\\ufffd\"}",
        "{\"a\":\"\\ud800\"} |                {\"a\":\"\\ufffd\"}",
        "{\"a\":\"\\ude00\\uD83D\\uDE00\"} |  {\"a\":\"\\ufffd\\uD83D\\uDE00\"}",
        "{\"a\":\"\\ud83d\\ud83d\\ude00\"} |  {\"a\":\"\\ufffd\\ud83d\\ude00\"}",
        "{\"a\":\"\\\\ud800\"} |              {\"a\":\"\\\\ud800\"}",
      })
  void a_payload_keeps_its_text_until_it_is_cleaned(String payload, String clean) throws Exception {
    assertThat(textsOf(payload)).containsExactly(payload, clean, payload, clean);
  }

  @Test
  void a_payload_may_be_deep_and_have_a_long_number() throws Exception {
    String payload = "{\"a\":".repeat(999) + "1".repeat(5_000) + "}".repeat(999);

    assertThat(textsOf(payload)).containsOnly(payload);
  }

  @Test
  void typescript_cuts_the_same_texts() throws Exception {
    String tsc = NodePackages.command("tsc");
    String program =
        Files.readString(EXAMPLES.resolve("payloads.ts"))
            + "console.log(...payloads(process.argv[2]!));";
    Files.writeString(
        folder.resolve("cut.ts"), "declare const process: { argv: string[] };\n" + program);
    String payload =
        "{\"payload\":{\"payload\":[{},\"}\"]},\"a\":1.0,\"s\":\"\\\"{\\\\\",\"id\":820982911946154508}";

    assertThat(
            CommandOnPath.of(tsc, "--strict", "--target", "es2022", folder.resolve("cut.ts") + "")
                .run(Redirect.INHERIT)
                .exitCode())
        .isZero();
    String cut = folder.resolve("cut.js").toString();
    ScriptRun run = ScriptRun.of(List.of("node", cut, pageOf(payload)), Map.of(), folder);
    assertThat(run.output()).containsExactly(payload + " " + payload);
  }

  private static String pageOf(String payload) {
    String events =
        "{\"events\":[{\"response\":\"\\\"payload\\\":1\",\"status\":\"payload\",\"payload\":@},"
            + "{\"payload_at\":\"/\"},{\"payload\":@}],\"next\":\"3f9a01c2-3\"}";
    return events.replace("@", payload);
  }

  private List<String> textsOf(String payload) throws Exception {
    Path page = folder.resolve("page");
    Files.writeString(page, pageOf(payload));
    String program = Files.readString(EXAMPLES.resolve("payloads.py")) + PRINT;
    ScriptRun run =
        ScriptRun.of(List.of("python3", "-c", program, page.toString()), Map.of(), folder);
    assertThat(run.errors()).isEmpty();
    return run.output();
  }
}
