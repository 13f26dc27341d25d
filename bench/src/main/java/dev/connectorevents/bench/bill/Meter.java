package dev.connectorevents.bench.bill;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.bench.SampleRequest;
import dev.connectorevents.bench.ServiceClient;
import dev.connectorevents.dynamodb.events.ItemSize;
import dev.connectorevents.emulator.Emulator;
import dev.connectorevents.emulator.EmulatorOptions;
import dev.connectorevents.emulator.dynamodb.CapacityMeter.Write;
import dev.connectorevents.emulator.function.RecordedInvocation;
import dev.connectorevents.emulator.template.FunctionDefinition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;

/** Stores events with the service, and measures what DynamoDB uses for each event. */
final class Meter implements AutoCloseable {

  /**
   * A row of the bill.
   *
   * @param plain what the event would use if the service stored its payload uncompressed
   */
  public record Metered(SampleRequest sample, Usage usage, Usage plain) {}

  private static final String TABLE = "EVENTS_TABLE";

  final FunctionDefinition writer;
  private final String table;
  private final Emulator service;
  private final Queue<RecordedInvocation> calls;
  private final ServiceClient connector;

  /** Starts the service. */
  static Meter start(Path template) throws IOException {
    Queue<RecordedInvocation> calls = new ConcurrentLinkedQueue<>();
    EmulatorOptions options =
        EmulatorOptions.inMemory(template)
            .observed(exchange -> exchange.call().ifPresent(calls::add));
    return new Meter(Emulator.start(options), calls);
  }

  private Meter(Emulator service, Queue<RecordedInvocation> calls) throws IOException {
    this.service = service;
    this.calls = calls;
    writer =
        service.template().functions().stream()
            .filter(function -> function.environment().containsKey(TABLE))
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("no function has an " + TABLE));
    table = writer.environment().getOrDefault(TABLE, "");
    connector = new ServiceClient(service);
  }

  /**
   * Stores the sample's event, and returns what DynamoDB uses for it.
   *
   * @throws IllegalArgumentException if the service does not store the event
   */
  Metered measure(SampleRequest sample) throws IOException {
    String path = writer.routes().getFirst().path();
    JsonNode answer = connector.post(path, sample.body(), sample.headers());
    RecordedInvocation call = calls.poll();
    List<Write> writes = call == null ? List.of() : call.writes();
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
        service
            .dynamoDb()
            .describeTable(it -> it.tableName(table))
            .table()
            .globalSecondaryIndexes()) {
      String name = index.indexName();
      indexUnits.put(name, write.indexUnits(name));
      service
          .dynamoDb()
          .scanPaginator(scan -> scan.tableName(table).indexName(name))
          .items()
          .stream()
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

  @Override
  public void close() {
    service.close();
  }

  private static long bytes(List<Map<String, AttributeValue>> items) {
    return items.stream().mapToLong(ItemSize::of).sum();
  }
}
