package dev.connectorevents.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.emulator.CommandOnPath;
import dev.connectorevents.emulator.CommandOnPath.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs `local/erase --again` with a fake AWS CLI. RestoreDrillTest runs it on a table that has been
 * restored.
 */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "these tests need bash")
@SuppressWarnings("NullAway.Init")
class EraseAgainTest {

  private static final String SINCE = "2026-11-20T12:00:00Z";

  private static final String ERASURES =
      """
      {"erasures": [
        {"erasure_id": "old", "begun": "2026-11-20T11:00:00Z", "ended": "2026-11-20T11:59:59.999Z"},
        {"erasure_id": "since", "begun": "2026-11-20T11:00:00Z", "ended": "2026-11-20T12:00:00Z"},
        {"erasure_id": "under-way", "begun": "2026-11-20T11:30:00Z"}]}
      """;

  /**
   * A fake AWS CLI. Its folder has the ledger's items by their ids, and the answers of each batch
   * operation by their number. It keeps each request of a batch.
   */
  private static final String AWS =
      """
      #!/usr/bin/env bash
      cd "$(dirname "$0")"
      output() { echo '{"OutputKey": "'$1'", "OutputValue": "'$2'"}'; }
      case $1-$2 in
        cloudformation-describe-stacks)
          echo '{"Stacks": [{"Outputs": ['"$(output EraseEventsFunctionName erase), \
            $(output ErasuresTableName erasures), $(output EventsTableName events), \
            $(output ApiUrl https://api.example)"']}]}' ;;
        lambda-invoke) cat erasures >"$7" ;;
        dynamodb-get-item)
          [[ $4 == erasures && $* == *--consistent-read* ]] || exit 1
          id=${6#*: \\"} && id=${id##*: \\"} && cat "${id%%\\"*}" 2>/dev/null ;;
        dynamodb-batch-*)
          cat >>"$2" && echo >>"$2"
          cat "$2-$(wc -l <"$2")" 2>/dev/null ;;
      esac
      exit 0
      """;

  @TempDir private Path folder;
  private FakeAws aws;

  @BeforeEach
  void makeAws() throws IOException, InterruptedException {
    CommandOnPath.assumeWorks("python3", "--version");
    aws = FakeAws.in(folder, AWS);
    write("erasures", ERASURES);
  }

  @Test
  void events_of_later_and_open_erasures_become_tombstones_and_lose_their_parts_first()
      throws Exception {
    ledger("old#1", "old");
    ledger("since#1", "plain", "large", "tombstone", "absent");
    ledger("since#2", "second-page");
    ledger("under-way#1", "open");
    reads(1, event("plain"), "large", "tombstone", "absent");
    reads(
        2,
        event("large")
                .replaceFirst("}$", ", \"parts\": {\"N\": \"2\"}, \"request\": {\"B\": \"AA==\"}}")
            + ", {\"id\": {\"S\": \"tombstone\"}, \"erased_at\": {\"S\": \""
            + SINCE
            + "\"}}");
    reads(3);
    reads(4, event("open"));
    write(
        "batch-write-item-1",
        "{\"UnprocessedItems\": {\"restored\": [{\"DeleteRequest\": {\"Key\": {\"id\": {\"S\": \"large#2\"}}}}]}}");

    Result result = again();

    assertThat(result.output()).isEqualTo("3 events erased again on restored, of 2 erasures.\n");
    List<JsonNode> writes = requests("batch-write-item");
    assertThat(writes)
        .extracting(EraseAgainTest::shortly)
        .containsExactly(
            "delete large#1, delete large#2",
            "delete large#2",
            "put plain of since, put large of since",
            "put open of under-way");
    JsonNode plain = writes.get(2).at("/restored/0/PutRequest/Item");
    JsonNode large = writes.get(2).at("/restored/1/PutRequest/Item");
    assertThat(large.fieldNames())
        .toIterable()
        .containsExactlyInAnyOrder("id", "erased_at", "erasure_id");
    assertThat(plain.size()).isEqualTo(4);
    Instant erasedAt = Instant.parse(plain.at("/erased_at/S").textValue());
    assertThat(plain.at("/erased_at/S").textValue()).hasSize("2026-11-20T12:00:00.000Z".length());
    assertThat(erasedAt).isCloseTo(Instant.now(), within(5, ChronoUnit.MINUTES));
    assertThat(plain.at("/expires_at/N").textValue())
        .isEqualTo("" + erasedAt.plus(Duration.ofDays(35)).getEpochSecond());
  }

  @Test
  void an_event_that_was_created_after_the_erasure_began_keeps_its_key() throws Exception {
    ledger("under-way#1", "older", "newer");
    reads(
        1,
        event("older", "2026-11-20T11:29:59.999Z")
            + ","
            + event("newer", "2026-11-20T11:30:00.000Z"));

    Result result = again();

    assertThat(result.output()).startsWith("1 event erased again");
    assertThat(requests("batch-write-item"))
        .extracting(EraseAgainTest::shortly)
        .containsExactly("put older of under-way");
  }

  @Test
  void heads_are_read_consistently_a_hundred_at_a_time_and_written_25_at_a_time() throws Exception {
    String[] ids = IntStream.range(0, 130).mapToObj(i -> "id-" + i).toArray(String[]::new);
    ledger("under-way#1", ids);
    reads(
        1, IntStream.range(0, 60).mapToObj(i -> event("id-" + i)).collect(Collectors.joining(",")));
    reads(2);

    Result result = again();

    assertThat(result.output()).startsWith("60 events erased again");
    assertThat(requests("batch-get-item"))
        .extracting(request -> request.at("/restored/Keys").size())
        .containsExactly(100, 30);
    assertThat(requests("batch-get-item").getFirst().at("/restored/ConsistentRead").asBoolean())
        .isTrue();
    assertThat(requests("batch-write-item"))
        .extracting(request -> request.get("restored").size())
        .containsExactly(25, 25, 10);
  }

  @Test
  void the_table_of_the_service_is_refused() throws Exception {
    Result failed = aws.run("./erase --stack prod --again " + SINCE + " --table events");

    assertThat(failed)
        .isEqualTo(
            new Result(1, "local/erase: events is the table of the service, not a restored one\n"));
  }

  @Test
  void on_a_local_service_the_aws_cli_must_not_call_aws() throws Exception {
    try (ServedLocally service = ServedLocally.start()) {
      Result failed =
          aws.run(
              "env -u AWS_ENDPOINT_URL_DYNAMODB ./erase --port %d --again %s --table restored"
                  .formatted(service.url().getPort(), SINCE));

      assertThat(failed.exitCode()).isEqualTo(1);
      assertThat(failed.output()).startsWith("local/erase: --again needs the lines `export ...`");
    }
  }

  private Result again() throws IOException, InterruptedException {
    return aws.run("./erase --stack prod --again " + SINCE + " --table restored");
  }

  private void write(String file, String text) throws IOException {
    Files.writeString(folder.resolve(file), text);
  }

  private void ledger(String page, String... ids) throws IOException {
    String list =
        Stream.of(ids).map(id -> "{\"S\": \"" + id + "\"}").collect(Collectors.joining(", "));
    write(page, "{\"Item\": {\"ids\": {\"L\": [" + list + "]}}}");
  }

  /** The attributes of an event without a key that a read returns. */
  private static String event(String id) {
    return event(id, "2026-11-20T10:59:59.999Z");
  }

  private static String event(String id, String createdAt) {
    return "{\"id\": {\"S\": \"%s\"}, \"created_at\": {\"S\": \"%s\"}}".formatted(id, createdAt);
  }

  /** The answer of a read: items, and the ids that are left unprocessed. */
  private void reads(int number, String items, String... unprocessed) throws IOException {
    String keys =
        Stream.of(unprocessed)
            .map(id -> "{\"id\": {\"S\": \"" + id + "\"}}")
            .collect(Collectors.joining(", "));
    String rest = unprocessed.length == 0 ? "" : "\"restored\": {\"Keys\": [" + keys + "]}";
    write(
        "batch-get-item-" + number,
        "{\"Responses\": {\"restored\": [" + items + "]}, \"UnprocessedKeys\": {" + rest + "}}");
  }

  private void reads(int number) throws IOException {
    reads(number, "");
  }

  private List<JsonNode> requests(String operation) throws IOException {
    return Files.readAllLines(folder.resolve(operation)).stream().map(ServedLocally::read).toList();
  }

  private static String shortly(JsonNode request) {
    return StreamSupport.stream(request.get("restored").spliterator(), false)
        .map(write ->
            write.has("PutRequest")
                ? "put %s of %s"
                    .formatted(
                        write.at("/PutRequest/Item/id/S").textValue(),
                        write.at("/PutRequest/Item/erasure_id/S").textValue())
                : "delete " + write.at("/DeleteRequest/Key/id/S").textValue())
        .collect(Collectors.joining(", "));
  }
}
