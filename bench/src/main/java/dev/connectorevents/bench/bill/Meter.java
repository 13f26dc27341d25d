package dev.connectorevents.bench.bill;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.dynamodb.DynamoEvents;
import dev.connectorevents.dynamodb.ItemBytes;
import dev.connectorevents.event.StoreOutcome;
import dev.connectorevents.event.Submission;
import dev.connectorevents.functions.createevent.Intake;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Stores events through the real store, and reads from DynamoDB what each of them used. */
final class Meter implements AutoCloseable {

  private final CapacityRecorder recorder = new CapacityRecorder();
  private final List<Submission> submissions = new ArrayList<>();
  private final DynamoDbClient client;
  private final EventsTable table;

  Meter(URI dynamoDb, EventsTable table) {
    this.table = table;
    this.client =
        DynamoDbClient.builder()
            .endpointOverride(dynamoDb)
            .overrideConfiguration(settings -> settings.addExecutionInterceptor(recorder))
            .build();
  }

  /**
   * Stores the event of that sample.
   *
   * @throws IllegalArgumentException if it is not stored, saying why
   */
  Metered measure(Sample sample) {
    DynamoEvents events = new DynamoEvents(client, table.name(), new Random());
    Intake intake =
        new Intake(submission -> {
          submissions.add(submission);
          return events.store(submission);
        });
    StoreOutcome outcome = intake.take(sample.body(), sample.key());
    List<Write> writes = recorder.take();
    if (!(outcome instanceof StoreOutcome.Stored) || writes.size() != 1) {
      throw new IllegalArgumentException(outcome.toString());
    }
    return metered(sample, writes.getFirst());
  }

  private Metered metered(Sample sample, Write write) {
    Map<String, Double> indexUnits = new TreeMap<>();
    table.indexes().forEach((index, keys) -> indexUnits.put(index, write.indexUnits(index)));
    List<Map<String, AttributeValue>> entries = table.entries(write.items());
    Usage usage =
        new Usage(
            sample.body().getBytes(UTF_8).length,
            write.items().size(),
            bytes(write.items()),
            entries.size(),
            bytes(entries),
            write.tableUnits(),
            indexUnits.values().stream().mapToDouble(Double::doubleValue).sum());
    String text = submissions.getLast().payload().text();
    long plain =
        new ItemBytes(write.items().getFirst()).withoutPayload()
            + "payload".length()
            + text.getBytes(UTF_8).length;
    return new Metered(sample, usage, usage.inItemsOf(plain), indexUnits);
  }

  private static long bytes(List<Map<String, AttributeValue>> items) {
    return items.stream().mapToLong(item -> new ItemBytes(item).all()).sum();
  }

  @Override
  public void close() {
    client.close();
  }
}
