package dev.connectorevents.local;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.connectorevents.http.Fault;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One line of the list of requests. The page gets it as JSON.
 *
 * @param id API Gateway's id of the request
 * @param receivedAt RFC 3339, in UTC
 * @param path with the query
 * @param code of the problem, if the answer is one
 * @param detail of the problem
 * @param brand {@code brand_id} of the payload's {@code _meta}
 * @param key the Idempotency-Key
 * @param bytes of the request's body
 * @param stored what was written to the table; null if nothing was stored
 * @param error why the service failed, from the log
 * @param faults at most 100
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Row(
    String id,
    String receivedAt,
    String method,
    String path,
    int status,
    @Nullable String code,
    @Nullable String detail,
    @Nullable String eventType,
    @Nullable String brand,
    @Nullable String key,
    boolean isReplayed,
    @Nullable String eventId,
    int bytes,
    @Nullable Stored stored,
    double milliseconds,
    @Nullable String error,
    List<Fault> faults,
    List<String> hints) {

  /**
   * An event in its table.
   *
   * @param bytes of all its items
   * @param writeUnits of the table
   * @param indexUnits write units of the table's indexes
   */
  record Stored(int items, long bytes, double writeUnits, double indexUnits) {}
}
