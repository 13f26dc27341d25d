package dev.connectorevents.emulator.function;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class FunctionScheduleTest {

  private final BlockingQueue<String> calls = new LinkedBlockingQueue<>();

  @AutoClose
  private final FunctionSchedule schedule =
      new FunctionSchedule(
          "BeatFunction",
          Duration.ofDays(1),
          Duration.ofMillis(1),
          (function, event) -> {
            calls.add(function);
            return new Invocation.Answered("".getBytes(UTF_8));
          });

  @Test
  void a_function_is_called_at_once_and_after_requests_though_its_rate_is_slow()
      throws InterruptedException {
    assertThat(call()).isEqualTo("BeatFunction");
    schedule.wake();
    assertThat(call()).isEqualTo("BeatFunction");
    schedule.wake();
    assertThat(call()).isEqualTo("BeatFunction");
  }

  private String call() throws InterruptedException {
    return calls.poll(60, TimeUnit.SECONDS);
  }
}
