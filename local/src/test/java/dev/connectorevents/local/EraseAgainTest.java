package dev.connectorevents.local;

import static dev.connectorevents.local.RestoredTable.event;
import static dev.connectorevents.local.RestoredTable.largeEvent;
import static dev.connectorevents.local.RestoredTable.tombstone;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.emulator.CommandOnPath.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs {@code local/erase --again} with a fake AWS CLI. {@code RestoreDrillTest} runs the command
 * on a table of DynamoDB Local.
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

  /** A time before the first erasure began. */
  private static final String BEFORE = "2026-11-20T10:59:59.999Z";

  @RegisterExtension private static final SharedService shared = new SharedService();
  @RegisterExtension private static final ForkedCommands commands = new ForkedCommands();

  @TempDir private Path folder;
  private RestoredTable table;

  @BeforeEach
  void restore() throws IOException, InterruptedException {
    table = new RestoredTable(folder, ERASURES);
  }

  @Test
  void older_events_of_later_and_open_erasures_are_erased_again() throws Exception {
    table.addToLedger("old#1", "old");
    table.addToLedger("since#1", "first-page", "tombstone", "absent");
    table.addToLedger("since#2", "second-page");
    table.addToLedger("since#3"); // the end
    table.addToLedger("under-way#1", "older", "newer");
    table.willRead(event("first-page", BEFORE), tombstone("tombstone", SINCE)); // since#1
    table.willRead(event("second-page", BEFORE)); // since#2
    table.willRead( // under-way#1: its erasure began at 11:30
        event("older", "2026-11-20T11:29:59.999Z"), event("newer", "2026-11-20T11:30:00.000Z"));

    Result result = again();

    assertThat(result.output()).isEqualTo("3 events erased again on restored, of 2 erasures.\n");
    assertThat(writes())
        .containsExactly(
            "put first-page of since", "put second-page of since", "put older of under-way");
  }

  @Test
  void all_parts_are_deleted_before_the_tombstone_is_put() throws Exception {
    table.addToLedger("since#1", "large");
    table.willLeaveUnread("large");
    table.willRead(largeEvent("large", BEFORE, 2)); // the same read, repeated
    table.willLeaveUndeleted("large#2");

    Result result = again();

    assertThat(result.output()).startsWith("1 event erased again");
    assertThat(table.readRequests())
        .extracting(request -> request.at("/Keys/0/id/S").textValue())
        .containsExactly("large", "large");
    assertThat(writes())
        .containsExactly("delete large#1, delete large#2", "delete large#2", "put large of since");
  }

  @Test
  void a_tombstone_keeps_nothing_of_its_event_and_expires_only_without_a_key() throws Exception {
    table.addToLedger("since#1", "without-key", "with-key");
    table.willRead(event("without-key", BEFORE), largeEvent("with-key", BEFORE, 0));

    again();

    JsonNode put = table.writeRequests().getFirst();
    JsonNode withoutKey = put.at("/0/PutRequest/Item");
    assertThat(withoutKey.fieldNames())
        .toIterable()
        .containsExactlyInAnyOrder(
            "id", "created_at", "lane", "erased_at", "erasure_id", "expires_at");
    assertThat(put.at("/1/PutRequest/Item").fieldNames())
        .toIterable()
        .containsExactlyInAnyOrder("id", "created_at", "lane", "erased_at", "erasure_id");
    String erasedAt = withoutKey.at("/erased_at/S").textValue();
    assertThat(withoutKey.at("/created_at/S").textValue()).isEqualTo(erasedAt);
    assertThat(withoutKey.at("/lane/S").textValue()).matches("[0-7]");
    assertThat(erasedAt).hasSize("2026-11-20T12:00:00.000Z".length());
    assertThat(Instant.parse(erasedAt)).isCloseTo(Instant.now(), within(5, ChronoUnit.MINUTES));
    assertThat(withoutKey.at("/expires_at/N").textValue())
        .isEqualTo("" + Instant.parse(erasedAt).plus(Duration.ofDays(35)).getEpochSecond());
  }

  @Test
  void heads_are_read_consistently_a_hundred_at_a_time_and_written_25_at_a_time() throws Exception {
    String[] ids = IntStream.range(0, 130).mapToObj(i -> "id-" + i).toArray(String[]::new);
    table.addToLedger("under-way#1", ids);
    table.willRead( // the first 100 ids: 60 of them still have an event
        IntStream.range(0, 60).mapToObj(i -> event("id-" + i, BEFORE)).toArray(ObjectNode[]::new));
    table.willRead(); // the other 30

    Result result = again();

    assertThat(result.output()).startsWith("60 events erased again");
    assertThat(table.readRequests())
        .extracting(request -> request.get("Keys").size())
        .containsExactly(100, 30);
    assertThat(table.readRequests())
        .allSatisfy(request -> assertThat(request.get("ConsistentRead").asBoolean()).isTrue());
    assertThat(table.writeRequests()).extracting(JsonNode::size).containsExactly(25, 25, 10);
  }

  @Test
  void the_table_of_the_service_is_refused() throws Exception {
    Result failed =
        table.run(commands, "./erase --stack prod --again " + SINCE + " --table events");

    assertThat(failed)
        .isEqualTo(
            new Result(1, "local/erase: events is the table of the service, not a restored one\n"));
  }

  @Test
  void on_a_local_service_the_aws_cli_must_not_call_aws() throws Exception {
    int port = shared.service().url().getPort();

    Result failed =
        ErasedLocally.bash(
            "env -u AWS_ENDPOINT_URL_DYNAMODB ./erase --port %d --again %s --table restored 2>&1"
                .formatted(port, SINCE));

    assertThat(failed.exitCode()).isEqualTo(1);
    assertThat(failed.output()).startsWith("local/erase: --again needs the lines `export ...`");
  }

  private Result again() throws IOException {
    return table.run(commands, "./erase --stack prod --again " + SINCE + " --table restored");
  }

  /**
   * The write requests, each in short form: {@code put ID of ERASURE}, or {@code delete ID#1,
   * delete ID#2}.
   */
  private List<String> writes() throws IOException {
    return table.writeRequests().stream()
        .map(request ->
            StreamSupport.stream(request.spliterator(), false)
                .map(EraseAgainTest::inShort)
                .collect(Collectors.joining(", ")))
        .toList();
  }

  private static String inShort(JsonNode write) {
    JsonNode item = write.at("/PutRequest/Item");
    return item.isMissingNode()
        ? "delete " + write.at("/DeleteRequest/Key/id/S").textValue()
        : "put %s of %s"
            .formatted(item.at("/id/S").textValue(), item.at("/erasure_id/S").textValue());
  }
}
