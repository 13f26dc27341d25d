package dev.connectorevents.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.emulator.CommandOnPath.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A fake events table, as if restored from a backup, and a fake ledger of erasures. The methods
 * {@code will...} prepare the answers of a fake AWS CLI, in the order of the calls. Any other read
 * or write gets an empty answer. The CLI keeps the requests.
 */
final class RestoredTable {

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String TABLE = "restored";

  private static final Map<String, String> OUTPUTS =
      Map.of(
          "EraseEventsFunctionName", "erase",
          "ErasuresTableName", "ledger",
          "EventsTableName", "events",
          "ApiUrl", "https://api.example");

  private final Path folder;
  private final FakeAws aws;
  private int reads;
  private int writes;

  /**
   * Makes the fake AWS CLI.
   *
   * @param folder an empty folder for the fake CLI and its files
   * @param erasures the service's list of erasures, in JSON
   */
  RestoredTable(Path folder, String erasures) throws IOException, InterruptedException {
    this.folder = folder;
    aws =
        FakeAws.in(folder, Files.readString(Path.of("src/test/resources/aws-with-restored-table")));
    Files.writeString(folder.resolve("erasures"), erasures);
    List<Map<String, String>> outputs =
        OUTPUTS.entrySet().stream()
            .map(output -> Map.of("OutputKey", output.getKey(), "OutputValue", output.getValue()))
            .toList();
    write("stacks", Map.of("Stacks", List.of(Map.of("Outputs", outputs))));
  }

  /**
   * Adds a page of ids to the ledger.
   *
   * @param page the page's key: the erasure and a number, such as {@code since#1}
   */
  void addToLedger(String page, String... ids) throws IOException {
    List<JsonNode> list = Stream.of(ids).map(RestoredTable::text).toList();
    write(page, Map.of("Item", Map.of("ids", Map.of("L", list))));
  }

  /** An event as a read returns it: without an Idempotency-Key, and in one item. */
  static ObjectNode event(String id, String createdAt) {
    ObjectNode head = JSON.createObjectNode();
    head.set("id", text(id));
    head.set("created_at", text(createdAt));
    return head;
  }

  /** An event with an Idempotency-Key. Its payload continues in {@code parts} further items. */
  static ObjectNode largeEvent(String id, String createdAt, int parts) {
    ObjectNode head = event(id, createdAt);
    head.putObject("parts").put("N", "" + parts);
    head.putObject("request").put("B", "AA==");
    return head;
  }

  /** An event that is already erased, as a read returns it. */
  static ObjectNode tombstone(String id, String erasedAt) {
    ObjectNode tombstone = JSON.createObjectNode();
    tombstone.set("id", text(id));
    tombstone.set("erased_at", text(erasedAt));
    return tombstone;
  }

  private static JsonNode text(String value) {
    return JSON.createObjectNode().put("S", value);
  }

  private static JsonNode key(String id) {
    return JSON.createObjectNode().set("id", text(id));
  }

  /** Prepares the answer to a read: these items, and no unprocessed key. */
  void willRead(ObjectNode... items) throws IOException {
    willRead(List.of(items), Map.of());
  }

  /** Prepares the answer to a read: no item, and this id as an unprocessed key. */
  void willLeaveUnread(String id) throws IOException {
    willRead(List.of(), Map.of(TABLE, Map.of("Keys", List.of(key(id)))));
  }

  private void willRead(List<ObjectNode> items, Map<String, ?> unprocessed) throws IOException {
    write(
        "batch-get-item-" + ++reads,
        Map.of("Responses", Map.of(TABLE, items), "UnprocessedKeys", unprocessed));
  }

  /** Prepares the answer to a write: the deletion of the item with this id is unprocessed. */
  void willLeaveUndeleted(String id) throws IOException {
    Object request = Map.of("DeleteRequest", Map.of("Key", key(id)));
    write(
        "batch-write-item-" + ++writes,
        Map.of("UnprocessedItems", Map.of(TABLE, List.of(request))));
  }

  private void write(String file, Object json) throws IOException {
    JSON.writeValue(folder.resolve(file).toFile(), json);
  }

  /** Runs an operators' command with the fake AWS CLI. */
  Result run(ForkedCommands commands, String command) throws IOException {
    return commands.run(command, aws.environment(Map.of()));
  }

  /** The requests to read items, in order. */
  List<JsonNode> readRequests() throws IOException {
    return requests("batch-get-item");
  }

  /** The requests to put or delete items, in order. */
  List<JsonNode> writeRequests() throws IOException {
    return requests("batch-write-item");
  }

  private List<JsonNode> requests(String operation) throws IOException {
    return Files.readAllLines(folder.resolve(operation)).stream()
        .map(line -> ServedLocally.read(line).get(TABLE))
        .toList();
  }
}
