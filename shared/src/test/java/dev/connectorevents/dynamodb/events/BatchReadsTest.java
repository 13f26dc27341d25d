package dev.connectorevents.dynamodb.events;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.Promise;
import dev.connectorevents.dynamodb.FakeDynamoDb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;

/** Tests {@link BatchReads} on a table that returns fewer items than requested. */
class BatchReadsTest {

  private static final String TABLE = "table";

  private final List<Duration> pauses = new ArrayList<>();

  @Test
  @Promise("The answer is complete.")
  void what_a_call_leaves_out_is_asked_for_again() {
    Partial table = new Partial(2);

    assertThat(reads(table).get(List.of("a", "b", "c", "d", "e"), KeysAndAttributes.builder()))
        .containsOnlyKeys("a", "b", "c", "d", "e");
    assertThat(table.calls).isEqualTo(3);
    assertThat(pauses).as("each call brings something").isEmpty();
  }

  @Test
  void keys_without_an_item_are_progress() {
    Partial table = new Partial(1);
    table.isEmpty = true;

    assertThat(reads(table).get(List.of("a", "b", "c", "d", "e", "f"), KeysAndAttributes.builder()))
        .isEmpty();
    assertThat(table.calls).isEqualTo(6);
    assertThat(pauses).isEmpty();
  }

  @Test
  @Promise("If DynamoDB does not answer for all keys in time, the request gets 503.")
  void a_table_that_returns_nothing_is_unavailable() {
    Partial table = new Partial(0);

    assertThatExceptionOfType(DependencyUnavailableException.class)
        .isThrownBy(() -> reads(table).get(List.of("a"), KeysAndAttributes.builder()));
    assertThat(table.calls).isEqualTo(5);
    assertThat(pauses)
        .extracting(Duration::toMillis)
        .as("each pause is twice as long as the one before")
        .containsExactly(50L, 100L, 200L, 400L);
  }

  @Test
  void after_its_time_only_what_is_needed_is_waited_for() {
    Partial table = new Partial(2);
    List<String> ids = List.of("a", "b", "c", "d", "e");

    BatchReads.Read late =
        reads(table).get(ids, KeysAndAttributes.builder(), List.of("a"), () -> true);
    BatchReads.Read soon =
        reads(new Partial(2)).get(ids, KeysAndAttributes.builder(), List.of(), new TrueFromCall(2));

    assertThat(late.items()).containsOnlyKeys("a");
    assertThat(late.unread()).containsExactly("b", "c", "d", "e");
    assertThat(soon.items()).containsOnlyKeys("a", "b", "c", "d");
    assertThat(soon.unread()).containsExactly("e");
  }

  @Test
  void a_table_that_stops_returning_anything_ends_a_read_of_which_nothing_more_is_needed() {
    Partial table = new Partial(2);
    table.mostCalls = 1;
    List<String> ids = List.of("a", "b", "c");

    assertThat(
            reads(table).get(ids, KeysAndAttributes.builder(), List.of("a"), () -> false).unread())
        .containsExactly("c");
    assertThatExceptionOfType(DependencyUnavailableException.class)
        .isThrownBy(
            () -> reads(table).get(ids, KeysAndAttributes.builder(), List.of("a"), () -> false));
  }

  private static final class TrueFromCall implements BooleanSupplier {
    private int left;

    TrueFromCall(int calls) {
      left = calls;
    }

    @Override
    public boolean getAsBoolean() {
      return left-- <= 0;
    }
  }

  private BatchReads reads(Partial table) {
    return new BatchReads(table, TABLE, pauses::add);
  }

  /**
   * A table that processes at most {@code itemsPerCall} keys a call. If it {@code isEmpty}, no key
   * has an item.
   */
  private static final class Partial implements FakeDynamoDb {

    private final int itemsPerCall;
    private boolean isEmpty;
    private int mostCalls = Integer.MAX_VALUE;
    private int calls;

    Partial(int itemsPerCall) {
      this.itemsPerCall = itemsPerCall;
    }

    @Override
    public BatchGetItemResponse batchGetItem(BatchGetItemRequest request) {
      calls++;
      KeysAndAttributes wanted = requireNonNull(request.requestItems().get(TABLE));
      List<Map<String, AttributeValue>> keys = wanted.keys();
      int found = calls > mostCalls ? 0 : Math.min(itemsPerCall, keys.size());
      List<Map<String, AttributeValue>> rest = keys.subList(found, keys.size());
      return BatchGetItemResponse.builder()
          .responses(Map.of(TABLE, isEmpty ? List.of() : List.copyOf(keys.subList(0, found))))
          .unprocessedKeys(
              rest.isEmpty() ? Map.of() : Map.of(TABLE, wanted.toBuilder().keys(rest).build()))
          .build();
    }
  }
}
