package dev.connectorevents.local.inspector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.local.inspector.RequestOutcome.NoEvent;
import dev.connectorevents.local.inspector.RequestRow.EventSummary;
import dev.connectorevents.local.inspector.RequestRow.ExchangeSummary;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HistoryTest {

  private final History history = new History();

  @Test
  void it_keeps_the_last_requests() throws InterruptedException {
    IntStream.rangeClosed(1, History.MAX_REQUESTS + 2).forEach(id -> add(id, ""));

    assertThat(ids(kept()))
        .hasSize(History.MAX_REQUESTS)
        .startsWith("3", "4")
        .endsWith("" + (History.MAX_REQUESTS + 2));
    assertThat(history.find("2")).isEmpty();
    assertThat(history.find("3")).isPresent();
  }

  @Test
  void it_keeps_fewer_if_they_are_large() throws InterruptedException {
    String megabytes = "a".repeat(5_000_000);
    IntStream.rangeClosed(1, 20).forEach(id -> add(id, megabytes));

    assertThat(kept().stream().mapToLong(RecordedExchange::size).sum())
        .isBetween(History.MAX_BYTES / 2, History.MAX_BYTES);
    assertThat(ids(kept())).endsWith("20");
  }

  @Test
  void a_reader_that_is_too_slow_gets_what_is_left() throws InterruptedException {
    add(1, "");
    long position = history.after(0, Duration.ZERO).position();
    IntStream.rangeClosed(2, 2 * History.MAX_REQUESTS).forEach(id -> add(id, ""));

    assertThat(history.after(position, Duration.ZERO).requests()).isEqualTo(kept());
  }

  @Test
  void a_reader_waits_for_the_next_request() throws Exception {
    CompletableFuture<History.Batch> batch =
        CompletableFuture.supplyAsync(() -> {
          try {
            return history.after(0, Duration.ofSeconds(30));
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
    Thread.sleep(100);
    assertThat(batch).isNotDone();

    add(1, "");

    assertThat(ids(batch.get(10, TimeUnit.SECONDS).requests())).containsExactly("1");
  }

  private List<RecordedExchange> kept() throws InterruptedException {
    return history.after(0, Duration.ZERO).requests();
  }

  private void add(int id, String body) {
    RequestRow row =
        new RequestRow(
            new ExchangeSummary(
                "" + id, "2026-01-01T00:00:00Z", "POST", "/", body.length(), 201, 1),
            null,
            new EventSummary(null, null, null),
            new NoEvent(),
            null,
            null,
            List.of());
    history.add(new RecordedExchange(row, Map.of(), body, false, Map.of(), "", List.of()));
  }

  private static List<String> ids(List<RecordedExchange> requests) {
    return requests.stream().map(RecordedExchange::id).toList();
  }
}
