package dev.connectorevents.functions.operators.restore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.AdjustableClock;
import dev.connectorevents.Promise;
import dev.connectorevents.erasure.Erasure;
import dev.connectorevents.erasure.ErasureLedger;
import dev.connectorevents.erasure.ErasureLedger.Step;
import dev.connectorevents.erasure.Erasures;
import dev.connectorevents.erasure.RestoredEvents;
import dev.connectorevents.erasure.RestoredEvents.NotCopied;
import dev.connectorevents.functions.InMemoryLedger;
import dev.connectorevents.functions.operators.restore.RestoreEvents.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RestoreEventsTest {

  private static final UUID FIRST = UUID.fromString("0197f3a0-0000-7000-8000-000000000001");
  private static final NotCopied DAMAGED = new NotCopied("an id", "its item is damaged");
  private static final UUID SECOND = UUID.fromString("0197f3a0-0000-7000-8000-000000000002");

  private final AdjustableClock clock = new AdjustableClock("2026-11-20T12:00:00Z");
  private final InMemoryLedger ledger = new InMemoryLedger();
  private final Restored restored = new Restored();
  private final RestoreEvents restoreEvents = new RestoreEvents(restored, ledger, clock);

  /** Has three pages. Each page, and each page of the ledger, takes a time. */
  private final class Restored implements RestoredEvents {

    private final List<String> calls = new ArrayList<>();
    private Duration time = Duration.ZERO;

    @Override
    public boolean isThere(String table) {
      return table.equals("events-restored");
    }

    @Override
    public String rule() {
      return "events-restored";
    }

    @Override
    public Copied copy(String table, Optional<String> after) {
      call("copy after " + after.orElse("nothing"));
      return switch (after.orElse("")) {
        case "" -> new Copied(10, 1, List.of(DAMAGED), Optional.of(FIRST.toString()));
        default -> new Copied(5, 2, List.of(), Optional.empty());
      };
    }

    @Override
    public int erase(String table, Erasure erasure, ErasureLedger.Step step) {
      call("erase " + step.ids().size() + " of " + erasure.id());
      return step.ids().size();
    }

    private void call(String what) {
      calls.add(what);
      clock.advance(time);
    }
  }

  @Test
  @Promise("The first calls put tombstones for the ids of the ledger")
  void all_that_the_ledger_names_is_erased_before_anything_is_copied() {
    begin(FIRST, 3, 2);
    begin(SECOND, 4);

    assertThat(restoreEvents.restore("events-restored", Optional.empty()))
        .isEqualTo(new Outcome.Done(15, 3, List.of(DAMAGED), 9, Optional.empty()));

    assertThat(restored.calls)
        .containsExactly(
            "erase 3 of " + FIRST,
            "erase 2 of " + FIRST,
            "erase 4 of " + SECOND,
            "copy after nothing",
            "copy after " + FIRST);
  }

  @Test
  @Promise("Everything may be repeated.")
  void a_call_ends_in_time_and_the_next_one_goes_on() {
    begin(FIRST, 3, 2);
    begin(SECOND, 4);
    restored.time = Duration.ofSeconds(25);

    List<Outcome.Done> calls = new ArrayList<>();
    Optional<RestorePlace> place = Optional.empty();
    do {
      calls.add((Outcome.Done) restoreEvents.restore("events-restored", place));
      place = calls.getLast().next().map(RestorePlace::text).map(RestorePlace::of);
    } while (place.isPresent());

    assertThat(calls).hasSize(3);
    assertThat(calls).extracting(Outcome.Done::erased).containsExactly(5, 4, 0);
    assertThat(calls).extracting(Outcome.Done::restored).containsExactly(0, 10, 5);
    assertThat(restored.calls).doesNotHaveDuplicates().hasSize(5);
  }

  @Test
  void a_call_ends_in_time_though_no_erasure_has_found_anything() {
    for (int i = 0; i < 5; i++) {
      UUID id = UUID.randomUUID();
      begin(id);
    }
    ledger.beforeRead = () -> clock.advance(Duration.ofSeconds(25));

    List<Outcome.Done> calls = new ArrayList<>();
    Optional<RestorePlace> place = Optional.empty();
    do {
      Instant start = clock.instant();
      calls.add((Outcome.Done) restoreEvents.restore("events-restored", place));
      assertThat(clock.instant()).isBefore(start.plusSeconds(60));
      place = calls.getLast().next();
    } while (place.isPresent());

    assertThat(calls).hasSize(3);
    assertThat(calls.getLast().restored()).isEqualTo(15);
  }

  @Test
  @Promise("`restore_from` names no table that may be read")
  void a_table_that_is_not_there_is_refused() {
    assertThat(restoreEvents.restore("users", Optional.empty()))
        .isInstanceOf(Outcome.Refused.class);
    assertThat(restored.calls).isEmpty();
  }

  private void begin(UUID id, int... pages) {
    ledger.begin(Erasures.begun(id, Optional.empty(), clock.instant()));
    for (int i = 0; i < pages.length; i++) {
      Set<UUID> ids = new HashSet<>();
      while (ids.size() < pages[i]) {
        ids.add(UUID.randomUUID());
      }
      ledger.add(id, i + 1, new Step(ids, Set.of(), Set.of(), Optional.of("a place")));
    }
  }
}
