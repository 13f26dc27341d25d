package dev.connectorevents.bench.bill;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.bench.SampleRequest;
import dev.connectorevents.bench.ServiceClient;
import dev.connectorevents.dynamodb.ItemSize;
import dev.connectorevents.emulator.Emulator;
import dev.connectorevents.emulator.dynamodb.CapacityMeter;
import dev.connectorevents.emulator.dynamodb.CapacityMeter.Write;
import dev.connectorevents.emulator.template.FunctionDefinition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;

/** Sends events to the service, and reads from DynamoDB what each of them used. */
final class Meter {

  /** A row of the bill; plain is what the event would use with its payload as it was sent. */
  public record Metered(SampleRequest sample, Usage usage, Usage plain) {}

  private static final String TABLE = "EVENTS_TABLE";

  final FunctionDefinition writer;
  private final String table;
  private final DynamoDbClient dynamoDb;
  private final ServiceClient connector;

  Meter(Emulator service) throws IOException {
    writer =
        service.template().functions().stream()
            .filter(function -> function.environment().containsKey(TABLE))
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("no function has an " + TABLE));
    table = writer.environment().getOrDefault(TABLE, "");
    dynamoDb = service.dynamoDb();
    connector = new ServiceClient(service);
  }

  /** Stores the event of that sample; throws IllegalArgumentException if it is not stored. */
  Metered measure(SampleRequest sample) throws IOException {
    CapacityMeter.take();
    String path = writer.routes().getFirst().path();
    JsonNode answer = connector.post(path, sample.body(), sample.headers());
    List<Write> writes = CapacityMeter.take();
    if (!answer.has("id") || writes.size() != 1) {
      throw new IllegalArgumentException(answer.toString());
    }
    Usage usage = usage(sample, writes.getFirst());
    Map<String, AttributeValue> plain = new HashMap<>(writes.getFirst().items().getFirst());
    plain.put("payload", AttributeValue.fromS(sample.payload()));
    return new Metered(sample, usage, usage.inItemsOf(ItemSize.of(plain)));
  }

  private Usage usage(SampleRequest sample, Write write) {
    List<AttributeValue> ids = write.items().stream().map(item -> item.get("id")).toList();
    SortedMap<String, Double> indexUnits = new TreeMap<>();
    List<Map<String, AttributeValue>> entries = new ArrayList<>();
    for (GlobalSecondaryIndexDescription index :
        dynamoDb.describeTable(it -> it.tableName(table)).table().globalSecondaryIndexes()) {
      String name = index.indexName();
      indexUnits.put(name, write.indexUnits(name));
      dynamoDb.scanPaginator(scan -> scan.tableName(table).indexName(name)).items().stream()
          .filter(entry -> ids.contains(entry.get("id")))
          .forEach(entries::add);
    }
    return new Usage(
        sample.body().getBytes(UTF_8).length,
        write.items().size(),
        bytes(write.items()),
        entries.size(),
        bytes(entries),
        write.tableUnits(),
        indexUnits);
  }

  private static long bytes(List<Map<String, AttributeValue>> items) {
    return items.stream().mapToLong(ItemSize::of).sum();
  }
}
