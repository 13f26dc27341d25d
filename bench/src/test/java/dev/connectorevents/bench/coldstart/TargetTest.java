package dev.connectorevents.bench.coldstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TargetTest {

  @Test
  void all_are_there_when_all_was_measured() {
    List<Target> targets =
        Target.of(
            List.of(
                Results.of(Peers.FLOOR, List.of(0.1), 100),
                Results.of(Peers.PLAIN_URL_CONNECTION, List.of(4.0), 400),
                Results.of(Peers.BARE_PUT_ITEM, List.of(1.0), 180),
                Results.of(OurFunctions.CREATE_EVENT, List.of(1.2), 200),
                Results.of(OurFunctions.CREATE_EVENT + OurFunctions.RESTORED, List.of(), 10)),
            Optional.of(new LoginTimes(202, 200)));

    assertThat(targets).hasSize(9);
    assertThat(targets.stream().filter(target -> !target.isReached()))
        .extracting(Target::what)
        .containsExactly("warm p50 ÷ bare PutItem on the same client");
    assertThat(targets.getFirst()).isEqualTo(new Target("cold ÷ floor", 2.4, 2));
  }

  @Test
  void what_was_not_measured_is_not_judged() {
    List<Target> targets =
        Target.of(
            List.of(Results.of(OurFunctions.CREATE_EVENT, List.of(1.2), 200)), Optional.empty());

    assertThat(targets)
        .extracting(Target::what)
        .containsExactly("zip, MB", "peak RSS after the first request, MiB");
  }
}
