package dev.connectorevents.emulator.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.emulator.function.FunctionInvoker;
import dev.connectorevents.emulator.function.Invocation;
import dev.connectorevents.emulator.function.LocalFunction;
import dev.connectorevents.emulator.template.EventSourceMapping;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Calls a function with the records of a table's stream, as Lambda's event source mappings do:
 * those of a shard in their order, each until a call with it has succeeded. It begins with the
 * oldest record that the stream has, so after a restart it calls again with what was handed over
 * before.
 */
public final class EventSource {

  /** What is left of Lambda's limit beside the records, in bytes. */
  private static final int MOST_BYTES = LocalFunction.MAX_EVENT - 2_000;

  private static final Duration LONGEST_WINDOW = Duration.ofMinutes(15);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final EventSourceMapping mapping;
  private final TableStream stream;
  private final EventFilter filter;
  private final FunctionInvoker invoker;
  private final Map<String, OpenShard> shards = new LinkedHashMap<>();

  /** A shard, and the window of its calls. */
  private static final class OpenShard {
    final String id;
    final Deque<ObjectNode> records = new ArrayDeque<>();
    JsonNode state = JsonNodeFactory.instance.objectNode();
    Instant windowStart = Instant.EPOCH;
    boolean hasCalled;

    OpenShard(String id) {
      this.id = id;
    }
  }

  public EventSource(EventSourceMapping mapping, TableStream stream, FunctionInvoker invoker) {
    this.mapping = mapping;
    this.stream = stream;
    this.filter = EventFilter.of(mapping.patterns());
    this.invoker = invoker;
  }

  /**
   * Hands over all that the stream has.
   *
   * @return false if a call has failed: the next round repeats it
   */
  public boolean poll() {
    do {
      for (OpenShard shard : shards.values()) {
        if (!endWindow(shard) || !handOver(shard)) {
          return false;
        }
      }
    } while (read());
    return true;
  }

  private boolean read() {
    Map<String, List<software.amazon.awssdk.services.dynamodb.model.Record>> read = stream.read();
    read.forEach((id, records) -> {
      OpenShard shard = shards.computeIfAbsent(id, OpenShard::new);
      records.stream()
          .map(record -> StreamEvent.record(stream.arn(), record))
          .filter(filter::passes)
          .forEach(shard.records::add);
    });
    return !read.isEmpty();
  }

  private boolean handOver(OpenShard shard) {
    while (!shard.records.isEmpty()) {
      List<ObjectNode> batch = batch(shard.records);
      if (!shard.hasCalled) {
        shard.windowStart = Instant.now();
      }
      if (!call(shard, batch)) {
        return false;
      }
      shard.hasCalled = true;
      batch.forEach(_ -> shard.records.remove());
    }
    return true;
  }

  private List<ObjectNode> batch(Deque<ObjectNode> records) {
    List<ObjectNode> batch = new ArrayList<>();
    long bytes = 0;
    for (ObjectNode record : records) {
      bytes += record.toString().getBytes(UTF_8).length + 1L;
      if (!batch.isEmpty() && (bytes > MOST_BYTES || batch.size() == mapping.batchSize())) {
        break;
      }
      batch.add(record);
    }
    return batch;
  }

  /** Makes the last call of a window in which there were others. */
  private boolean endWindow(OpenShard shard) {
    Instant end = shard.windowStart.plus(mapping.window().orElse(LONGEST_WINDOW));
    if (!shard.hasCalled || Instant.now().isBefore(end)) {
      return true;
    }
    if (!call(shard, List.of())) {
      return false;
    }
    shard.hasCalled = false;
    shard.state = JsonNodeFactory.instance.objectNode();
    return true;
  }

  private boolean call(OpenShard shard, List<ObjectNode> records) {
    ObjectNode event =
        StreamEvent.of(
            stream.arn(),
            shard.id,
            records,
            shard.windowStart,
            mapping.window().orElse(LONGEST_WINDOW),
            shard.state);
    return invoker.invoke(mapping.function(), event.toString().getBytes(UTF_8))
            instanceof Invocation.Answered(byte[] answer)
        && takeState(shard, answer);
  }

  private static boolean takeState(OpenShard shard, byte[] answer) {
    try {
      JsonNode state = JSON.readTree(answer).path("state");
      if (state.isObject()) {
        shard.state = state;
      }
      return state.isObject();
    } catch (IOException e) {
      return false;
    }
  }
}
