package dev.connectorevents.dynamodb.erasure;

import static dev.connectorevents.dynamodb.Calls.call;
import static dev.connectorevents.dynamodb.erasure.ErasableItems.placed;
import static dev.connectorevents.dynamodb.events.EventAttributes.CREATED_AT;
import static dev.connectorevents.dynamodb.events.EventAttributes.EVENT_TYPE;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.dynamodb.erasure.ErasableItems.Named;
import dev.connectorevents.dynamodb.events.BatchReads;
import dev.connectorevents.erasure.ErasableEvents;
import dev.connectorevents.erasure.ErasableEvents.Entry;
import dev.connectorevents.erasure.ErasableEvents.Page;
import dev.connectorevents.erasure.ErasableEvents.Search;
import dev.connectorevents.erasure.ErasableEvents.Source;
import dev.connectorevents.erasure.ErasureSelector;
import dev.connectorevents.event.Timestamp;
import dev.connectorevents.feed.FeedReader;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;

/** Finds the events of an erasure, page by page: in the table, in the index, or in the feed. */
final class ErasablePages {

  /** In characters: a UUID, and the number of a part. */
  private static final int LONGEST_ID = 100;

  private final DynamoDbClient dynamoDb;
  private final String table;
  private final BatchReads reads;
  private final ErasableItems items;
  private final PagesOfIndex index;
  private final PagesOfFeed feed;

  /**
   * @param reads of the same table
   */
  ErasablePages(DynamoDbClient dynamoDb, String table, BatchReads reads, FeedReader feed) {
    this.dynamoDb = dynamoDb;
    this.table = table;
    this.reads = reads;
    this.items = new ErasableItems(reads);
    this.index = new PagesOfIndex(dynamoDb, table, reads, items);
    this.feed = new PagesOfFeed(feed, items);
  }

  /** As {@link ErasableEvents#page}. */
  Page page(Search search, Optional<String> after) {
    boolean isScan = search.source() instanceof Source.Table;
    return switch (search.selector()) {
      case ErasureSelector.Ids(List<UUID> ids) -> ofIds(ids, search, after);
      case ErasureSelector.All _ -> scan(search, after);
      case ErasureSelector.WithoutBrand(String brand) -> feed.withoutBrand(brand, search, after);
      case ErasureSelector.Brand _, ErasureSelector.Sender _ when isScan -> scan(search, after);
      case ErasureSelector.Brand(String brand) -> ofBrand(brand, search, after);
      case ErasureSelector.Sender sender ->
          feed.page(
              search,
              after,
              search.from(),
              entry ->
                  entry.userId().equals(sender.userId())
                      && sender.types().map(it -> it.contains(entry.type())).orElse(true));
    };
  }

  private Page ofIds(List<UUID> ids, Search search, Optional<String> after) {
    int begin =
        placed(() -> Objects.checkIndex(Integer.parseInt(after.orElse("0")), ids.size() + 1));
    return items.page(
        IntStream.range(begin, ids.size())
            .mapToObj(i -> new Named(ids.get(i), Integer.toString(i + 1)))
            .toList(),
        search,
        Optional.empty());
  }

  /** Of the index, and then of the feed, for what the index may lack. */
  private Page ofBrand(String brand, Search search, Optional<String> after) {
    boolean hasFeed = search.source() instanceof Source.UpTo;
    return hasFeed && after.filter(place -> place.startsWith(PagesOfFeed.BEGIN)).isPresent()
        ? feed.page(
            search,
            after,
            search.before().minus(ErasableEvents.INDEX_LAG.plus(FeedReader.CLOCKS)),
            PagesOfFeed.ofBrand(brand))
        : index.page(
            brand, search, after, hasFeed ? Optional.of(PagesOfFeed.BEGIN) : Optional.empty());
  }

  private Page scan(Search search, Optional<String> after) {
    after.ifPresent(id -> placed(() -> Objects.checkIndex(id.length() - 1, LONGEST_ID)));
    ScanResponse read =
        call(
            "Scan on events",
            () ->
                dynamoDb.scan(scan -> {
                  scan.tableName(table)
                      .consistentRead(true)
                      .limit(ErasableItems.PAGE)
                      .returnConsumedCapacity(reads.capacity())
                      .filterExpression(
                          "attribute_exists(%s) AND %s BETWEEN :from AND :before"
                              .formatted(EVENT_TYPE, CREATED_AT))
                      .expressionAttributeValues(
                          Map.of(
                              ":from",
                              fromS(Timestamp.of(search.from())),
                              ":before",
                              fromS(Timestamp.of(search.before()))));
                  after.ifPresent(id -> scan.exclusiveStartKey(Map.of("id", fromS(id))));
                }));
    reads.meter(read.consumedCapacity());
    return new Page(
        read.items().stream()
            .flatMap(item -> ErasableItems.event(new Item(item), search).stream())
            .map(event -> new Entry(event, event.id().toString()))
            .toList(),
        Item.afterPage(read.lastEvaluatedKey()).map(key -> key.text("id")));
  }
}
