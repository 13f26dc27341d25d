package dev.connectorevents.local.inspector;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.connectorevents.dynamodb.events.ItemSize;
import dev.connectorevents.emulator.dynamodb.WriteObserver.Write;
import dev.connectorevents.emulator.gateway.Exchange;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * One line of the list of requests. The page gets it as JSON.
 *
 * @param operation what the route does, in the words of the API's document
 * @param stored null if nothing was stored
 * @param error why the service failed, from the log
 * @param hints what the service ignores, or why API Gateway refuses the request
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record RequestRow(
    ExchangeSummary exchange,
    @Nullable String operation,
    EventSummary event,
    RequestOutcome outcome,
    @Nullable StoredItems stored,
    @Nullable String error,
    List<RowNote> hints) {

  @JsonProperty
  RowText text() {
    return RowText.of(this);
  }

  /**
   * A request and its answer, in short.
   *
   * @param id API Gateway's id of the request
   * @param receivedAt RFC 3339, in UTC
   * @param path with the query
   * @param bytes of the request's body
   */
  record ExchangeSummary(
      String id,
      String receivedAt,
      String method,
      String path,
      int bytes,
      int status,
      double milliseconds) {

    static ExchangeSummary of(Exchange exchange) {
      String query = exchange.query().isEmpty() ? "" : "?" + Masking.mask(exchange.query());
      return new ExchangeSummary(
          exchange.id(),
          exchange.receivedAt().toString(),
          exchange.method(),
          Masking.maskTokens(exchange.path()) + query,
          exchange.body().length,
          exchange.answer().status(),
          Math.round(exchange.duration().toNanos() / 1e4) / 1e2);
    }
  }

  /**
   * What a request says of its event. Of a batch: all types and all brands, parted by commas.
   *
   * @param brand {@code brand_id} of the payload's {@code _meta}
   * @param key of the header {@code Idempotency-Key}, or of the body; null for a batch
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record EventSummary(@Nullable String type, @Nullable String brand, @Nullable String key) {}

  /**
   * What a request has written to tables.
   *
   * @param bytes of all items
   * @param isCompressed whether any payload is stored as gzip: only gzip is binary there
   * @param writeUnits of the tables, without their indexes: one for each started kilobyte of an
   *     item, twice as many in a transaction
   */
  record StoredItems(int items, long bytes, boolean isCompressed, long writeUnits) {

    /** Null if there are no writes. */
    static @Nullable StoredItems of(List<Write> writes) {
      if (writes.isEmpty()) {
        return null;
      }
      List<Map<String, AttributeValue>> items =
          writes.stream().flatMap(write -> write.items().stream()).toList();
      return new StoredItems(
          items.size(),
          items.stream().mapToLong(ItemSize::of).sum(),
          items.stream().anyMatch(StoredItems::isCompressed),
          writes.stream().mapToLong(StoredItems::units).sum());
    }

    private static long units(Write write) {
      long units = write.items().stream().mapToLong(ItemSize::of).map(ItemSize::units).sum();
      return write.isTransaction() ? 2 * units : units;
    }

    private static boolean isCompressed(Map<String, AttributeValue> item) {
      AttributeValue payload = item.get("payload");
      return payload != null && payload.b() != null;
    }
  }
}
