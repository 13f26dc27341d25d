package dev.connectorevents.bench.bill;

/**
 * What a million events of one kind cost, in dollars.
 *
 * @param reads of users and of the signing key
 * @param storage for a month, with its recovery
 * @param stream if a reader other than Lambda takes everything once, in full batches
 */
record Cost(
    double httpApi,
    double lambda,
    double tableWrites,
    double indexWrites,
    double reads,
    double storage,
    double stream,
    double logs) {

  private static final double MILLION = 1e6;
  private static final double GB = 1L << 30;
  private static final double MB = 1L << 20;
  private static final long HTTP_API_INCREMENT = 512 * 1024;
  private static final int RECORDS_PER_READ = 1_000;
  private static final int USER_SECONDS = 5;
  private static final int SECRET_SECONDS = 300;

  /** What DynamoDB adds to each item and each index entry that it stores, in bytes. */
  private static final long OVERHEAD = 100;

  static Cost ofAMillion(Usage event, Assumptions assumptions) {
    return new Cost(
        Price.HTTP_API.dollars() * Math.ceilDiv(event.bodyBytes(), HTTP_API_INCREMENT),
        Price.LAMBDA_REQUEST.dollars()
            + Price.LAMBDA_GB_SECOND.dollars() * assumptions.gigabyteSeconds(),
        Price.WRITE_UNIT.dollars() * event.tableUnits(),
        Price.WRITE_UNIT.dollars() * event.indexUnits(),
        Price.READ_UNIT.dollars() * assumptions.missing(USER_SECONDS)
            + Price.SECRET_READ.dollars() * assumptions.missing(SECRET_SECONDS),
        storage(event),
        Price.STREAM_READ.dollars()
            * Math.max(event.items() / (double) RECORDS_PER_READ, event.itemBytes() / MB),
        Price.LOGS.dollars() * MILLION * assumptions.logBytes() / GB);
  }

  private static double storage(Usage event) {
    double table = event.itemBytes() + OVERHEAD * event.items();
    double indexes = event.entryBytes() + OVERHEAD * event.entries();
    // Recovery is billed for tables without their global indexes.
    return MILLION
        / GB
        * (Price.STORAGE.dollars() * (table + indexes) + Price.RECOVERY.dollars() * table);
  }

  double total() {
    return httpApi + lambda + tableWrites + indexWrites + reads + storage + stream + logs;
  }
}
