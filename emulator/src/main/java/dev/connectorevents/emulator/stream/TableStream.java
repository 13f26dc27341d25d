package dev.connectorevents.emulator.stream;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.DescribeStreamResponse;
import software.amazon.awssdk.services.dynamodb.model.ExpiredIteratorException;
import software.amazon.awssdk.services.dynamodb.model.GetRecordsResponse;
import software.amazon.awssdk.services.dynamodb.model.GetShardIteratorRequest;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.Shard;
import software.amazon.awssdk.services.dynamodb.model.ShardIteratorType;
import software.amazon.awssdk.services.dynamodb.model.TrimmedDataAccessException;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/**
 * Reads the stream of a table from its oldest record on, a shard after its parent.
 *
 * @see <a
 *     href="https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html">Change
 *     data capture for DynamoDB Streams</a>
 */
public final class TableStream {

  /** How long AWS keeps records. DynamoDB Local may keep them longer. */
  private static final Duration KEPT = Duration.ofHours(24);

  private final DynamoDbStreamsClient streams;
  private final String arn;

  /** Where to go on, by shard: null for a shard that is read to its end. */
  private final Map<String, @Nullable String> iterators = new LinkedHashMap<>();

  /** The number of the last record that was read, by shard. */
  private final Map<String, String> last = new HashMap<>();

  private boolean isToLook = true;

  /**
   * @throws IllegalArgumentException if the table has no stream
   */
  public TableStream(DynamoDbClient dynamoDb, DynamoDbStreamsClient streams, String table) {
    this.streams = streams;
    String latest =
        dynamoDb.describeTable(describe -> describe.tableName(table)).table().latestStreamArn();
    if (latest == null) {
      throw new IllegalArgumentException("the table " + table + " has no stream");
    }
    arn = latest;
  }

  public String arn() {
    return arn;
  }

  /** The next records of each shard, in its order. Empty if there are none for now. */
  public Map<String, List<Record>> read() {
    Map<String, List<Record>> read = new LinkedHashMap<>();
    do {
      if (isToLook || iterators.values().stream().noneMatch(Objects::nonNull)) {
        addShards();
        isToLook = false;
      }
      for (String shard : List.copyOf(iterators.keySet())) {
        List<Record> records = read(shard);
        if (!records.isEmpty()) {
          read.put(shard, records);
        }
      }
    } while (read.isEmpty() && isToLook);
    return read;
  }

  /** Adds the shards whose parents, if there are any, have been read to their ends. */
  private void addShards() {
    List<Shard> all = new ArrayList<>();
    @Nullable String after = null;
    do {
      String start = after;
      DescribeStreamResponse page =
          streams.describeStream(describe -> describe.streamArn(arn).exclusiveStartShardId(start));
      all.addAll(page.streamDescription().shards());
      after = page.streamDescription().lastEvaluatedShardId();
    } while (after != null);
    Set<String> unread = new HashSet<>();
    for (Shard shard : all) {
      if (iterators.get(shard.shardId()) != null || !iterators.containsKey(shard.shardId())) {
        unread.add(shard.shardId());
      }
    }
    for (Shard shard : all) {
      if (!iterators.containsKey(shard.shardId()) && !unread.contains(shard.parentShardId())) {
        iterators.put(shard.shardId(), iterator(shard.shardId()));
      }
    }
  }

  private String iterator(String shard) {
    GetShardIteratorRequest.Builder request =
        GetShardIteratorRequest.builder().streamArn(arn).shardId(shard);
    return streams
        .getShardIterator(
            last.containsKey(shard)
                ? request
                    .shardIteratorType(ShardIteratorType.AFTER_SEQUENCE_NUMBER)
                    .sequenceNumber(last.get(shard))
                    .build()
                : request.shardIteratorType(ShardIteratorType.TRIM_HORIZON).build())
        .shardIterator();
  }

  private List<Record> read(String shard) {
    String iterator = iterators.get(shard);
    if (iterator == null) {
      return List.of();
    }
    GetRecordsResponse page = page(shard, iterator);
    iterators.put(shard, page.nextShardIterator());
    isToLook |= page.nextShardIterator() == null;
    if (page.hasRecords() && !page.records().isEmpty()) {
      last.put(shard, page.records().getLast().dynamodb().sequenceNumber());
    }
    Instant oldest = Instant.now().minus(KEPT);
    return page.records().stream()
        .filter(it -> it.dynamodb().approximateCreationDateTime().isAfter(oldest))
        .toList();
  }

  /** An iterator expires after 15 minutes, and one of an empty stream with its first record. */
  private GetRecordsResponse page(String shard, String iterator) {
    try {
      return streams.getRecords(get -> get.shardIterator(iterator));
    } catch (ExpiredIteratorException | TrimmedDataAccessException e) {
      String other = iterator(shard);
      return streams.getRecords(get -> get.shardIterator(other));
    }
  }
}
