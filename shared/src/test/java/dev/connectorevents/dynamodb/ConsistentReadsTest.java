package dev.connectorevents.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.connectorevents.Promise;
import dev.connectorevents.SideBySide;
import dev.connectorevents.dynamodb.erasure.DynamoErasableEvents;
import dev.connectorevents.dynamodb.erasure.DynamoErasureLedger;
import dev.connectorevents.dynamodb.events.DynamoEventLookup;
import dev.connectorevents.dynamodb.events.DynamoMarkedEvents;
import dev.connectorevents.dynamodb.feed.DynamoFeed;
import dev.connectorevents.dynamodb.users.DynamoLoginAttempts;
import dev.connectorevents.dynamodb.users.DynamoUserLookup;
import dev.connectorevents.dynamodb.users.DynamoUsers;
import dev.connectorevents.erasure.ErasableEvents;
import dev.connectorevents.erasure.ErasureSelector;
import dev.connectorevents.event.Timestamp;
import dev.connectorevents.user.Email;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;

/**
 * Checks that these reads ask for strong consistency. Only then does DynamoDB return everything
 * that was written before. DynamoDB Local always returns everything, so these tests check the
 * requests.
 *
 * @see <a
 *     href="https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.ReadConsistency.html">Read
 *     consistency</a>
 */
class ConsistentReadsTest {

  private static final UUID ID = new UUID(1, 2);
  private static final Email EMAIL = Email.parse("a@example.com").orElseThrow();
  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");

  static Stream<Arguments> reads() {
    return Stream.of(
        read("a user", it -> new DynamoUserLookup(it, "t").find(EMAIL)),
        read("all users", it -> new DynamoUsers(it, "t", "h").list(Optional.empty(), 3)),
        read(
            "failed logins",
            it -> new DynamoLoginAttempts(it, "t", Clock.systemUTC()).toWait(EMAIL, "192.0.2.1")),
        read("an event", it -> lookup(it).find(ID, Optional.empty())),
        read("an event, with a scope", it -> lookup(it).find(ID, Optional.of(type -> true))),
        read("the events under keys", it -> lookup(it).stored(Set.of(ID))),
        read("an event to be erased", it -> erasable(it).read(ID)),
        read("events by id", it -> page(it, new ErasureSelector.Ids(List.of(ID)))),
        read("all events", it -> page(it, new ErasureSelector.All())),
        read("tombstones", it -> erasable(it).erased(List.of(ID))),
        read("an erasure", it -> new DynamoErasureLedger(it, "t").find(ID)),
        read("the ids of an erasure", it -> new DynamoErasureLedger(it, "t").step(ID, 1)),
        read("the notes of marks", it -> feed(it).notes()),
        read("what the feed holds", it -> feed(it).whole()),
        read("the last beat", it -> marked(it).last()),
        read("the events of a new stack", it -> marked(it).all()),
        read("the feed", it -> feed(it).backward(1, 1)),
        read("the feed forward", it -> feed(it).forward(1, 1)),
        read("the end of the feed", it -> feed(it).tail("s")),
        read("all erasures", it -> new DynamoErasureLedger(it, "t").list(Optional.empty())));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("reads")
  @Promise({
    "**An acknowledged event is never missing**: the service reads consistently.",
    "reads the table consistently, and does not wait",
    "The service reads the user for each request"
  })
  void what_was_written_before_is_read(String what, Consumer<DynamoDbClient> read) {
    EmptyTable table = new EmptyTable();

    read.accept(table);

    assertThat(table.isConsistent).as("reads of %s", what).isNotEmpty().containsOnly(true);
  }

  private static Arguments read(String what, Consumer<DynamoDbClient> read) {
    return arguments(what, read);
  }

  private static DynamoEventLookup lookup(DynamoDbClient table) {
    return new DynamoEventLookup(table, "t", Clock.systemUTC(), pause -> {});
  }

  private static DynamoErasableEvents erasable(DynamoDbClient table) {
    return new DynamoErasableEvents(table, "t", feed(table), () -> NOW, pause -> {});
  }

  private static DynamoFeed feed(DynamoDbClient table) {
    return new DynamoFeed(table, "t", new SideBySide(Runnable::run, 2));
  }

  private static DynamoMarkedEvents marked(DynamoDbClient table) {
    return new DynamoMarkedEvents(table, "t", new SideBySide(Runnable::run, 2), pause -> {});
  }

  private static void page(DynamoDbClient table, ErasureSelector selector) {
    erasable(table)
        .page(
            new ErasableEvents.Search(
                selector, Timestamp.EARLIEST, NOW, true, new ErasableEvents.Source.AsItIs()),
            Optional.empty());
  }

  /** A table without items. Records for each read whether its request asks for consistency. */
  private static final class EmptyTable implements FakeDynamoDb {

    private final List<Boolean> isConsistent = new ArrayList<>();

    @Override
    public GetItemResponse getItem(GetItemRequest request) {
      isConsistent.add(Boolean.TRUE.equals(request.consistentRead()));
      return GetItemResponse.builder().build();
    }

    @Override
    public BatchGetItemResponse batchGetItem(BatchGetItemRequest request) {
      for (KeysAndAttributes each : request.requestItems().values()) {
        isConsistent.add(Boolean.TRUE.equals(each.consistentRead()));
      }
      return BatchGetItemResponse.builder().responses(Map.of("t", List.of())).build();
    }

    @Override
    public QueryResponse query(QueryRequest request) {
      isConsistent.add(Boolean.TRUE.equals(request.consistentRead()));
      return QueryResponse.builder().items(List.of()).build();
    }

    @Override
    public ScanResponse scan(ScanRequest request) {
      isConsistent.add(Boolean.TRUE.equals(request.consistentRead()));
      return ScanResponse.builder().items(List.of()).build();
    }
  }
}
