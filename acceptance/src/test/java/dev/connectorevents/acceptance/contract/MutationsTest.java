package dev.connectorevents.acceptance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.connectorevents.acceptance.contract.Mutations.Mutation;
import dev.connectorevents.local.contract.Contract;
import dev.connectorevents.local.contract.Exchanged;
import dev.connectorevents.local.contract.Traffic;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Measures how well the tests guard {@code docs/openapi.yaml}. It compares the recorded traffic of
 * a whole build with copies of the document that have one error each. Runs in the nightly build,
 * after the other tests. Decision 14 says how to run it alone.
 */
@Tag("mutations")
class MutationsTest {

  private static final int MUTATIONS = 200;
  private static final int MOST_MISSED = 4;

  @Test
  void a_lie_in_the_document_contradicts_the_traffic() throws Exception {
    List<Exchanged> traffic = Traffic.read();
    Contract published = Contract.published();
    assertThat(traffic).allSatisfy(each -> assertThat(published.violations(each)).isEmpty());
    List<Mutation> mutations =
        new ArrayList<>(new Mutations(new YAMLMapper().readTree(Contract.document())).all());
    Collections.shuffle(mutations, new Random(1));

    List<String> missed =
        mutations.stream()
            .limit(MUTATIONS)
            .filter(mutation -> !isCaught(mutation, traffic))
            .map(Mutation::description)
            .toList();

    System.out.println(mutations.size() + " possible, " + missed.size() + " missed: " + missed);
    assertThat(missed).hasSizeLessThanOrEqualTo(MOST_MISSED);
  }

  private static boolean isCaught(Mutation mutation, List<Exchanged> traffic) {
    Contract contract = new Contract(mutation.document());
    Set<String> unseen = new TreeSet<>(contract.documented().lines());
    for (Exchanged exchanged : traffic) {
      if (!contract.violations(exchanged).isEmpty()) {
        return true;
      }
      unseen.removeAll(contract.documented().shownBy(exchanged));
    }
    return !unseen.isEmpty();
  }
}
