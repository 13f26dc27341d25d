package dev.connectorevents.local.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs after all other tests: some exchange must have shown each line of the document. */
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
}
