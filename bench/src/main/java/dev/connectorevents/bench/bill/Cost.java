package dev.connectorevents.bench.bill;

import dev.connectorevents.functions.wiring.Wiring;
import dev.connectorevents.token.KeyRing;
import java.time.Duration;
import java.util.Arrays;

/** What a million events of one kind cost, in dollars: each is a column of the bill. */
public enum Cost {
  HTTP_API("HTTP API"),
  LAMBDA("Lambda"),
  TABLE_WRITES("table writes"),
  INDEX_WRITES("index writes"),
  /** Of users and of the signing key. */
  READS("reads"),
  /** With its recovery. */
  STORAGE("storage, a month"),
  /** If a reader other than Lambda takes everything once, in full batches. */
  STREAM("stream"),
  LOGS("logs");

  /**
   * What cannot be measured on one machine.
   *
   * @param durationMs billed for a warm request
   * @param events of a request
   * @param rate of requests a second in a warm function: it decides how often caches serve
   * @param logBytes of a request's two lines: ours and the access log's
   */
  public record Assumptions(
      int memoryMb, double durationMs, int events, double rate, int logBytes) {

    /** The part of the requests that finds what is cached for so long no longer there. */
    double missing(Duration cached) {
      return Math.min(1, 1 / (cached.toSeconds() * rate));
    }

    /** The same with batches, which take longer. */
    public Assumptions inBatches(int size, double batchMs) {
      return new Assumptions(memoryMb, batchMs, size, rate, logBytes);
    }
  }

  private static final double MILLION = 1e6;
  private static final long KB = 1024;
  private static final double MB = 1024.0 * KB;
  private static final double GB = 1024 * MB;

  /** What DynamoDB adds to each item and each index entry that it stores, in bytes. */
  private static final long OVERHEAD = 100;

  final String title;

  Cost(String title) {
    this.title = title;
  }

  /** What a million events cost. */
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
      case STREAM -> // a call takes 1,000 records, or 1 MB
          Price.STREAM_READ.dollars * Math.max(event.items() / 1e3, event.itemBytes() / MB);
      case LOGS -> Price.LOGS.dollars * MILLION * assumed.logBytes() / GB / assumed.events;
    };
  }

  /** What so many million reads cost: of users, and of the signing key. */
  public static double reads(double users, double keys) {
    return Price.READ_UNIT.dollars * users + Price.SECRET_READ.dollars * keys;
  }

  private static double storage(Usage event) {
    double table = event.itemBytes() + OVERHEAD * event.items();
    double all = table + event.entryBytes() + OVERHEAD * event.entries();
    // Recovery is billed for tables without their global indexes.
    return MILLION / GB * (Price.STORAGE.dollars * all + Price.RECOVERY.dollars * table);
  }

  /** All of them together. */
  public static double total(Usage event, Assumptions assumed) {
    return Arrays.stream(values()).mapToDouble(cost -> cost.ofAMillion(event, assumed)).sum();
  }
}
