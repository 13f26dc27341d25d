package dev.connectorevents.bench.bill;

/**
 * What one event uses.
 *
 * @param bodyBytes of its request
 * @param items in the table
 * @param itemBytes of all of them, as DynamoDB counts for a write
 * @param entries in the indexes
 * @param entryBytes of all of them
 * @param tableUnits write units of the table
 * @param indexUnits write units of all indexes
 */
record Usage(
    long bodyBytes,
    int items,
    long itemBytes,
    int entries,
    long entryBytes,
    double tableUnits,
    double indexUnits) {

  private static final long ITEM_LIMIT = 400 * 1024;
  private static final long WRITE_UNIT = 1024;

  /** The same event in items of that size in all: in a transaction where one cannot hold it. */
  Usage inItemsOf(long bytes) {
    int needed = (int) Math.ceilDiv(bytes, ITEM_LIMIT);
    long units = Math.ceilDiv(bytes, WRITE_UNIT) * (needed == 1 ? 1 : 2);
    return new Usage(bodyBytes, needed, bytes, entries, entryBytes, units, indexUnits);
  }
}
