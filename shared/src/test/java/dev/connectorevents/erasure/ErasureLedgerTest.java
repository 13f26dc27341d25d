package dev.connectorevents.erasure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import dev.connectorevents.erasure.ErasureLedger.Closed;
import dev.connectorevents.erasure.ErasureLedger.Run;
import dev.connectorevents.erasure.ErasureLedger.Step;
import dev.connectorevents.event.Sha256;
import dev.connectorevents.feed.Awaited;
import dev.connectorevents.feed.Beat;
import dev.connectorevents.feed.Whole;
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
  private static final Erasure.Proof PROOF =
      new Erasure.Proof(
          BEGUN.plusSeconds(60), new Closed(3, "0506"), BEGUN.plus(Duration.ofDays(42)), true);

  private final ErasureLedger ledger;
  private final UUID id = UUID.randomUUID();

  protected ErasureLedgerTest(ErasureLedger ledger) {
    this.ledger = ledger;
  }

  @Test
  void an_erasure_is_found_as_it_was_written_before_and_after_its_end() {
    Erasure begun = erasure();
    ledger.begin(begun);
    assertThat(ledger.find(id)).contains(begun);

    ledger.end(id, PROOF, Set.of());
    ledger.end(id, new Erasure.Proof(BEGUN, Closed.NOTHING, BEGUN, false), Set.of());
    assertThat(ledger.find(id)).contains(erasure(id, List.of(), Optional.of(PROOF)));
  }

  @Test
  void a_salted_brand_is_kept_and_a_reason_and_that_the_table_is_read() {
    Erasure erasure =
        new Erasure(
            id,
            Optional.of("a request of 2026-11-20"),
            "brand_id",
            SaltedHash.of("request", "salt"),
            Optional.of(SaltedHash.of("brand", "salt")),
            true,
            Optional.of(BEGUN),
            true,
            BEGUN,
            Optional.empty(),
            Optional.empty(),
            List.of(),
            Optional.empty());
    ledger.begin(erasure);

    assertThat(ledger.find(id)).contains(erasure);
  }

  @Test
  void an_erasure_rests_on_what_the_feed_held_when_it_was_read_first() {
    ledger.begin(erasure());
    Whole whole =
        new Whole(
            Optional.empty(), "stream", 9, BEGUN, 77, Optional.of(new Whole.Gap(BEGUN, BEGUN)));
    Whole later = new Whole(Optional.of("f"), "stream", 9, BEGUN, 78, Optional.empty());

    assertThat(ledger.rest(id, whole)).contains(whole);
    assertThat(ledger.rest(id, later)).as("the first head stands").contains(whole);

    assertThat(ledger.rest(UUID.randomUUID(), whole)).isEmpty();
    assertThat(ledger.find(id)).map(Erasure::whole).contains(Optional.of(whole));
  }

  @Test
  void an_unknown_erasure_is_not_found() {
    assertThat(ledger.find(id)).isEmpty();
    assertThat(ledger.step(id, 1)).isEmpty();
  }

  @Test
  @Promise("A step is closed when each of its ids is settled")
  void a_step_is_added_once_and_closed_once() {
    Set<UUID> ids = new HashSet<>();
    UUID other = UUID.randomUUID();
    for (int i = 0; i < 1_000; i++) {
      ids.add(UUID.randomUUID());
    }
    Step step = new Step(ids, Set.of(id), Set.of(other), Optional.of("a place"));
    assertThat(ledger.add(id, 1, step)).isEqualTo(step);
    Step second = new Step(Set.of(id), Set.of(), Set.of(), Optional.empty());
    assertThat(ledger.add(id, 1, second)).isEqualTo(step);
    assertThat(ledger.step(id, 1)).contains(step);

    Closed closed = new Closed(1, "0102");
    assertThat(ledger.close(id, 1, Set.of(id), closed)).isEqualTo(closed);
    assertThat(ledger.close(id, 1, Set.of(), new Closed(0, "03"))).isEqualTo(closed);
    assertThat(ledger.step(id, 1))
        .contains(
            new Step(
                Set.of(id),
                Set.of(id),
                Set.of(other),
                Optional.of("a place"),
                false,
                Optional.of(closed)));
  }

  @Test
  void the_last_step_may_have_no_ids() {
    Step last = new Step(Set.of(), Set.of(), Set.of(), Optional.empty());
    ledger.add(id, 1, last);
    Closed closed = ledger.close(id, 1, Set.of(), Closed.NOTHING.plus(Set.of()));

    assertThat(ledger.step(id, 1))
        .contains(
            new Step(Set.of(), Set.of(), Set.of(), Optional.empty(), false, Optional.of(closed)));
  }

  @Test
  void a_chain_covers_the_chain_before_and_the_sorted_ids() {
    UUID first = new UUID(0, 1);
    UUID second = new UUID(0, 2);

    Closed closed = Closed.NOTHING.plus(Set.of(second, first)).plus(Set.of());

    assertThat(closed.count()).isEqualTo(2);
    assertThat(closed.chain())
        .isEqualTo(Sha256.hex(Sha256.hex("\n" + first + "\n" + second + "\n") + "\n"));
  }

  @Test
  @Promise("the ids of the events that could not be judged, sorted.")
  void ids_that_could_not_be_judged_are_added_once_until_the_erasure_ends() {
    ledger.begin(erasure());
    UUID first = new UUID(0, 1);
    UUID second = new UUID(0, 2);

    assertThat(ledger.addNotJudged(id, Set.of(second))).isTrue();
    assertThat(ledger.addNotJudged(id, Set.of(first, second))).isTrue();
    ledger.end(id, PROOF, Set.of(second, id));
    assertThat(ledger.addNotJudged(id, Set.of(id))).isTrue();

    assertThat(ledger.find(id))
        .as("another step could judge the second one")
        .contains(erasure(id, List.of(first), Optional.of(PROOF)));
  }

  @Test
  void more_ids_than_the_proof_can_name_are_refused() {
    ledger.begin(erasure());
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
  void the_pages_of_a_list_have_each_erasure_once_and_no_step() {
    List<UUID> begun = Stream.generate(UUID::randomUUID).limit(5).toList();
    for (UUID each : begun) {
      ledger.begin(erasure(each, List.of(), Optional.empty()));
      ledger.add(each, 1, new Step(Set.of(each), Set.of(), Set.of(), Optional.empty()));
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

  @Test
  void a_run_is_found_as_it_was_written_and_moves_to_its_end() {
    Run run = run();
    assertThat(ledger.run(run.id())).isEmpty();
    ledger.begin(run);
    assertThat(ledger.run(run.id())).contains(run);

    Run moved = ledger.move(run, Optional.of("another place"));
    assertThat(moved).isEqualTo(run.after(Optional.of("another place")));
    Run ended = ledger.move(moved, Optional.empty());

    assertThat(ended.step()).isEqualTo(3);
    assertThat(ledger.run(run.id())).contains(ended);
    assertThat(ledger.list(Optional.empty()).erasures())
        .extracting(Erasure::id)
        .doesNotContain(run.id());
  }

  @Test
  void of_two_calls_of_a_runs_step_the_first_says_where_it_ends() {
    Run run = run();
    ledger.begin(run);
    Run first = ledger.move(run, Optional.of("a place of the first"));

    assertThat(ledger.move(run, Optional.of("a place of the second"))).isEqualTo(first);
    assertThat(ledger.run(run.id())).contains(first);
  }

  private Run run() {
    SaltedHash request = SaltedHash.of("request", "salt");
    return new Run(id, "fill", request, BEGUN, 1, Optional.of("a place"));
  }

  private Erasure erasure() {
    return erasure(id, List.of(), Optional.empty());
  }

  private static Erasure erasure(UUID id, List<UUID> notJudged, Optional<Erasure.Proof> proof) {
    return new Erasure(
        id,
        Optional.empty(),
        "user_id",
        SaltedHash.of("request", "salt"),
        Optional.empty(),
        false,
        Optional.empty(),
        false,
        BEGUN,
        Optional.of(
            new Awaited(new Beat(7, BEGUN, 64), Optional.of("00c0ffee"), Optional.of("stream"))),
        Optional.empty(),
        notJudged,
        proof);
  }
}
