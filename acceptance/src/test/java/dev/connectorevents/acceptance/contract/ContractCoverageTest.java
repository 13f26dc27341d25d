package dev.connectorevents.acceptance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import dev.connectorevents.local.contract.Contract;
import dev.connectorevents.local.contract.SeenCalls;
import dev.connectorevents.local.contract.Traffic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Compares what the other tests recorded with {@code docs/openapi.yaml}. Runs after them. */
@Tag("contract")
class ContractCoverageTest {

  @Test
  @Promise("says the same for tools")
  void every_documented_status_code_member_and_header_was_seen_by_a_test() throws IOException {
    Set<String> unseen = new TreeSet<>(Contract.published().documented().lines());
    unseen.removeAll(Traffic.SHOWN.ofAllTests());

    assertThat(unseen).isEmpty();
  }

  @Test
  void a_scenario_of_failing_calls_makes_every_call_to_aws_that_a_test_has_seen()
      throws IOException {
    Set<String> calls = SeenCalls.CALLS.ofAllTests();

    assertThat(calls).isNotEmpty();
    assertThat(Files.readAllLines(Path.of("target/calls.txt"))).containsAll(calls);
  }
}
