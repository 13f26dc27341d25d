package dev.connectorevents.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.event.Erasure;
import dev.connectorevents.event.ErasureLedger;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class DynamoErasureLedgerTest {

  private static final Instant BEGUN = Instant.parse("2026-11-20T12:00:00.123Z");

  @AutoClose private static final Stores service = Endpoint.stores(Path.of("../template.yaml"));

  private final ErasureLedger ledger =
      new DynamoErasureLedger(service.dynamoDb(), service.name("ErasuresTable"));

  private final UUID id = UUID.randomUUID();

  @Test
  void an_erasure_is_found_as_it_was_written_before_and_after_its_end() {
    Erasure begun = erasure(Optional.empty());
    ledger.put(begun);
    assertThat(ledger.find(id)).contains(begun);

    Erasure ended =
        begun.ended(
            new Erasure.Proof(BEGUN.plusSeconds(60), 3, "0506", BEGUN.plus(Duration.ofDays(42))));
    ledger.put(ended);
    assertThat(ledger.find(id)).contains(ended);
  }

  @Test
  void a_salted_brand_is_kept_and_a_reason() {
    Erasure erasure =
        new Erasure(
            id,
            Optional.of("a request of 2026-11-20"),
            "brand_id",
            Optional.of(new Erasure.SaltedBrand("0102", "0304")),
            BEGUN,
            Duration.ofSeconds(27),
            Optional.empty());
    ledger.put(erasure);

    assertThat(ledger.find(id)).contains(erasure);
  }

  @Test
  void an_unknown_erasure_is_not_found() {
    assertThat(ledger.find(id)).isEmpty();
    assertThat(ledger.ids(id, 1)).isEmpty();
  }

  @Test
  void a_page_of_ids_is_added_once_and_can_be_corrected() {
    Set<UUID> ids = new HashSet<>();
    for (int i = 0; i < ErasureLedger.MAX_IDS; i++) {
      ids.add(UUID.randomUUID());
    }
    assertThat(ledger.add(id, 1, ids)).isTrue();
    assertThat(ledger.add(id, 1, Set.of(id))).isFalse();
    assertThat(ledger.ids(id, 1)).contains(ids);

    ledger.correct(id, 1, Set.of());
    assertThat(ledger.ids(id, 1)).contains(Set.of());
  }

  @Test
  void a_list_has_erasures_and_no_pages_of_ids() {
    ledger.put(erasure(Optional.of("why")));
    ledger.add(id, 1, Set.of(id));

    assertThat(ledger.list(Optional.empty()).erasures())
        .extracting(Erasure::id)
        .contains(id)
        .doesNotHaveDuplicates();
  }

  private Erasure erasure(Optional<String> reason) {
    return new Erasure(
        id, reason, "ids", Optional.empty(), BEGUN, Duration.ofSeconds(17), Optional.empty());
  }
}
