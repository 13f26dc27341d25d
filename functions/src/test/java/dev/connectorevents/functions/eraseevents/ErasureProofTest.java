package dev.connectorevents.functions.eraseevents;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.AdjustableClock;
import dev.connectorevents.event.Sha256;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The ledger and the proof of an erasure, and its log. */
class ErasureProofTest {

  private static final String BRAND = "{\"brand_id\":\"b\"}";

  private final ErasingOperator operator = new ErasingOperator();
  private final AdjustableClock clock = operator.clock;
  private final InMemoryEvents events = operator.events;
  private final InMemoryLedger ledger = operator.ledger;

  @Test
  void the_proof_has_a_brand_only_as_a_salted_hash() {
    JsonNode proof = operator.proof(operator.eraseAll("{\"brand_id\":\"secret brand\"}").getLast());

    assertThat(proof.toString()).doesNotContain("secret brand");
    assertThat(proof.get("brand_sha256").textValue())
        .isEqualTo(Sha256.hex(proof.get("salt").textValue() + "secret brand"));
  }

  @Test
  void ids_are_in_the_ledger_before_their_events_are_erased() {
    UUID id = events.put("b", "{}");
    List<Set<UUID>> before = new ArrayList<>();
    events.beforeErasure = () -> before.addAll(ledger.pages.values());

    operator.eraseAll(BRAND);

    assertThat(before).containsExactly(Set.of(id));
  }

  @Test
  void a_call_that_is_repeated_ends_in_the_same_state() {
    Set<UUID> all =
        IntStream.range(0, 1_500).mapToObj(i -> events.put("b", "{}")).collect(Collectors.toSet());
    JsonNode begun = operator.call(BRAND);
    operator.next(BRAND, begun); // its answer is lost
    List<JsonNode> again = operator.eraseAllAfter(BRAND, begun);

    assertThat(events.tombstones()).isEqualTo(all);
    assertThat(operator.proof(again.getLast()).get("count").intValue()).isEqualTo(1_500);
    assertThat(operator.proof(again.getLast()).get("ids_sha256").textValue())
        .isEqualTo(ErasingOperator.digest(all));
  }

  @Test
  void a_call_that_is_repeated_when_tombstones_have_expired_leaves_the_proof_as_it_is() {
    events.put("b", "{}");
    JsonNode begun = operator.call(BRAND);
    List<JsonNode> answers = operator.eraseAllAfter(BRAND, begun);
    JsonNode proof = operator.proof(answers.getLast());
    JsonNode beforeLast = answers.get(answers.size() - 2);
    clock.advance(Duration.ofDays(36));
    events.expireTombstones();

    for (JsonNode repeated : List.of(begun, beforeLast)) {
      JsonNode late = operator.next(BRAND, repeated);

      assertThat(late.get("complete").booleanValue()).isTrue();
      assertThat(late.get("matched").intValue()).isZero();
      assertThat(operator.proof(late)).isEqualTo(proof);
    }
  }

  @Test
  void an_unknown_brand_matches_nothing_and_is_proved() {
    JsonNode last = operator.eraseAll("{\"brand_id\":\"nobody\"}").getLast();

    assertThat(last.get("matched").intValue()).isZero();
    assertThat(operator.proof(last).get("count").intValue()).isZero();
  }

  @Test
  void proofs_can_be_shown_and_listed() {
    JsonNode last = operator.eraseAll("{\"brand_id\":\"b\",\"reason\":\"a request\"}").getLast();

    assertThat(operator.proof(last).get("reason").textValue()).isEqualTo("a request");
    assertThat(operator.call("{\"list\":true}").at("/erasures/0")).isEqualTo(operator.proof(last));
    assertThat(operator.call("{\"show\":\"" + UUID.randomUUID() + "\"}").get("code").textValue())
        .isEqualTo("not_found");
  }

  @Test
  void a_list_of_proofs_has_pages() {
    for (int i = 0; i <= InMemoryLedger.PROOFS_OF_A_PAGE; i++) {
      operator.eraseAll(BRAND);
    }

    JsonNode first = operator.call("{\"list\":true}");
    JsonNode last = operator.next("{\"list\":true}", first);

    assertThat(first.get("erasures")).hasSize(InMemoryLedger.PROOFS_OF_A_PAGE);
    assertThat(last.get("erasures")).hasSize(1);
    assertThat(last.has("next")).isFalse();
  }

  @Test
  void the_log_has_figures_and_no_values() {
    events.put("secret", "{\"a\":\"secret\"}");
    operator.eraseAll(
        "{\"brand_id\":\"secret\",\"reason\":\"secret\","
            + "\"where\":[{\"pointer\":\"/a\",\"equals\":\"secret\"}]}");

    assertThat(operator.log())
        .doesNotContain("secret")
        .contains("\"erased\":1", "\"erasure_id\":\"");
  }
}
