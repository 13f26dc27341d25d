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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

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
            Optional.of(true),
            BEGUN,
            Duration.ofSeconds(27),
            List.of(),
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
  void ids_that_could_not_be_judged_are_added_once_until_the_erasure_ends() {
    Erasure begun = erasure(Optional.empty());
    ledger.put(begun);
    UUID first = new UUID(0, 1);
    UUID second = new UUID(0, 2);

    assertThat(ledger.addNotJudged(id, Set.of(second))).isTrue();
    assertThat(ledger.addNotJudged(id, Set.of(first, second))).isTrue();
    Erasure open = ledger.find(id).orElseThrow();
    assertThat(open.notJudged()).containsExactly(first, second);

    Erasure ended = open.ended(new Erasure.Proof(BEGUN, 3, "0506", BEGUN));
    ledger.put(ended);
    assertThat(ledger.addNotJudged(id, Set.of(id))).isTrue();
    assertThat(ledger.find(id)).contains(ended);
  }

  @Test
  void more_ids_than_the_proof_can_name_are_refused() {
    ledger.put(erasure(Optional.empty()));
    Set<UUID> most =
        LongStream.range(0, Erasure.MAX_NOT_JUDGED)
            .mapToObj(i -> new UUID(0, i))
            .collect(Collectors.toSet());
    assertThat(ledger.addNotJudged(id, most)).isTrue();

    assertThat(ledger.addNotJudged(id, Set.of(id))).isFalse();
    assertThat(ledger.addNotJudged(id, most)).as("a repeated call").isTrue();
    assertThat(ledger.find(id).orElseThrow().notJudged()).hasSize(Erasure.MAX_NOT_JUDGED);
  }

  @Test
  void a_proof_of_version_0_9_0_does_not_say_whether_it_is_narrowed() {
    service
        .dynamoDb()
        .putItem(put ->
            put.tableName(service.name("ErasuresTable"))
                .item(
                    Map.of(
                        "id", AttributeValue.fromS(id.toString()),
                        "selector", AttributeValue.fromS("ids"),
                        "begun", AttributeValue.fromS(BEGUN.toString()),
                        "lag_seconds", AttributeValue.fromN("17"))));

    assertThat(ledger.find(id).orElseThrow().isNarrowed()).isEmpty();
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
        id,
        reason,
        "ids",
        Optional.empty(),
        Optional.of(false),
        BEGUN,
        Duration.ofSeconds(17),
        List.of(),
        Optional.empty());
  }
}
