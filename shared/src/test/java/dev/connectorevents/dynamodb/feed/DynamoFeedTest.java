package dev.connectorevents.dynamodb.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromB;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.SideBySide;
import dev.connectorevents.dynamodb.FakeDynamoDb;
import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.dynamodb.events.ItemSize;
import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.event.EventType;
import dev.connectorevents.feed.BrandHash;
import dev.connectorevents.feed.FeedAppends;
import dev.connectorevents.feed.FeedAppendsTest;
import dev.connectorevents.feed.FeedEntry;
import dev.connectorevents.feed.ItemVersion;
import dev.connectorevents.feed.Segment;
import dev.connectorevents.feed.SequenceNumber;
import dev.connectorevents.feed.WholeFeed;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

class DynamoFeedTest extends FeedAppendsTest {

  /** The entries of {@code segment(1, 3)} in version 1. */
  private static final String KEPT =
      "01"
          + "0002"
          + "001573686f706966792e6f72646572732f637265617465"
          + "000b6769746875622e70757368"
          + "0002"
          + "00000000000000000000000000000007"
          + "00000000000000000000000000000008"
          + "0003"
          + "03"
          + "00000000000000010000000000000001"
          + "000001a1f8d3ea7b"
          + "000001a1f8d3ea7b"
          + "04"
          + "00000000000000010000000000000002"
          + "000001a1f8d3ea7b"
          + "00000000"
          + "822b" // how SHA-256 of acme begins
          + "02"
          + "00000000000000010000000000000003"
          + "000001a1f8d3ea7c"
          + "000001a1f8d3ea7b"
          + "00010001";

  @AutoClose private static final Stores service = Endpoint.stores(Path.of("../template.yaml"));
  private static final String table = service.name("FeedTable");

  private final DynamoFeed feed =
      new DynamoFeed(service.dynamoDb(), table, new SideBySide(Runnable::run, 2));

  @BeforeEach
  void emptyTable() {
    for (Map<String, AttributeValue> item :
        service.dynamoDb().scanPaginator(scan -> scan.tableName(table)).items()) {
      Map<String, AttributeValue> key = new HashMap<>(item);
      key.keySet().retainAll(Set.of("feed", "first"));
      service.dynamoDb().deleteItem(delete -> delete.tableName(table).key(key));
    }
  }

  @Override
  protected FeedAppends appends() {
    return feed;
  }

  @Override
  protected WholeFeed log() {
    return feed;
  }

  /** 1,000 entries of different types and users, all of the greatest length. */
  @Test
  void the_largest_segment_fits_into_an_item() {
    Segment largest =
        new Segment(
            "00c0ffee",
            Long.MAX_VALUE / 2,
            AT,
            IntStream.range(0, Segment.MOST_ENTRIES)
                .<FeedEntry>mapToObj(i ->
                    new FeedEntry.OfEvent(
                        new ItemVersion(UUID.randomUUID(), AT, Optional.of(AT)),
                        new EventType(("a." + i + "x".repeat(255)).substring(0, 255)),
                        UUID.randomUUID(),
                        Optional.of(new BrandHash(i))))
                .toList());

    Item item = SegmentItem.of(largest);

    assertThat(ItemSize.of(item.attributes())).isLessThan(ItemSize.LIMIT);
    assertThat(SegmentItem.segment(item)).isEqualTo(largest);
  }

  /** The feed keeps its segments: they must stay readable. */
  @Test
  void a_segment_that_was_stored_is_read_for_ever() {
    assertThat(HexFormat.of().formatHex(SegmentItem.of(segment(1, 3)).bytes("entries")))
        .isEqualTo(KEPT);
  }

  @Test
  void a_conflict_is_another_writer_and_any_other_failure_is_none() {
    assertThat(appendWhileCanceled("TransactionConflict")).isFalse();
    assertThatExceptionOfType(DependencyUnavailableException.class)
        .isThrownBy(() -> appendWhileCanceled("ThrottlingError"));
  }

  private boolean appendWhileCanceled(String reason) {
    return new DynamoFeed(new Canceling(reason), table, new SideBySide(Runnable::run, 2))
        .append("a", feed.tail("a"), segment(1, 1), new SequenceNumber("7"));
  }

  /** Cancels every transaction. */
  private record Canceling(String reason) implements FakeDynamoDb {

    @Override
    public TransactWriteItemsResponse transactWriteItems(TransactWriteItemsRequest call) {
      throw TransactionCanceledException.builder()
          .cancellationReasons(
              List.of(
                  CancellationReason.builder().code(reason).build(),
                  CancellationReason.builder().code("None").build()))
          .build();
    }
  }

  @Test
  void a_segment_of_a_newer_version_is_no_reason_to_go_past_it() {
    Map<String, AttributeValue> newer = SegmentItem.of(segment(1, 1)).attributes();
    newer.put("entries", fromB(SdkBytes.fromByteArray(new byte[] {2, 0, 0})));
    service.dynamoDb().putItem(put -> put.tableName(table).item(newer));

    assertThatExceptionOfType(DependencyUnavailableException.class)
        .isThrownBy(() -> feed.backward(9, 1));
  }
}
