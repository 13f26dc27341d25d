package dev.connectorevents.acceptance.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.connectorevents.eventformat.BatchRequest;
import dev.connectorevents.json.Body;

/** Fuzzes the parser of batches. */
class BatchFuzzTest {

  @FuzzTest
  void a_batch_is_valid_or_refused(byte[] body) {
    Budget.spend(
        body,
        () -> {
          if (BatchRequest.of(EventFuzzTest.request(body))
              instanceof Body.Read<BatchRequest>(BatchRequest valid)) {
            assertThat(valid.events()).hasSizeBetween(1, 100);
          }
        });
  }
}
