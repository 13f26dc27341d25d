package dev.connectorevents.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.connectorevents.bench.bill.Cost.Assumptions;
import dev.connectorevents.bench.bill.Usage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScaleTest {

  /** What the usual event of {@code bench/run scale} uses. */
  private static final Usage EVENT =
      new Usage(2_198, 1, 1_062, 2, 276, 2, new TreeMap<>(Map.of("by_brand", 1.0, "by_time", 1.0)));

  /** What the events with files of {@code bench/run scale} use. */
  private static final List<Usage> LARGE =
      List.of(
          large(400_091, 1, 303_296, 297, 1),
          large(1_333_427, 3, 1_010_369, 1_974, 2),
          large(5_333_427, 10, 4_040_647, 7_892, 2));

  private static final Assumptions SINGLE = new Assumptions(1_024, 7, 1, 1, 576);
  private static final Assumptions BATCHES = new Assumptions(1_024, 50, 100, 1, 576);

  private static Usage large(
      long bodyBytes, int items, long itemBytes, double tableUnits, double indexUnits) {
    return new Usage(
        bodyBytes,
        items,
        itemBytes,
        1,
        131,
        tableUnits,
        new TreeMap<>(Map.of("by_brand", 0.0, "by_time", indexUnits)));
  }

  private static Demand demand(double eventsPerSecond, Assumptions assumed) {
    return new Demand(eventsPerSecond, EVENT, assumed);
  }

  @Test
  void the_page_has_these_tables() throws IOException {
    String page = Files.readString(Path.of("../docs/scale.md"));

    assertThat(page).endsWith("\n\n" + new Scale(EVENT, LARGE, SINGLE, BATCHES).page());
  }

  @Test
  void events_that_are_kept_cost_their_storage_in_each_further_month() {
    // The storage of a million events takes 0.00093132 GB for each byte of an event.
    // At 100 events a second, a month has 259.2 million events.
    // Point-in-time recovery is not billed for indexes.
    // (0.25 x (1,062 + 100 + 276 + 2 x 100) + 0.20 x (1,062 + 100)) x 0.00093132 x 259.2
    assertThat(demand(100, SINGLE).storage()).isCloseTo(154.95, within(0.01));
  }

  @ParameterizedTest
  @CsvSource({
    "NEW_TABLE, 2000, 2000",
    "PARTITION, 8000, 8000",
    "HTTP_API, 10000, 1000000",
    "LAMBDA_REQUESTS, 10000, 1000000",
    "TABLE, 20000, 20000",
    // 600 instances read 100 users each. With batches, every request reads a user.
    "NEW_TABLE_READS, 72813.5, 1200000",
  })
  void a_limit_is_reached_at_a_rate(Quota quota, double single, double inBatches) {
    assertThat(quota.reachedAt(demand(1, SINGLE))).isCloseTo(single, within(0.1));
    assertThat(quota.reachedAt(demand(1, BATCHES))).isCloseTo(inBatches, within(0.1));
  }

  @Test
  void nothing_is_reached_beyond_the_highest_rate() {
    assertThat(Quota.SECRET.reachedAt(demand(1, SINGLE))).isInfinite();
  }

  @Test
  void short_requests_need_few_instances() {
    assertThat(demand(10_000, SINGLE).instances()).isEqualTo(70);
    assertThat(demand(10_000, SINGLE).mostInstances()).isEqualTo(104); // 70 + 4 x 8.4
    assertThat(demand(10_000, BATCHES).requests()).isEqualTo(100);
  }

  @Test
  void an_instance_reads_a_hundred_users_in_5_s_and_the_key_in_300_s() {
    assertThat(demand(10_000, SINGLE).userReads()).isEqualTo(104 * 100 / 5.0);
    assertThat(demand(10_000, SINGLE).secretReads()).isCloseTo(104 / 300.0, within(1e-9));
  }

  @Test
  void a_request_reads_a_user_and_the_key_at_most_once() {
    assertThat(demand(100, BATCHES).userReads()).isEqualTo(1); // one request, one read
    assertThat(demand(0.001, SINGLE).secretReads()).isEqualTo(0.001);
  }

  @Test
  void a_batch_logs_as_much_as_a_request() {
    assertThat(demand(10_000, SINGLE).logBytes()).isEqualTo(5_760_000);
    assertThat(demand(10_000, BATCHES).logBytes()).isEqualTo(57_600);
  }

  /** A month has 2.592 million seconds. At 100 events a second, it has 259.2 million events. */
  @Test
  void a_month_costs_its_events_and_the_reads_of_its_instances() {
    // HTTP API + Lambda (0.2 + 13.3334 x 0.007) + writes (2 x 1.25) + stream + logs + storage
    double aMillionEvents = 1 + 0.29333 + 2.5 + 0.0002 + 0.26822 + 0.59781;
    // Reads a second: 100 of users, and 5 / 300 of the key.
    double aMillionSeconds = 100 * 0.125 + 0.016667 * 5;

    assertThat(demand(100, SINGLE).bill())
        .isCloseTo(259.2 * aMillionEvents + 2.592 * aMillionSeconds, within(0.01));
  }

  @Test
  void an_instance_stores_what_fits_into_a_second() {
    assertThat(SINGLE.eventsPerSecond()).isCloseTo(142.9, within(0.1));
    assertThat(BATCHES.eventsPerSecond()).isEqualTo(2_000);
  }

  @Test
  void a_question_has_a_hundred_keys_and_reads_whole_items() {
    Usage large = new Usage(2_198, 1, 4_097, 0, 0, 0, new TreeMap<>());
    MissingQuestions questions = new MissingQuestions(1_000, large, SINGLE);

    assertThat(questions.requests()).isEqualTo(10);
    assertThat(questions.readUnits()).isEqualTo(2_000);
    // A second takes 2,000 read units, and 10 requests of HTTP API, Lambda and logs.
    assertThat(questions.bill())
        .isCloseTo(2.592 * (2_000 * 0.125 + 10 * (1 + 0.29333 + 0.26822)), within(0.01));
  }

  @ParameterizedTest
  @CsvSource({"4000, 8", "8000, 8", "9600, 16", "40000, 64"})
  void lanes_are_doubled_until_nothing_is_throttled(double units, int lanes) {
    assertThat(LaneHeat.enough(units)).isEqualTo(lanes);
  }

  @Test
  void what_a_partition_saved_lasts_for_a_short_time_only() {
    assertThat(LaneHeat.throttled(8_000, 8)).isZero();
    // At twice the limit, the units saved in five minutes last for five minutes of the hour.
    assertThat(LaneHeat.throttled(16_000, 8)).isCloseTo(0.5 * 55 / 60, within(0.01));
  }

  @Test
  void lambda_takes_ten_thousand_requests_at_once_and_a_thousand_more_each_second() {
    assertThat(ScaleUp.lambdaSeconds(demand(10_000, SINGLE))).isZero();
    assertThat(ScaleUp.lambdaSeconds(demand(100_000, SINGLE))).isEqualTo(90);
    assertThat(ScaleUp.refused(demand(100, SINGLE))).isZero();
    assertThat(ScaleUp.refused(demand(10_000, SINGLE))).isEqualTo(3_950);
  }

  @Test
  void a_new_table_doubles_in_half_an_hour() {
    assertThat(ScaleUp.tableMinutes(demand(2_000, SINGLE))).isZero();
    assertThat(ScaleUp.tableMinutes(demand(2_001, SINGLE))).isEqualTo(30);
    assertThat(ScaleUp.tableMinutes(demand(100_000, SINGLE))).isEqualTo(180);
  }
}
