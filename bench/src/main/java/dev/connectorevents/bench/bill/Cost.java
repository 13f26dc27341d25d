package dev.connectorevents.bench.bill;

import dev.connectorevents.functions.wiring.Wiring;
import dev.connectorevents.token.KeyRing;
import java.time.Duration;
import java.util.Arrays;

/** The parts of the bill. Each part is a column: the dollars that a million events cost. */
public enum Cost {
  HTTP_API("HTTP API"),
  LAMBDA("Lambda"),
  TABLE_WRITES("table writes"),
  INDEX_WRITES("index writes"),
  /** Reads of users and of the signing key. */
  READS("reads"),
  /** Storage with point-in-time recovery. */
  STORAGE("storage, a month"),
  /** One reader that is not a Lambda function. It reads every record, in full batches. */
  STREAM("stream"),
  LOGS("logs");

  /**
   * What the bill takes as given about a function and its requests. {@code bench/run bill} measures
   * only what DynamoDB uses for an event.
   *
   * @param durationMs the billed duration of a warm request
   * @param events the number of events in a request
   * @param rate requests a second to one warm instance; a higher rate gives more cache hits
   * @param logBytes the bytes of a request's two log lines: the function's and the access log's
   */
  public record Assumptions(
      int memoryMb, double durationMs, int events, double rate, int logBytes) {

    /**
     * The share of requests that miss a cache. One request misses it in each lifetime of an entry.
     *
     * @param cached the lifetime of an entry
     */
    double missing(Duration cached) {
      return Math.min(1, 1 / (cached.toSeconds() * rate));
    }

    /** The events that one instance stores in a second, one request after the other. */
    public double eventsPerSecond() {
      return events * 1e3 / durationMs;
    }

    /**
     * The same assumptions, but for batches.
     *
     * @param size the number of events in a batch
     * @param batchMs the billed duration of a batch
     */
    public Assumptions inBatches(int size, double batchMs) {
      return new Assumptions(memoryMb, batchMs, size, rate, logBytes);
    }
  }

  private static final double MILLION = 1e6;
  private static final long KB = 1024;
  private static final double MB = 1024.0 * KB;
  private static final double GB = 1024 * MB;

  /** Bytes that DynamoDB adds to each stored item and index entry. */
  private static final long OVERHEAD = 100;

  final String title;

  Cost(String title) {
    this.title = title;
  }

  /** Dollars for a million events. */
  public double ofAMillion(Usage event, Assumptions assumed) {
    return switch (this) {
      case HTTP_API ->
          Price.HTTP_API.dollars
              * Math.ceilDiv(event.bodyBytes() * assumed.events, 512 * KB)
              / assumed.events;
      case LAMBDA ->
          (Price.LAMBDA_REQUEST.dollars
                  + Price.LAMBDA_GB_SECOND.dollars
                      * assumed.memoryMb
                      / 1024
                      * assumed.durationMs
                      / 1e3)
              / assumed.events;
      case TABLE_WRITES -> Price.WRITE_UNIT.dollars * event.tableUnits();
      case INDEX_WRITES -> Price.WRITE_UNIT.dollars * event.allIndexUnits();
      case READS ->
          reads(assumed.missing(Wiring.USER_AGE), assumed.missing(KeyRing.MAX_AGE))
              / assumed.events;
      case STORAGE -> storage(event);
      case STREAM -> // a call returns up to 1,000 records or 1 MB
          Price.STREAM_READ.dollars * Math.max(event.items() / 1e3, event.itemBytes() / MB);
      case LOGS -> Price.LOGS.dollars * MILLION * assumed.logBytes() / GB / assumed.events;
    };
  }

  /**
   * Dollars for reads.
   *
   * @param users reads of users, in millions
   * @param keys reads of the signing key, in millions
   */
  public static double reads(double users, double keys) {
    return Price.READ_UNIT.dollars * users + Price.SECRET_READ.dollars * keys;
  }

  private static double storage(Usage event) {
    double table = event.itemBytes() + OVERHEAD * event.items();
    double all = table + event.entryBytes() + OVERHEAD * event.entries();
    // Recovery is billed for tables without their global indexes.
    return MILLION / GB * (Price.STORAGE.dollars * all + Price.RECOVERY.dollars * table);
  }

  /** The sum of all parts, in dollars for a million events. */
  public static double total(Usage event, Assumptions assumed) {
    return Arrays.stream(values()).mapToDouble(cost -> cost.ofAMillion(event, assumed)).sum();
  }
}
