package dev.connectorevents.bench.coldstart;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PeakMemoryTest {

  @Test
  void the_high_water_mark_is_taken_and_not_what_is_held_now() {
    String status =
        """
        Name:\tjava
        VmPeak:\t 8729020 kB
        VmHWM:\t  131072 kB
        VmRSS:\t  120000 kB
        """;

    assertThat(PeakMemory.mib(status)).isEqualTo(128);
  }
}
