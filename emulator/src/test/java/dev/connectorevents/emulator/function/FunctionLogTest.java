package dev.connectorevents.emulator.function;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.emulator.Fixtures;
import dev.connectorevents.emulator.http.LoopbackServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FunctionLogTest {

  private static final int MOST_BYTES = 1_000;

  private long now = 1_000;

  @TempDir private Path data;

  @Test
  void each_message_has_its_time_and_a_time_is_read_alone_also_after_a_restart()
      throws IOException {
    List<String> messages = List.of("{\"a\":1}", "two\nlines, \"é\"", "at 3,000", "at 4,000");
    for (String message : messages) {
      try (FunctionLog log = open(Optional.of(data))) {
        log.accept(message);
      }
      now += 1_000;
    }

    try (FunctionLog log = open(Optional.of(data))) {
      assertThat(read(log, ""))
          .containsExactly(
              "1000 \"{\\\"a\\\":1}\"",
              "2000 \"two\\nlines, \\\"é\\\"\"",
              "3000 \"at 3,000\"",
              "4000 \"at 4,000\"");
      assertThat(read(log, "?from=2000&to=4000"))
          .extracting(line -> line.substring(0, 4))
          .containsExactly("2000", "3000");
    }
  }

  @Test
  void without_a_directory_the_log_ends_when_it_is_closed_and_later_messages_are_lost()
      throws IOException {
    FunctionLog log = open(Optional.empty());
    log.accept("x");
    assertThat(read(log, "")).hasSize(1);
    log.close();
    log.accept("of a function that had not ended");

    try (FunctionLog next = open(Optional.empty())) {
      assertThat(read(next, "")).isEmpty();
    }
  }

  @Test
  void of_more_than_two_files_hold_the_oldest_goes() throws IOException {
    try (FunctionLog log = open(Optional.of(data))) {
      for (int i = 0; i < 14; i++) {
        log.accept(i + " " + "x".repeat(MOST_BYTES / 5));
      }

      assertThat(read(log, ""))
          .extracting(line -> line.replaceFirst("\\d+ \"(\\d+) .*", "$1"))
          .containsExactly("8", "9", "10", "11", "12", "13");
    }
    try (Stream<Path> files = Files.list(data)) {
      assertThat(files).hasSize(2);
    }
  }

  private FunctionLog open(Optional<Path> directory) throws IOException {
    return FunctionLog.open(() -> Instant.ofEpochMilli(now), directory, MOST_BYTES);
  }

  private static List<String> read(FunctionLog log, String query) {
    try (LoopbackServer server = LoopbackServer.answering(log)) {
      URI uri = URI.create(server.endpoint() + FunctionLog.PATH + query);
      return Fixtures.send(HttpRequest.newBuilder(uri)).body().lines().toList();
    }
  }
}
