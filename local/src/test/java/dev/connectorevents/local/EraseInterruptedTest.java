package dev.connectorevents.local;

import static dev.connectorevents.local.ErasedLocally.member;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.emulator.CommandOnPath;
import dev.connectorevents.emulator.CommandOnPath.Result;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Interrupts {@code operate/erase}, and runs it again. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "these tests need bash")
@SuppressWarnings("NullAway.Init")
class EraseInterruptedTest {

  private static final String BRAND =
      "{\"_meta\":{\"source\":\"a\",\"topic\":\"b\",\"brand_id\":\"%s\"}}";

  /**
   * A fake AWS CLI. Invokes {@code eraseevents} in the local service. Line n of the file {@code
   * faults} is the fault of invocation n; an empty line means no fault.
   */
  private static final String AWS =
      """
      #!/usr/bin/env bash
      here=${0%/*}
      invoke() { curl -sS "$URL/2015-03-31/functions/$1/invocations" --data-binary @- >"$2"; }
      case $1-$2 in
        cloudformation-describe-stacks)
          echo '{"Stacks": [{"Outputs": [
            {"OutputKey": "EraseEventsFunctionName", "OutputValue": "EraseEventsFunction"},
            {"OutputKey": "ApiUrl", "OutputValue": "'"$URL"'"}]}]}' ;;
        lambda-invoke)
          echo "$@" >>"$here/calls"
          case $(sed -n "$(wc -l <"$here/calls")p" "$here/faults") in
            kill-before) kill -9 $PPID ;;
            kill-after) invoke "$4" "$7"; kill -9 $PPID ;;
            lose) invoke "$4" "$7"; echo "Read timeout on endpoint URL" >&2; exit 255 ;;
            unavailable) echo '{"code": "temporarily_unavailable", "detail": "Try again."}' >"$7" ;;
            *) invoke "$4" "$7" ;;
          esac ;;
      esac
      """;

  private static final int KILLED = -9;

  @RegisterExtension private static final SharedService shared = new SharedService();
  @RegisterExtension private static final ForkedCommands commands = new ForkedCommands();

  private final ServedLocally service = shared.service();

  @TempDir private Path folder;
  private ErasedLocally erased;

  @BeforeEach
  void logIn() {
    erased = ErasedLocally.in(service, folder.resolve("states"));
  }

  @ParameterizedTest
  @CsvSource({
    "kill-before,  kill-after,  killed before and after the first call",
    "'\nkill-before', '',         killed before the second call",
    "'\nkill-after',  '',         killed after the second call",
    "'\n\nkill-before', '',       killed before the proof is shown",
    "'\n\nkill-after', '',        killed after the proof is shown",
  })
  void a_kill_at_any_call_leaves_one_proof(String first, String second, String moment)
      throws Exception {
    List<String> ids = erased.post(3, "{}");
    String arguments = "--yes --ids " + String.join(" ", ids);

    assertThat(deployed(first, arguments).exitCode()).as(moment).isEqualTo(KILLED);
    if (!second.isEmpty()) {
      assertThat(deployed(second, arguments).exitCode()).isEqualTo(KILLED);
    }
    Result result = deployed("", arguments);

    assertProof(result, ids);
    assertThat(result.output().contains("Goes on with erasure")).isEqualTo(second.isEmpty());
    assertNoState();
  }

  @Test
  void a_kill_at_a_random_moment_leaves_one_proof() throws Exception {
    Random random = new Random(32);
    Path output = folder.resolve("output");
    long start = System.nanoTime();
    erased.run("--yes --ids " + erased.post("{}"));
    long whole = System.nanoTime() - start;
    for (int i = 0; i < (Boolean.getBoolean("nightly") ? 20 : 2); i++) {
      List<String> ids = erased.post(3, "{\"n\":" + i + "}");
      String[] arguments =
          Stream.concat(Stream.of("--yes", "--ids"), ids.stream()).toArray(String[]::new);
      Process killed = erased.start(output, arguments);
      killed.waitFor(random.nextLong(whole), TimeUnit.NANOSECONDS);
      killed.destroyForcibly().waitFor();

      Result result = new Result(0, Files.readString(output));
      if (member(result, "ids sha256").isEmpty()) {
        result = erased.run(String.join(" ", arguments));
      }

      assertProof(result, ids);
    }
  }

  @Test
  void the_state_is_for_its_owner_only_and_names_the_erasure() throws Exception {
    String id = erased.post("{}");

    deployed("\nkill-before", "--yes --ids " + id);

    Path state = state();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(state)))
        .isEqualTo("rw-------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(state.getParent())))
        .isEqualTo("rwx------");
    assertThat(ServedLocally.read(Files.readString(state)).at("/request/ids/0").textValue())
        .isEqualTo(id);
  }

  @Test
  void another_request_begins_an_erasure_of_its_own() throws Exception {
    List<String> ids = erased.post(2, "{}");
    deployed("\nkill-before", "--yes --ids " + ids.getFirst());

    Result other = deployed("", "--yes --ids " + ids.getLast());
    Result first = deployed("", "--yes --ids " + ids.getFirst());

    assertProof(other, List.of(ids.getLast()));
    assertProof(first, List.of(ids.getFirst()));
    assertThat(other.output()).doesNotContain("Goes on");
    assertThat(first.output()).contains("Goes on");
  }

  @Test
  void an_erasure_that_the_service_has_lost_begins_anew() throws Exception {
    String id = erased.post("{}");
    deployed("\nkill-before", "--yes --ids " + id);
    String lost =
        ServedLocally.read(Files.readString(state())).at("/progress/erasure_id").textValue();
    service
        .service()
        .dynamoDb()
        .deleteItem(delete ->
            delete
                .tableName(service.service().name("ErasuresTable"))
                .key(Map.of("id", AttributeValue.fromS(lost))));

    Result result = deployed("", "--yes --ids " + id);

    assertThat(result.output()).startsWith("The service no longer knows erasure " + lost);
    assertProof(result, List.of(id));
    assertNoState();
  }

  @Test
  void a_damaged_state_is_named() throws Exception {
    String arguments = "--yes --ids " + erased.post("{}");
    deployed("\nkill-before", arguments);
    Path state = state();
    Files.writeString(state, Files.readString(state).substring(0, 40));

    Result failed = deployed("", arguments);

    assertThat(failed)
        .isEqualTo(
            new Result(
                1, "operate/erase: " + state + " is damaged; delete it to begin a new erasure\n"));
  }

  @ParameterizedTest
  @CsvSource({"'unavailable\nunavailable'", "'\nlose'", "'\nunavailable\nlose'", "'\n\nlose'"})
  void what_may_pass_is_tried_again(String faults) throws Exception {
    List<String> ids = erased.post(2, "{}");

    assertProof(deployed(faults, "--yes --ids " + String.join(" ", ids)), ids);
  }

  @Test
  void a_first_answer_that_is_lost_is_a_failure() throws Exception {
    Result failed = deployed("lose", "--yes --ids " + erased.post("{}"));

    assertThat(failed).isEqualTo(new Result(1, "operate/erase: Read timeout on endpoint URL\n"));
  }

  @Test
  void while_one_erasure_waits_another_is_not_disturbed() throws Exception {
    String brand = "side";
    String[] waits = {"--yes", "--brand", brand};
    String id = erased.post(BRAND.formatted(brand));
    Path output = folder.resolve("output");
    Process waiting = erased.start(output, waits);
    while (!Files.exists(erased.states()) || states().isEmpty()) {
      assertThat(waiting.isAlive()).as(Files.readString(output)).isTrue();
      Thread.sleep(20);
    }

    Result same = erased.run("--yes --brand " + brand);
    String beside = erased.post("{}");
    Result other = erased.run("--yes --ids " + beside);
    CommandOnPath.of("kill", "-INT", "" + waiting.pid()).run(Redirect.INHERIT);

    assertThat(same).isEqualTo(new Result(1, "operate/erase: the same command runs already\n"));
    assertProof(other, List.of(beside));
    assertThat(waiting.waitFor()).isEqualTo(1);
    assertThat(Files.readString(output))
        .isEqualTo(
            "operate/erase: interrupted; run the same command again: it goes on from %s\n"
                .formatted(state()));
    assertThat(erased.item(id)).isNotEmpty();
  }

  @Test
  @Tag("nightly") // the erasure waits half a minute for the index
  void kills_during_an_erasure_by_brand_leave_one_proof() throws Exception {
    List<String> ids = erased.post(250, BRAND.formatted("killed"));
    String arguments = "--yes --brand killed";
    Random random = new Random(33);
    for (int i = 0; i < 8; i++) {
      Process killed = erased.start(folder.resolve("output"), arguments.split(" "));
      killed.waitFor(200 + random.nextInt(2_000), TimeUnit.MILLISECONDS);
      killed.destroyForcibly().waitFor();
    }

    Result result = erased.run(arguments);

    assertProof(result, ids);
    assertThat(result.output()).contains("Goes on with erasure");
    assertNoState();
  }

  private void assertProof(Result result, List<String> ids) throws Exception {
    assertThat(result.exitCode()).as(result.output()).isZero();
    SortedSet<String> scanned = erased.tombstones(member(result, "erasure id"));
    assertThat(scanned).isEqualTo(new TreeSet<>(ids));
    assertThat(member(result, "count")).isEqualTo("" + ids.size());
    assertThat(member(result, "ids sha256")).isEqualTo(erased.digest(member(result, "erasure id")));
  }

  private void assertNoState() throws IOException {
    assertThat(states()).isEmpty();
  }

  private List<Path> states() throws IOException {
    try (Stream<Path> files = Files.walk(erased.states())) {
      return files.filter(file -> file.toString().endsWith(".json")).toList();
    }
  }

  private Path state() throws IOException {
    assertThat(states()).hasSize(1);
    return states().getFirst();
  }

  /**
   * Runs {@code operate/erase --stack} with the fake AWS CLI.
   *
   * @param faults a line for each invocation, such as {@code kill-before}; empty for no fault
   */
  private Result deployed(String faults, String arguments)
      throws IOException, InterruptedException {
    FakeAws aws = FakeAws.in(folder, AWS);
    Files.writeString(folder.resolve("faults"), faults + "\n");
    Files.deleteIfExists(folder.resolve("calls"));
    return commands.run(
        "./erase --stack prod " + arguments,
        aws.environment(
            Map.of("URL", service.url().toString(), "XDG_STATE_HOME", erased.states().toString())));
  }
}
