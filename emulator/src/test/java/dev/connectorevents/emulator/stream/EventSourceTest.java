package dev.connectorevents.emulator.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromN;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.emulator.EmulatorOptions;
import dev.connectorevents.emulator.Fixtures;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.emulator.function.Invocation;
import dev.connectorevents.emulator.template.EventSourceMapping;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The calls that a function gets with a table's stream. */
@SuppressWarnings("NullAway.Init")
class EventSourceTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Invocation FAILED = new Invocation.Failed("no", "no", null, null);

  @TempDir private Path directory;

  /** The calls so far. */
  private final List<JsonNode> calls = new ArrayList<>();

  private Invocation answer = answer("{\"state\":{}}");

  private static Invocation answer(String text) {
    return new Invocation.Answered(text.getBytes(UTF_8));
  }

  private Invocation call(String function, byte[] event) {
    try {
      assertThat(function).isEqualTo("NumberThings");
      calls.add(JSON.readTree(event));
      return answer;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private EventSource source(Stores stores, int batchSize, Duration window, String... patterns) {
    EventSourceMapping mapping =
        new EventSourceMapping(
            "Things", "NumberThings", batchSize, List.of(patterns), Optional.of(window));
    return stores.eventSource(mapping, this::call);
  }

  private Stores stores() throws IOException {
    return Stores.start(
        new EmulatorOptions(Fixtures.echoTemplate(), 0, Optional.of(directory), Map.of()));
  }

  private static void put(Stores stores, int from, int to) {
    for (int i = from; i < to; i++) {
      String kind = i % 2 == 0 ? "even" : "odd";
      String number = "" + i;
      stores
          .dynamoDb()
          .putItem(put ->
              put.tableName("Things")
                  .item(Map.of("id", fromS(number), "kind", fromS(kind), "n", fromN(number))));
    }
  }

  private static List<String> ids(JsonNode call) {
    return StreamSupport.stream(call.get("Records").spliterator(), false)
        .map(record -> record.at("/dynamodb/NewImage/id/S").asText())
        .toList();
  }

  @Test
  void records_come_in_their_order_in_batches_that_name_the_shard() throws IOException {
    try (Stores stores = stores()) {
      EventSource source = source(stores, 2, Duration.ofMinutes(15));
      assertThat(source.poll()).as("an empty stream").isTrue();
      put(stores, 0, 5);

      assertThat(source.poll()).isTrue();
      assertThat(source.poll()).isTrue();

      assertThat(calls)
          .extracting(EventSourceTest::ids)
          .containsExactly(List.of("0", "1"), List.of("2", "3"), List.of("4"));
      JsonNode call = calls.getFirst();
      assertThat(call.path("shardId").asText()).startsWith("shardId-");
      assertThat(call.path("isFinalInvokeForWindow").asBoolean()).isFalse();
      assertThat(call.at("/Records/0/eventName").asText()).isEqualTo("INSERT");
      assertThat(call.at("/Records/0/dynamodb/NewImage/n/N").asText()).isEqualTo("0");
      assertThat(call.at("/Records/1/dynamodb/SequenceNumber").asText())
          .isGreaterThan(call.at("/Records/0/dynamodb/SequenceNumber").asText());
    }
  }

  @Test
  void only_what_a_pattern_matches_is_handed_over() throws IOException {
    try (Stores stores = stores()) {
      put(stores, 0, 5);

      source(
              stores,
              9,
              Duration.ofMinutes(15),
              "{\"dynamodb\":{\"NewImage\":{\"kind\":{\"S\":[\"odd\"]}}}}",
              "{\"eventName\":[\"INSERT\"],\"dynamodb\":{\"NewImage\":{\"id\":{\"S\":[\"4\"]}}}}")
          .poll();

      assertThat(calls).extracting(EventSourceTest::ids).containsExactly(List.of("1", "3", "4"));
    }
  }

  @Test
  void a_call_that_fails_or_answers_no_state_is_repeated_before_any_other() throws IOException {
    try (Stores stores = stores()) {
      EventSource source = source(stores, 2, Duration.ofMinutes(15));
      put(stores, 0, 3);
      for (Invocation bad :
          List.of(FAILED, new Invocation.Throttled(), answer("{}"), answer("x"))) {
        answer = bad;
        assertThat(source.poll()).isFalse();
      }
      answer = answer("{\"state\":{\"n\":1}}");

      assertThat(source.poll()).isTrue();

      assertThat(calls)
          .extracting(EventSourceTest::ids)
          .containsExactly(
              List.of("0", "1"),
              List.of("0", "1"),
              List.of("0", "1"),
              List.of("0", "1"),
              List.of("0", "1"),
              List.of("2"));
      assertThat(calls.getLast().path("state"))
          .as("of the call before")
          .isEqualTo(json("{\"n\":1}"));
    }
  }

  private static JsonNode json(String text) throws IOException {
    return JSON.readTree(text);
  }

  @Test
  void a_window_with_records_ends_with_a_call_without_any() throws IOException {
    try (Stores stores = stores()) {
      EventSource source = source(stores, 9, Duration.ZERO);
      put(stores, 0, 1);

      source.poll();
      source.poll();
      source.poll();

      assertThat(calls).extracting(EventSourceTest::ids).containsExactly(List.of("0"), List.of());
      assertThat(calls.getLast().path("isFinalInvokeForWindow").asBoolean()).isTrue();
    }
  }

  /** What was acknowledged before a kill is handed over after it: at least once. */
  @Test
  void the_stream_is_read_from_its_beginning_after_a_restart() throws IOException {
    try (Stores stores = stores()) {
      put(stores, 0, 2);
      source(stores, 9, Duration.ofMinutes(15)).poll();
      put(stores, 2, 4);
    }
    calls.clear();

    try (Stores stores = stores()) {
      source(stores, 9, Duration.ofMinutes(15)).poll();
    }

    assertThat(calls).extracting(EventSourceTest::ids).containsExactly(List.of("0", "1", "2", "3"));
  }
}
