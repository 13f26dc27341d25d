package dev.connectorevents.bench.coldstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TargetsTest {

  @Test
  void all_are_there_when_all_was_measured() {
    List<Target> targets =
        Targets.of(
            List.of(
                Results.of(Peers.FLOOR, List.of(0.1), 100),
                Results.of(Peers.PLAIN_URL_CONNECTION, List.of(4.0), 400),
                Results.of(Peers.BARE_PUT_ITEM, List.of(1.0), 180),
                Results.of(Peers.BARE_PUT_ITEM + OurFunctions.PROVISIONED, List.of(0.8), 180),
                Results.of(OurFunctions.CREATE_EVENT, List.of(1.2), 200),
                Results.of(OurFunctions.CREATE_EVENT + OurFunctions.PROVISIONED, List.of(), 300),
                Results.of(OurFunctions.CREATE_EVENT + OurFunctions.RESTORED, List.of(0.9), 10)),
            Optional.of(new LoginTimes(202, 200)));

    assertThat(targets).hasSize(10);
    assertThat(targets.stream().filter(target -> !target.isReached()))
        .extracting(Target::what)
        .containsExactly("warm p50 ÷ bare PutItem, both on demand");
    assertThat(targets.getFirst()).isEqualTo(new Target("cold ÷ floor", 2.4, 2));
  }

  @Test
  void what_was_not_measured_is_not_judged() {
    List<Target> targets =
        Targets.of(
            List.of(Results.of(OurFunctions.CREATE_EVENT, List.of(1.2), 200)), Optional.empty());

    assertThat(targets)
        .extracting(Target::what)
        .containsExactly("zip, MB", "peak RSS after the first request, MiB");
  }
}
