package dev.connectorevents.bench.bill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.connectorevents.bench.bill.Cost.Assumptions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CostTest {

  private static final Assumptions ASSUMPTIONS = new Assumptions(1024, 5, 1, 1, 1 << 10);
  private static final Usage ONE = new Usage(1, 1, 1, 1, 1, 1, new TreeMap<>());

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          # body, items, bytes,  entries, entry bytes, units, index units | http, writes, index, storage, stream
             1000,     1,   924,        0,           0,     1,           0, 1, 0.625, 0.000,  0.4292, 0.0002
             8192,     1,  2972,        2,         224,     3,           2, 1, 1.875, 1.250,  1.3862, 0.0006
           524288,     1, 52328,        1,         156,    52,           1, 1, 32.50, 0.625, 22.0319, 0.0100
           524289,     2, 614300,       1,         156,  1200,           1, 2, 750.0, 0.625, 257.594, 0.1172
          """)
  void a_million_events_cost_their_units_and_bytes_at_the_prices(
      long bodyBytes,
      int items,
      long itemBytes,
      int entries,
      long entryBytes,
      double tableUnits,
      double indexUnits,
      double httpApi,
      double tableWrites,
      double indexWrites,
      double storage,
      double stream) {
    Usage usage =
        new Usage(
            bodyBytes,
            items,
            itemBytes,
            entries,
            entryBytes,
            tableUnits,
            new TreeMap<>(Map.of("one", indexUnits - 0.5, "other", 0.5)));

    assertThat(Cost.HTTP_API.ofAMillion(usage, ASSUMPTIONS)).isEqualTo(httpApi);
    assertThat(Cost.TABLE_WRITES.ofAMillion(usage, ASSUMPTIONS)).isEqualTo(tableWrites);
    assertThat(Cost.INDEX_WRITES.ofAMillion(usage, ASSUMPTIONS)).isEqualTo(indexWrites);
    assertThat(Cost.STORAGE.ofAMillion(usage, ASSUMPTIONS)).isCloseTo(storage, within(0.001));
    assertThat(Cost.STREAM.ofAMillion(usage, ASSUMPTIONS)).isCloseTo(stream, within(0.0001));
    assertThat(Cost.total(usage, ASSUMPTIONS))
        .isCloseTo(
            httpApi + 0.26667 + tableWrites + indexWrites + 0.04167 + storage + stream + 0.47684,
            within(0.01));
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          # memory, ms, events/s, log bytes | Lambda, reads, logs
              1024,  5,        1,      1024, 0.26667, 0.04167, 0.47684
              1769,  5,        1,       360, 0.31517, 0.04167, 0.16764
               512, 20,      100,         0, 0.33333, 0.00042, 0.00000
              1024,  0,    0.001,         0, 0.20000, 5.12500, 0.00000
          """)
  void the_rest_follows_from_the_assumptions(
      int memoryMb,
      double durationMs,
      double eventsPerSecond,
      int logBytes,
      double lambda,
      double reads,
      double logs) {
    Assumptions assumed = new Assumptions(memoryMb, durationMs, 1, eventsPerSecond, logBytes);

    assertThat(Cost.LAMBDA.ofAMillion(ONE, assumed)).isCloseTo(lambda, within(0.00001));
    assertThat(Cost.READS.ofAMillion(ONE, assumed)).isCloseTo(reads, within(0.00001));
    assertThat(Cost.LOGS.ofAMillion(ONE, assumed)).isCloseTo(logs, within(0.00001));
  }

  @Test
  void a_batch_shares_what_is_paid_for_a_request() {
    Usage usage = new Usage(2_048, 1, 900, 2, 200, 1, new TreeMap<>(Map.of("index", 2.0)));
    Assumptions batches = ASSUMPTIONS.inBatches(100, 100);

    assertThat(Cost.HTTP_API.ofAMillion(usage, batches)).isEqualTo(0.01);
    assertThat(Cost.LAMBDA.ofAMillion(usage, batches))
        .isCloseTo((0.20 + 1.33334) / 100, within(0.00001));
    assertThat(Cost.LOGS.ofAMillion(usage, batches)).isCloseTo(0.0047684, within(0.00001));
    for (Cost stored : List.of(Cost.TABLE_WRITES, Cost.INDEX_WRITES, Cost.STORAGE, Cost.STREAM)) {
      assertThat(stored.ofAMillion(usage, batches))
          .isEqualTo(stored.ofAMillion(usage, ASSUMPTIONS));
    }
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          # bytes | units, items
              1024,     1,     1
              1025,     2,     1
            409600,   400,     1
            409601,   802,     2
           1228800,  2400,     3
          """)
  void a_plain_event_takes_a_unit_a_kilobyte_and_two_in_a_transaction(
      long bytes, double units, int items) {
    Usage plain = ONE.inItemsOf(bytes);

    assertThat(plain.tableUnits()).isEqualTo(units);
    assertThat(plain.items()).isEqualTo(items);
  }
}
