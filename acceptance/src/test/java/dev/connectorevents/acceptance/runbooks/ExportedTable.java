package dev.connectorevents.acceptance.runbooks;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Exports the table of events into files, as DynamoDB does into S3.
 *
 * @param table the table's name in DynamoDB
 * @see <a
 *     href="https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/S3DataExport.Output.html">The
 *     formats</a>
 */
record ExportedTable(DynamoDbClient dynamoDb, String table) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Writes half of the items as a full export. Writes the others as an incremental export, which
   * also has a deletion.
   */
  void writeTo(Path folder) throws IOException {
    List<Object> full = new ArrayList<>();
    List<Object> changes = new ArrayList<>();
    Map<String, ?> metadata = Map.of("WriteTimestampMicros", Map.of("N", "1795442885437000"));
    changes.add(Map.of("Metadata", metadata, "Keys", Map.of("id", Map.of("S", "deleted"))));
    for (Map<String, AttributeValue> item : items()) {
      Map<String, Object> image = new TreeMap<>();
      item.forEach((name, value) -> image.put(name, json(value)));
      Map<String, Object> key = Map.of("id", requireNonNull(image.get("id")));
      if (full.size() < changes.size()) {
        full.add(Map.of("Item", image));
      } else {
        changes.add(Map.of("Metadata", metadata, "Keys", key, "NewImage", image));
      }
    }
    write(folder.resolve("full/data/a.json.gz"), full);
    write(folder.resolve("b.json.gz"), changes);
  }

  /** The items, in an order that puts the two items of the large event into different files. */
  private List<Map<String, AttributeValue>> items() {
    return dynamoDb.scanPaginator(scan -> scan.tableName(table)).items().stream()
        .sorted(Comparator.comparing(ExportedTable::id))
        .toList();
  }

  private static String id(Map<String, AttributeValue> item) {
    return requireNonNull(item.get("id")).s();
  }

  private static Map<String, String> json(AttributeValue value) {
    return switch (value.type()) {
      case S -> Map.of("S", value.s());
      case N -> Map.of("N", value.n());
      case B -> Map.of("B", Base64.getEncoder().encodeToString(value.b().asByteArray()));
      default -> throw new IllegalArgumentException(value.toString());
    };
  }

  private static void write(Path file, List<Object> lines) throws IOException {
    Files.createDirectories(file.getParent());
    try (OutputStream gzip = new GZIPOutputStream(Files.newOutputStream(file))) {
      for (Object line : lines) {
        gzip.write(JSON.writeValueAsBytes(line));
        gzip.write('\n');
      }
    }
  }
}
