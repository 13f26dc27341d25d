package dev.connectorevents.dynamodb.feed;

import static dev.connectorevents.dynamodb.Calls.call;
import static dev.connectorevents.dynamodb.feed.SegmentItem.EVENTS;
import static dev.connectorevents.dynamodb.feed.SegmentItem.FEED;
import static dev.connectorevents.dynamodb.feed.SegmentItem.FIRST;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromN;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.SideBySide;
import dev.connectorevents.dynamodb.Condition;
import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.dynamodb.Transactions;
import dev.connectorevents.feed.FeedAppends;
import dev.connectorevents.feed.MarkNote;
import dev.connectorevents.feed.Segment;
import dev.connectorevents.feed.SequenceNumber;
import dev.connectorevents.feed.Whole;
import dev.connectorevents.feed.WholeFeed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * The feed in a DynamoDB table: an item for each segment, for the progress of each shard, for the
 * note of each mark, and for what the feed is known to hold.
 *
 * <p>All reads are consistent: a reader that has seen a position never finds a feed that ends
 * before it, nor a gap.
 */
public final class DynamoFeed implements WholeFeed, FeedAppends {

  /** Begins the key of a shard's progress. */
  private static final String SHARD = "shard ";

  private static final String PROGRESS = "sequence_number";

  private static final int MOST_NOTES = 1_000;

  private static final String IS_STILL = PROGRESS + " = :read";
  private static final String IS_FREE = "attribute_not_exists(" + FEED + ")";

  private final DynamoDbClient dynamoDb;
  private final String table;
  private final SideBySide sideBySide;

  /**
   * @param sideBySide runs the two reads of the feed's end, and the writes of notes
   */
  public DynamoFeed(DynamoDbClient dynamoDb, String table, SideBySide sideBySide) {
    this.dynamoDb = dynamoDb;
    this.table = table;
    this.sideBySide = sideBySide;
  }

  @Override
  public List<Segment> forward(long first, int most) {
    return segments(" >= ", first, true, most);
  }

  @Override
  public List<Segment> backward(long position, int most) {
    return segments(" <= ", position, false, most);
  }

  private List<Segment> segments(String comparison, long position, boolean isForward, int most) {
    return query(EVENTS, comparison, position, isForward, most).stream()
        .map(SegmentItem::segment)
        .toList();
  }

  private List<Item> query(
      String feed, String comparison, long position, boolean isForward, int most) {
    return call(
            "Query on feed",
            () ->
                dynamoDb.query(query ->
                    query
                        .tableName(table)
                        .consistentRead(true)
                        .keyConditionExpression("#feed = :feed AND #first" + comparison + ":first")
                        .expressionAttributeNames(Map.of("#feed", FEED, "#first", FIRST))
                        .expressionAttributeValues(
                            Map.of(":feed", fromS(feed), ":first", fromN("" + position)))
                        .scanIndexForward(isForward)
                        .limit(most)))
        .items()
        .stream()
        .map(Item::new)
        .toList();
  }

  @Override
  public Tail tail(String shard) {
    List<Optional<Item>> ends =
        sideBySide.run(
            List.of(EVENTS, SHARD + shard),
            feed -> query(feed, " <= ", Long.MAX_VALUE, false, 1).stream().findFirst());
    return new Tail(
        ends.getFirst().map(SegmentItem::segment),
        ends.getLast().map(progress -> progress.optional(PROGRESS, SequenceNumber::new)));
  }

  @Override
  public boolean append(String shard, Tail tail, Segment segment, SequenceNumber progress) {
    Item moved = new Item().put(FEED, SHARD + shard).put(FIRST, 0).put(PROGRESS, progress.digits());
    Put.Builder append = put(SegmentItem.of(segment)).conditionExpression(IS_FREE);
    Put.Builder move = put(moved);
    tail.progress()
        .ifPresentOrElse(
            read ->
                move.conditionExpression(IS_STILL)
                    .expressionAttributeValues(Map.of(":read", fromS(read.digits()))),
            () -> move.conditionExpression(IS_FREE));
    List<TransactWriteItem> writes =
        Stream.of(append, move)
            .map(put -> TransactWriteItem.builder().put(put.build()).build())
            .toList();
    try {
      write(writes);
      return true;
    } catch (TransactionCanceledException e) { // only for a condition
      return false;
    } catch (DependencyUnavailableException e) {
      if (Transactions.isConflict(e.getCause())) {
        return false;
      }
      throw e;
    }
  }

  @Override
  public void note(List<MarkNote> marks) {
    sideBySide.run(
        marks,
        note ->
            call(
                "PutItem on feed",
                () ->
                    dynamoDb.putItem(
                        put -> put.tableName(table).item(WholeItem.of(note).attributes()))));
  }

  private void write(List<TransactWriteItem> items) {
    call(
        "TransactWriteItems on feed",
        () -> dynamoDb.transactWriteItems(write -> write.transactItems(items)));
  }

  @Override
  public List<MarkNote> notes() {
    List<MarkNote> notes = new ArrayList<>();
    int read;
    do { // an answer has room for those of some hundred shards
      int next = notes.isEmpty() ? 0 : notes.getLast().mark() + 1;
      List<Item> more = query(WholeItem.MARK, " >= ", next, true, MOST_NOTES);
      more.stream().map(WholeItem::note).forEach(notes::add);
      read = more.size();
    } while (read == MOST_NOTES);
    return notes;
  }

  @Override
  public Optional<Whole> whole() {
    return query(WholeItem.WHOLE, " >= ", 0, true, 1).stream().findFirst().map(WholeItem::whole);
  }

  @Override
  public boolean replace(Optional<Whole> read, Whole next) {
    Condition isStill =
        read.map(it -> Condition.isStill(WholeItem.of(it), WholeItem.ATTRIBUTES))
            .orElse(new Condition(IS_FREE, null, null));
    Item item = WholeItem.of(next).put(FEED, WholeItem.WHOLE).put(FIRST, 0);
    try {
      call(
          "PutItem on feed",
          () ->
              dynamoDb.putItem(put ->
                  put.tableName(table)
                      .item(item.attributes())
                      .conditionExpression(isStill.expression())
                      .expressionAttributeNames(isStill.names())
                      .expressionAttributeValues(isStill.values())));
      return true;
    } catch (ConditionalCheckFailedException e) { // or the SDK has retried this very write
      return false;
    }
  }

  private Put.Builder put(Item item) {
    return Put.builder().tableName(table).item(item.attributes());
  }
}
