package dev.connectorevents.erasure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ErasureSelectorTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 100})
  void it_takes_1_to_100_ids(int count) {
    assertThat(new ErasureSelector.Ids(ids(count)).ids()).hasSize(count);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 101})
  void it_takes_no_other_number_of_ids(int count) {
    assertThatIllegalArgumentException().isThrownBy(() -> new ErasureSelector.Ids(ids(count)));
  }

  private static List<UUID> ids(int count) {
    return Stream.generate(UUID::randomUUID).limit(count).toList();
  }
}
