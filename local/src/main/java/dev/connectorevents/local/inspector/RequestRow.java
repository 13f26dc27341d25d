package dev.connectorevents.local.inspector;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.connectorevents.http.Fault;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One line of the list of requests. The page gets it as JSON.
 *
 * @param id API Gateway's id of the request
 * @param receivedAt RFC 3339, in UTC
 * @param path with the query
 * @param code of the problem, if the answer is one
 * @param detail of the problem
 * @param eventType of a batch: all types, parted by commas
 * @param brand {@code brand_id} of the payload's {@code _meta}
 * @param key of the header {@code Idempotency-Key}, or of the body
 * @param bytes of the request's body
 * @param stored what was written to the table; null if nothing was stored
 * @param error why the service failed, from the log
 * @param batch counts, if the request is a batch
 * @param faults at most 100; of a batch also other problems of its events
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record RequestRow(
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
    @Nullable Batch batch,
    double milliseconds,
    @Nullable String error,
    List<Fault> faults,
    List<String> hints) {

  /** What became of the events of a batch. */
  record Batch(int events, int stored, int replayed, int refused, int failed) {

    @JsonValue
    @Override
    public String toString() {
      return "%d event%s: ".formatted(events, events == 1 ? "" : "s")
          + Stream.of(
                  count(stored, "stored"),
                  count(replayed, "replayed"),
                  count(refused, "refused"),
                  count(failed, "failed"))
              .filter(text -> !text.isEmpty())
              .collect(Collectors.joining(", "));
    }

    private static String count(int number, String what) {
      return number == 0 ? "" : number + " " + what;
    }
  }

  /**
   * Events in their table.
   *
   * @param bytes of all its items
   * @param writeUnits of the table
   * @param indexUnits write units of the table's indexes
   */
  record Stored(int items, long bytes, double writeUnits, double indexUnits) {}
}
