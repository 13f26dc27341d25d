package dev.connectorevents.local;

import static dev.connectorevents.local.ErasedLocally.member;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.emulator.CommandOnPath.Result;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the command {@code operate/erase} on a local service. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "these tests need bash")
@SuppressWarnings("NullAway.Init")
class EraseCommandTest {

  private static final String PAYLOAD =
      "{\"n\":5,\"t\":\"5\",\"price\":398.00,\"s\":\"a b\",\"q\":\"5\\\" b\",\"b\":true,\"z\":null,\"l\":[{\"e\":\"Zoë\"}]}";

  /** A fake AWS CLI. The function's answer to a call is the file that is named for the call. */
  private static final String AWS =
      """
      #!/usr/bin/env bash
      cd "$(dirname "$0")"
      if [[ $1 == cloudformation ]]; then
        echo '{"Stacks": [{"Outputs": [
          {"OutputKey": "EraseEventsFunctionName", "OutputValue": "f"},
          {"OutputKey": "ApiUrl", "OutputValue": "https://api.example"}]}]}'
        exit
      fi
      case $(cat) in
        *dry_run*) cat found ;;
        *show*) cat proof ;;
        *next*) cat last ;;
        *) echo '{"erasure_id":"e","erased":0,"next":"n"}' ;;
      esac >"$7"
      """;

  @RegisterExtension private static final SharedService shared = new SharedService();
  @RegisterExtension private static final ForkedCommands commands = new ForkedCommands();

  private final ServedLocally service = shared.service();

  @TempDir private Path folder;
  private ErasedLocally erased;

  @BeforeEach
  void logIn() {
    erased = ErasedLocally.in(service, folder);
  }

  private Result run(String arguments) throws IOException {
    return commands.run(command(arguments), environment());
  }

  private Result runOnTerminal(String typed, String arguments) throws IOException {
    return commands.runOnTerminal(typed, command(arguments), environment());
  }

  private String command(String arguments) {
    return "./erase --port %d %s".formatted(service.url().getPort(), arguments);
  }

  private Map<String, String> environment() {
    return Map.of("XDG_STATE_HOME", folder.toString());
  }

  @Test
  void the_proof_has_the_count_and_the_digest_of_a_scan() throws Exception {
    List<String> ids = erased.post(3, "{}");

    Result result = run("--yes --reason 'request 17' --ids " + String.join(" ", ids));

    assertThat(result.exitCode()).as(result.output()).isZero();
    assertThat(result.output()).startsWith("3 events erased. The proof:\n\n  erasure id     ");
    SortedSet<String> scanned = erased.tombstones(member(result, "erasure id"));
    assertThat(scanned).containsExactlyInAnyOrderElementsOf(ids);
    assertThat(member(result, "ids sha256")).isEqualTo(erased.digest(member(result, "erasure id")));
    assertThat(member(result, "count")).isEqualTo("3");
    assertThat(member(result, "reason")).isEqualTo("request 17");
    assertThat(folder.resolve("connector-events")).isEmptyDirectory();
  }

  @Test
  void an_erasure_is_shown_and_listed() throws Exception {
    Result result = run("--yes --reason 'to show' --ids " + erased.post("{}"));
    String id = member(result, "erasure id");

    Result shown = run("--show " + id);
    Result listed = run("--list");

    assertThat(shown.exitCode()).isZero();
    assertThat(result.output()).endsWith("\n\n" + shown.output());
    assertThat(listed.output())
        .startsWith("erasure id ")
        .contains("  count  selector  narrowed  reason\n");
    assertThat(listed.output().lines().filter(line -> line.startsWith(id)).toList())
        .singleElement()
        .asString()
        .contains(member(shown, "begun"), member(shown, "ended"))
        .endsWith("  1      ids       no        to show");
  }

  @Test
  void an_erasure_that_has_not_ended_says_so() throws Exception {
    String event = "{\"ids\":[\"%s\"]}".formatted(erased.post("{}"));
    String begun =
        service.send("POST", "/2015-03-31/functions/EraseEventsFunction/invocations", event).body();
    String id = ServedLocally.read(begun).get("erasure_id").textValue();

    assertThat(run("--list").output()).containsPattern("\n" + id + "  \\S+ +not ended ");
    assertThat(member(run("--show " + id), "ended")).isEqualTo("not ended");
  }

  @ParameterizedTest
  @CsvSource({"y, 0", "yes, 0", "n, 1", "'', 1"})
  void on_a_terminal_it_shows_what_it_found_and_asks(String typed, int exitCode) throws Exception {
    String id = erased.post("{}");

    Result result = runOnTerminal(typed, "--ids " + id);

    assertThat(result.output())
        .contains("1 event found, such as", id, "410", "Erase 1 event? [y/N] ");
    assertThat(result.exitCode()).isEqualTo(exitCode);
    assertThat(erased.item(id).containsKey("erased_at")).isEqualTo(exitCode == 0);
    assertThat(result.output().contains("1 event erased. The proof:")).isEqualTo(exitCode == 0);
  }

  @ParameterizedTest
  @CsvSource({"'', 3", "--allow-none, 0"})
  void if_nothing_matches_it_says_so_and_does_not_ask(String option, int exitCode)
      throws Exception {
    String nothing = "--ids %s --where /n=6 %s".formatted(erased.post(PAYLOAD), option);

    Result asked = runOnTerminal("", nothing);
    Result dry = run(nothing + " --dry-run");
    Result told = run(nothing + " --yes");

    for (Result result : List.of(asked, dry)) {
      assertThat(result.output())
          .contains("No event matches. Nothing is erased.")
          .doesNotContain("?");
    }
    assertThat(told.output())
        .startsWith("0 events erased. The proof:")
        .contains("No event matched");
    assertThat(List.of(asked.exitCode(), dry.exitCode(), told.exitCode())).containsOnly(exitCode);
  }

  @Test
  void a_dry_run_shows_what_would_have_matched_and_what_could_not_be_judged() throws Exception {
    String found = "{\"ids\":[],\"hints\":[\"a\",\"a\",\"b\",\"c\",\"d\"]%s}";

    Result hinted = withAnswers(found.formatted(""), "", "--dry-run --ids x");
    Result unjudged =
        withAnswers(found.formatted(",\"not_judged\":[\"one\"]"), "", "--dry-run --ids x");

    String none = "No event matches. Nothing is erased.\n  Hint: a\n  Hint: b\n  Hint: c\n";
    assertThat(hinted).isEqualTo(new Result(3, none));
    assertThat(unjudged.output())
        .startsWith(none + "1 event could not be judged in time.")
        .contains("\n  one\n");
    assertThat(unjudged.exitCode()).isEqualTo(4);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "count":1,"narrowed":true                    | 0 | narrowed    yes
          "count":1,"narrowed":false                   | 0 | narrowed    no
          "count":1,"narrowed":false,"not_judged":["a","b"] | 4 | not judged  a, b
          "count":0,"narrowed":false,"not_judged":["a"]     | 4 | not judged  a
          """)
  void an_erasure_says_whether_it_was_narrowed_and_fails_if_it_is_not_complete(
      String members, int exitCode, String line) throws Exception {
    Result erased =
        withAnswers(
            "{}", "{\"erasure_id\":\"e\",\"ended\":\"t\",%s}".formatted(members), "--yes --ids x");

    assertThat(erased.output()).containsPattern("(?m)^  " + line.replace("  ", " +") + "$");
    assertThat(erased.exitCode()).isEqualTo(exitCode);
  }

  private Result withAnswers(String found, String proof, String arguments)
      throws IOException, InterruptedException {
    FakeAws aws = FakeAws.in(folder, AWS);
    Files.writeString(folder.resolve("found"), found);
    Files.writeString(folder.resolve("proof"), "{\"erasure\":" + proof + "}");
    Files.writeString(folder.resolve("last"), "{\"erasure_id\":\"e\",\"erased\":0}");
    return commands.run("./erase --stack s " + arguments, aws.environment(environment()));
  }

  @Test
  void a_dry_run_prints_the_ids_and_erases_nothing() throws Exception {
    String payload = "{\"_meta\":{\"source\":\"a\",\"topic\":\"b\",\"brand_id\":\"dry\"}}";
    List<String> ids = erased.post(120, payload);
    Path errors = folder.resolve("errors");

    Result result =
        ErasedLocally.bash(erased.command("--dry-run --brand dry 2>'%s'".formatted(errors)));

    assertThat(result.exitCode()).isZero();
    assertThat(result.output().lines()).containsExactlyInAnyOrderElementsOf(ids);
    assertThat(errors).hasContent("120 events found. Nothing is erased.\n");
    assertThat(erased.item(ids.getFirst())).doesNotContainKey("erased_at");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/n=5",
        "/n=5.0",
        "/t=5",
        "/t=\"5\"",
        "/q=5\" b",
        "/price=398",
        "/s=a b",
        "/s=\"a b\"",
        "/q=\"5\\\" b\"",
        "/b=true",
        "/z=null",
        "/n=6 --where /n=5",
        "/l/*/e=Zoë",
        "/n=6 --where-ignoring-case /l/*/e=ZOË",
        "/n=6 --where-ignoring-case /s=\"A B\"",
      })
  void a_value_is_a_json_scalar_or_text(String condition) throws Exception {
    String id = erased.post(PAYLOAD);

    assertThat(find(id, condition).output()).startsWith(id + "\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/n=\"5\"", "/b=\"true\"", "/z=", "/s=null", "/s=[1]", "/n=NaN", "/t=5.0"})
  void another_value_is_not_found(String condition) throws Exception {
    Result found = find(erased.post(PAYLOAD), condition);

    assertThat(found.output()).startsWith("No event matches. Nothing is erased.");
    assertThat(found.exitCode()).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          /n="5"      | {"pointer":"/n","equals":5}
          /l/*/e=ZOË  | {"pointer":"/l/*/e","equals_ignoring_case":"ZOË"}
          """)
  void a_dry_run_hints_at_the_condition_that_would_have_matched(String condition, String hint)
      throws Exception {
    assertThat(find(erased.post(PAYLOAD), condition).output())
        .contains("  Hint: an event has it")
        .contains(hint);
  }

  @Test
  void what_a_user_sent_in_a_time_is_found() throws Exception {
    String id = erased.post("{}");
    ByteBuffer user = requireNonNull(erased.item(id).get("user_id")).b().asByteBuffer();
    Instant sent = Instant.parse(requireNonNull(erased.item(id).get("created_at")).s());
    String select =
        "--user %s --from %s --to %s"
            .formatted(new UUID(user.getLong(), user.getLong()), sent, sent.plusMillis(1));

    Result other = run(select + " --dry-run --event-type no.type --event-type 'no.*'");
    Result found = run(select + " --dry-run --event-type '*'");
    Result before = run(select.replace("--to " + sent.plusMillis(1), "--to " + sent) + " --yes");

    assertThat(other.exitCode()).as(other.output()).isEqualTo(3);
    assertThat(found.output().lines()).contains(id);
    assertThat(before.output()).contains("/to: a time after from");
  }

  @Test
  void an_erasure_that_where_narrows_says_so() throws Exception {
    Result result = run("--yes --where /n=5 --ids " + erased.post(PAYLOAD));

    assertThat(member(result, "narrowed")).as(result.output()).isEqualTo("yes");
  }

  private Result find(String id, String condition) throws IOException {
    String quoted = "'" + condition.replaceAll(" (--where\\S*) ", "' $1 '") + "'";
    return run("--dry-run --ids " + id + " --where " + quoted);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --brand b                            | 2 | without a terminal, --yes or --dry-run is necessary
          --yes                                | 2 | --brand, --ids, --user or --where is necessary
          --ids                                | 2 | --ids needs a value
          --brand ''                           | 2 | --brand needs a value
          --brand a --brand b --yes            | 2 | --brand may be given only once
          --where /a --yes                     | 2 | --where needs POINTER=VALUE, such as /customer/id=207119551
          --where '/a="5' --yes                | 2 | --where has an unbalanced quote: "5; in JSON, "a\\"b" is the text a"b
          --where '/a=5"' --yes                | 2 | --where has an unbalanced quote: 5"
          --where '/a="5"b"' --yes             | 2 | --where has an unbalanced quote: "5"b"
          --where-ignoring-case '/a="' --yes   | 2 | --where-ignoring-case has an unbalanced quote: "
          --where-ignoring-case /a --yes       | 2 | --where-ignoring-case needs POINTER=TEXT, such as /email=zoe@example.com
          --where /a=1 --where /a=2 --where /a=3 --where /a=4 --where /a=5 --where-ignoring-case /a=6 --yes | 2 | 11 conditions, and 10 are the most.
          --list --where-ignoring-case /a=b    | 2 | --list takes no --where
          --show x --allow-none                | 2 | --show takes no --allow-none
          --where /a=0.12345678901234567890    | 2 | --where cannot send the number 0.12345678901234567890 exactly
          --where a=1 --yes                    | 2 | validation_failed: /where/0/pointer: a JSON Pointer
          --brand a --ids x --yes              | 2 | validation_failed: /ids: only one of brand_id, ids and user_id
          --user x --yes                       | 2 | --user, --from and --to belong together
          --brand b --to 2026-11-20T12:00:00Z --yes | 2 | --user, --from and --to belong together
          --user x --from 9:00 --yes           | 2 | --from needs a time such as 2026-11-20T12:00:00Z
          --brand b --event-type a.b --yes     | 2 | --event-type belongs to --user
          --user x --from 2026-11-20T12:00:00Z --to 2026-11-20T13:00:00Z --yes | 2 | validation_failed: /user_id: a UUID in lower case
          --list --user x                      | 2 | --list takes no --user
          --ids x --dry-run                    | 2 | validation_failed: /ids/0: a UUID in lower case
          --list --yes                         | 2 | --list takes no --yes
          --show x --dry-run                   | 2 | --show takes no --dry-run
          everything --yes                     | 2 | unknown word everything
          --all                                | 2 | unknown option --all; there are --allow-none, --brand,
          --show x                             | 2 | validation_failed: /show: a UUID
          --show 00000000-0000-0000-0000-000000000000 | 1 | not_found: No erasure has this id. operate/erase --list shows all
          """)
  void a_mistake_is_named(String arguments, int exitCode, String message) throws Exception {
    Result failed = run(arguments);

    assertThat(failed.output()).startsWith("operate/erase: " + message);
    assertThat(failed.exitCode()).isEqualTo(exitCode);
    assertThat(folder).isDirectoryNotContaining("glob:**erasure*");
  }

  @Test
  void a_service_that_does_not_run_is_named_at_once() throws Exception {
    Result failed = commands.run("./erase --port 1 --list", Map.of());

    assertThat(failed.exitCode()).isEqualTo(1);
    assertThat(failed.output()).contains("local/serve does not answer on port 1");
  }

  @Test
  void the_usage_is_a_page_and_wrong_use_without_an_option() throws Exception {
    Result usage = commands.run("./erase --help", Map.of());

    assertThat(usage.exitCode()).isZero();
    assertThat(usage.output().lines()).hasSizeLessThan(60).allMatch(line -> line.length() <= 100);
    assertThat(commands.run("./erase", Map.of())).isEqualTo(new Result(2, usage.output()));
    assertThat(Files.readString(Path.of("../operate/erase"))).contains("Exit codes:");
  }
}
