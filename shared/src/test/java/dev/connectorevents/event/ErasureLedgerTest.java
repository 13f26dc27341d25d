package dev.connectorevents.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import dev.connectorevents.event.ErasureLedger.Digests;
import dev.connectorevents.event.ErasureLedger.Entry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The sentences that each {@link ErasureLedger} holds: the service's, and that of its tests. */
public abstract class ErasureLedgerTest {

  private static final Instant BEGUN = Instant.parse("2026-11-20T12:00:00.123Z");

  private final ErasureLedger ledger;
  private final UUID id = UUID.randomUUID();

  protected ErasureLedgerTest(ErasureLedger ledger) {
    this.ledger = ledger;
  }

  @Test
  void an_erasure_is_found_as_it_was_written_before_and_after_its_end() {
    Erasure begun = erasure(Optional.empty());
    ledger.begin(begun);
    assertThat(ledger.find(id)).contains(begun);

    Erasure.Proof proof =
        new Erasure.Proof(BEGUN.plusSeconds(60), 3, "0506", BEGUN.plus(Duration.ofDays(42)));
    ledger.end(id, proof);
    ledger.end(id, new Erasure.Proof(BEGUN, 0, "07", BEGUN));
    assertThat(ledger.find(id)).contains(erasure(Optional.empty(), List.of(), Optional.of(proof)));
  }

  @Test
  void a_salted_brand_is_kept_and_a_reason() {
    Erasure erasure =
        new Erasure(
            id,
            Optional.of("a request of 2026-11-20"),
            "brand_id",
            Optional.of(new Erasure.SaltedBrand("0102", "0304")),
            true,
            BEGUN,
            Duration.ofSeconds(27),
            List.of(),
            Optional.empty());
    ledger.begin(erasure);

    assertThat(ledger.find(id)).contains(erasure);
  }

  @Test
  void an_unknown_erasure_is_not_found() {
    assertThat(ledger.find(id)).isEmpty();
    assertThat(ledger.entry(id, 1)).isEmpty();
    assertThat(ledger.digests(id, 1)).isEmpty();
  }

  @Test
  @Promise("It never changes after that")
  void a_page_of_ids_is_added_once_and_checked_once() {
    Set<UUID> ids = new HashSet<>();
    for (int i = 0; i < ErasureSelector.Ids.MAX_IDS; i++) {
      ids.add(UUID.randomUUID());
    }
    Entry page = new Entry.Selected(ids);
    assertThat(ledger.add(id, 1, page)).isEmpty();
    assertThat(ledger.add(id, 1, new Entry.Selected(Set.of(id)))).contains(page);
    assertThat(ledger.entry(id, 1)).contains(page);

    Entry.Checked checked = new Entry.Checked(Set.of(id), "0102");
    assertThat(ledger.check(id, 1, checked)).isEqualTo(checked);
    assertThat(ledger.check(id, 1, new Entry.Checked(Set.of(), "03"))).isEqualTo(checked);
    assertThat(ledger.entry(id, 1)).contains(checked);
  }

  @Test
  @Promise("From then on, no page is added")
  void no_page_is_added_at_the_end() {
    assertThat(ledger.add(id, 1, new Entry.End())).isEmpty();

    assertThat(ledger.add(id, 1, new Entry.Selected(Set.of(id)))).contains(new Entry.End());
    assertThat(ledger.entry(id, 1)).contains(new Entry.End());
  }

  @Test
  void a_block_of_digests_is_kept() {
    Digests digests = new Digests(3, ("0123456789abcdef".repeat(4) + "\n").repeat(1_000));
    ledger.putDigests(id, 2, digests);

    assertThat(ledger.digests(id, 2)).contains(digests);
    assertThat(ledger.digests(id, 1)).isEmpty();
  }

  @Test
  @Promise("the ids of the events that could not be judged, sorted.")
  void ids_that_could_not_be_judged_are_added_once_until_the_erasure_ends() {
    ledger.begin(erasure(Optional.empty()));
    UUID first = new UUID(0, 1);
    UUID second = new UUID(0, 2);

    assertThat(ledger.addNotJudged(id, Set.of(second))).isTrue();
    assertThat(ledger.addNotJudged(id, Set.of(first, second))).isTrue();
    Erasure.Proof proof = new Erasure.Proof(BEGUN, 3, "0506", BEGUN);
    ledger.end(id, proof);
    assertThat(ledger.addNotJudged(id, Set.of(id))).isTrue();

    assertThat(ledger.find(id))
        .contains(erasure(Optional.empty(), List.of(first, second), Optional.of(proof)));
  }

  @Test
  void more_ids_than_the_proof_can_name_are_refused() {
    ledger.begin(erasure(Optional.empty()));
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
  void the_pages_of_a_list_have_each_erasure_once_and_no_page_of_ids() {
    List<UUID> begun = Stream.generate(UUID::randomUUID).limit(5).toList();
    for (UUID each : begun) {
      ledger.begin(erasure(each, Optional.of("why"), List.of(), Optional.empty()));
      ledger.add(each, 1, new Entry.Selected(Set.of(each)));
      ledger.putDigests(each, 1, new Digests(1, "01"));
    }

    List<UUID> listed = new ArrayList<>();
    Optional<String> next = Optional.empty();
    do {
      ErasureLedger.Page page = ledger.list(next);
      page.erasures().forEach(each -> listed.add(each.id()));
      next = page.next();
    } while (next.isPresent());
    assertThat(listed).containsAll(begun).doesNotHaveDuplicates();
  }

  private Erasure erasure(Optional<String> reason) {
    return erasure(reason, List.of(), Optional.empty());
  }

  private Erasure erasure(
      Optional<String> reason, List<UUID> notJudged, Optional<Erasure.Proof> proof) {
    return erasure(id, reason, notJudged, proof);
  }

  private static Erasure erasure(
      UUID id, Optional<String> reason, List<UUID> notJudged, Optional<Erasure.Proof> proof) {
    return new Erasure(
        id,
        reason,
        "ids",
        Optional.empty(),
        false,
        BEGUN,
        Duration.ofSeconds(17),
        notJudged,
        proof);
  }
}
