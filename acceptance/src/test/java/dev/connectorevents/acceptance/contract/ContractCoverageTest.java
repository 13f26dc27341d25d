package dev.connectorevents.acceptance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.local.contract.Contract;
import dev.connectorevents.local.contract.Documented;
import dev.connectorevents.local.contract.Exchanged;
import dev.connectorevents.local.contract.SeenCalls;
import dev.connectorevents.local.contract.Traffic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Compares what the other tests recorded with {@code docs/openapi.yaml} and {@code
 * docs/failing-calls.md}. Runs after them.
 */
@Tag("contract")
class ContractCoverageTest {

  @Test
  void every_documented_status_code_member_and_header_was_seen_by_a_test() throws IOException {
    Documented documented = Contract.published().documented();
    Set<String> unseen = new TreeSet<>(documented.lines());
    for (Exchanged exchanged : Traffic.read()) {
      unseen.removeAll(documented.shownBy(exchanged));
    }

    assertThat(unseen).isEmpty();
  }

  @Test
  void every_call_to_aws_that_a_test_has_seen_has_its_row() throws IOException {
    Set<String> calls = SeenCalls.read();

    assertThat(calls).isNotEmpty();
    assertThat(Files.readString(Path.of("../docs/failing-calls.md"))).contains(calls);
  }
}
