package dev.connectorevents.functions.restoreevents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.AdjustableClock;
import dev.connectorevents.Promise;
import dev.connectorevents.SideBySide;
import dev.connectorevents.event.Erasure;
import dev.connectorevents.event.Erasure.SaltedBrand;
import dev.connectorevents.event.ErasureLedger.Closed;
import dev.connectorevents.event.ErasureLedger.Step;
import dev.connectorevents.event.RestoredEvents.NotCopied;
import dev.connectorevents.event.TakenBackEvents;
import dev.connectorevents.functions.InMemoryLedger;
import dev.connectorevents.functions.restoreevents.RestoreEventsRequest.TakeBack;
import dev.connectorevents.functions.restoreevents.RestoreEventsRequest.TakeBack.Place;
import dev.connectorevents.functions.restoreevents.TakeBackErasure.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TakeBackErasureTest {

  private static final String TABLE = "events-restored";
  private static final UUID WRONG = id(0);
  private static final Instant BEGUN = Instant.parse("2026-11-20T10:00:00Z");
  private static final Optional<String> NO_REASON = Optional.empty();

  private final AdjustableClock clock = new AdjustableClock("2026-11-20T12:00:00Z");
  private final InMemoryLedger ledger = new InMemoryLedger();
  private final Copy copy = new Copy();
  private final TakeBackErasure takeBack =
      new TakeBackErasure(
          new UncopiedTable(TABLE), copy, ledger, new SideBySide(Runnable::run, 1), clock);

  /** Has the events, but those that are damaged. Each page takes a time. */
  private final class Copy implements TakenBackEvents {

    private final List<List<UUID>> pages = new ArrayList<>();
    private final Set<UUID> damaged = new HashSet<>();
    private Duration time = Duration.ZERO;
    private boolean isOlder = true;

    /** The last call's. */
    private Optional<OtherErasures> others = Optional.empty();

    @Override
    public Optional<Page> takeBack(
        String table, UUID erasureId, List<UUID> ids, OtherErasures others) {
      assertThat(erasureId).isEqualTo(WRONG);
      clock.advance(time);
      pages.add(ids);
      this.others = Optional.of(others);
      List<NotCopied> notCopied =
          ids.stream()
              .filter(damaged::contains)
              .map(id -> new NotCopied(id.toString(), "its item is damaged"))
              .toList();
      long stay = ids.stream().filter(others::name).count();
      return Optional.of(
              new Page(
                  (int) (ids.size() - stay - notCopied.size()),
                  (int) stay,
                  2 * pages.size(),
                  notCopied))
          .filter(page -> isOlder);
    }
  }

  @ParameterizedTest(name = "{0}, begun {1} s after the wrong one, ended {2}, taken back: {3}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ids      | -60 |  -1 | false | false | false | false
          ids      | -60 |   0 | false | true  | false | true
          ids      | -60 |     | false | true  | false | true
          ids      | 700 | 701 | false | true  | false | true
          ids      | 700 | 701 | true  | true  | false | false
          brand    | -60 |  -1 | false | false | false | false
          brand    | -60 |   0 | false | true  | true  | false
          brand    | -60 |     | false | true  | false | true
          brand    |   0 |     | false | true  | true  | false
          brand    | 700 | 701 | false | true  | true  | false
          brand    | 700 | 701 | true  | true  | false | false
          narrowed | 700 | 701 | false | true  | false | true
          """)
  @Promise("Nothing tells whether they would have found these events: make each again")
  void what_was_erased_later_stays_so_or_is_to_be_erased_again(
      String kind,
      long begun,
      Long ended,
      boolean isTakenBack,
      boolean namesItsIds,
      boolean isOfWholeBrand,
      boolean isToBeRepeated) {
    wrong(1);
    put(id(1), kind, begun, Optional.ofNullable(ended), isTakenBack);
    add(id(1), 1, false, id(0x100));
    add(id(1), 2, ended != null, id(0x101));

    Outcome.Begins first = (Outcome.Begins) call(Optional.empty());
    assertThat(copy.pages).isEmpty();
    Outcome.Ends last = (Outcome.Ends) call(Optional.of(first.next()));

    assertThat(first.toRepeat())
        .extracting(Erasure::id)
        .isEqualTo(isToBeRepeated ? List.of(id(1)) : List.of());
    assertThat(last.toRepeat()).isEqualTo(first.toRepeat());
    TakenBackEvents.OtherErasures others = copy.others.orElseThrow();
    assertThat(others.name(id(0x100))).isEqualTo(namesItsIds);
    assertThat(others.name(id(0x101))).isEqualTo(namesItsIds);
    assertThat(others.name(id(0x102))).isFalse();
    assertThat(others.wouldHaveErased("brand", BEGUN.minusSeconds(9))).isEqualTo(isOfWholeBrand);
  }

  @Test
  void an_erasure_of_a_brand_would_have_erased_what_is_older_by_the_clocks_of_the_feed() {
    wrong(1);
    put(id(1), "brand", 900, Optional.of(901L), false);
    put(id(2), "brand", 700, Optional.of(701L), false);

    call(Optional.of(Place.FIRST));

    TakenBackEvents.OtherErasures others = copy.others.orElseThrow();
    Instant end = BEGUN.plusSeconds(900 + 60);
    assertThat(others.wouldHaveErased("brand", end.minusMillis(1))).isTrue();
    assertThat(others.wouldHaveErased("brand", end)).isFalse();
    assertThat(others.wouldHaveErased("another", BEGUN)).isFalse();
  }

  @Test
  void the_oldest_erasure_is_to_be_made_again_first() {
    wrong(1);
    put(id(1), "ids", 900, Optional.empty(), false);
    put(id(2), "ids", 700, Optional.empty(), false);
    put(id(3), "ids", 800, Optional.empty(), false);

    Outcome.Begins first = (Outcome.Begins) call(Optional.empty());

    assertThat(first.toRepeat()).extracting(Erasure::id).containsExactly(id(2), id(3), id(1));
  }

  @Test
  void a_call_ends_in_time_and_the_next_one_goes_on() {
    wrong(250, 0, 3);
    put(id(1), "ids", 700, Optional.of(701L), false);
    add(id(1), 1, true, wrongId(1, 120), wrongId(3, 1));
    copy.damaged.add(wrongId(3, 2));
    copy.time = Duration.ofSeconds(20);

    Outcome.Continues first = (Outcome.Continues) call(Optional.of(Place.FIRST));
    Outcome.Continues second = (Outcome.Continues) call(Optional.of(first.next()));
    clock.advance(Duration.ofMillis(1).plusNanos(1));
    Outcome.Ends third = (Outcome.Ends) call(Optional.of(second.next()));

    assertThat(first.figures()).isEqualTo(new TakenBackEvents.Page(199, 1, 2 + 4, List.of()));
    assertThat(first.next()).isEqualTo(new Place(1, 200, 199));
    assertThat(second.figures()).isEqualTo(new TakenBackEvents.Page(50, 0, 6 + 8, List.of()));
    assertThat(second.next()).isEqualTo(new Place(3, 0, 249));
    assertThat(third.figures().takenBack()).isEqualTo(1);
    assertThat(third.figures().notCopied()).hasSize(1);
    assertThat(copy.pages).extracting(List::size).containsExactly(100, 100, 50, 0, 3);
    assertThat(copy.pages.subList(0, 3).stream().flatMap(List::stream))
        .isSortedAccordingTo(Comparator.comparing(UUID::toString))
        .containsExactlyInAnyOrderElementsOf(wrongIds(1, 250));
    assertThat(third.erasure()).isEqualTo(ledger.find(WRONG).orElseThrow());
    assertThat(third.erasure().proof().orElseThrow().takenBack())
        .contains(
            new Erasure.TakenBack(
                Instant.parse("2026-11-20T12:01:40.001Z"), 250, Optional.of("a mistake")));
  }

  @Test
  void a_call_ends_when_its_answer_names_a_thousand_events() {
    wrong(1_100);
    copy.damaged.addAll(wrongIds(1, 1_100));

    Outcome.Continues first = (Outcome.Continues) call(Optional.of(Place.FIRST));

    assertThat(first.figures().notCopied()).hasSize(1_000);
    assertThat(first.next()).isEqualTo(new Place(1, 1_000, 0));
    assertThat(call(Optional.of(first.next()))).isInstanceOf(Outcome.Ends.class);
  }

  @Test
  void an_erasure_that_has_not_ended_is_refused() {
    put(WRONG, "ids", 0, Optional.empty(), false);

    assertRefused("/take_back", takeBack(TABLE, Optional.empty()));
  }

  @Test
  void a_table_that_is_not_there_is_refused() {
    wrong(1);

    assertRefused("/restore_from", takeBack("users", Optional.empty()));
  }

  @Test
  void a_table_that_is_younger_than_the_erasure_is_refused_and_the_proof_says_nothing() {
    wrong(1);
    copy.isOlder = false;

    assertRefused("/restore_from", call(Optional.of(Place.FIRST)));
    assertThat(ledger.find(WRONG).flatMap(Erasure::proof).flatMap(Erasure.Proof::takenBack))
        .isEmpty();
  }

  @Test
  void a_step_that_the_erasure_does_not_have_is_refused() {
    wrong(1);

    assertRefused("/next", call(Optional.of(new Place(2, 0, 1_000))));
  }

  @Test
  void an_unknown_erasure_is_named() {
    assertThat(call(Optional.empty())).isEqualTo(new Outcome.UnknownErasure());
  }

  @Test
  void it_is_refused_when_too_much_was_erased_since_then() {
    wrong(1);
    put(id(1), "ids", 700, Optional.of(701L), false);
    IntStream.rangeClosed(1, 3).forEach(number -> add(id(1), number, number == 3, id(number)));
    ledger.beforeRead = () -> clock.advance(Duration.ofSeconds(20));

    assertRefused("/take_back", call(Optional.empty()));
  }

  private static void assertRefused(String pointer, Outcome outcome) {
    assertThat(((Outcome.Refused) outcome).fault().pointer()).isEqualTo(pointer);
  }

  private Outcome call(Optional<Place> next) {
    return takeBack(TABLE, next);
  }

  private Outcome takeBack(String table, Optional<Place> next) {
    return takeBack.takeBack(new TakeBack(WRONG, table, Optional.of("a mistake"), next, "digest"));
  }

  /** Puts the wrong erasure, which has ended, with so many ids in each step. */
  private void wrong(int... steps) {
    put(WRONG, "ids", 0, Optional.of(600L), false);
    for (int number = 1; number <= steps.length; number++) {
      UUID[] ids = wrongIds(number, steps[number - 1]).toArray(UUID[]::new);
      add(WRONG, number, number == steps.length, ids);
    }
  }

  private static List<UUID> wrongIds(int step, int count) {
    return IntStream.range(0, count).mapToObj(index -> wrongId(step, index)).toList();
  }

  private static UUID wrongId(int step, int index) {
    return id((step << 20) + index);
  }

  private static UUID id(int number) {
    return new UUID(0x7000, number);
  }

  private void add(UUID erasureId, int number, boolean isLast, UUID... ids) {
    Optional<String> next = isLast ? Optional.empty() : Optional.of("a place");
    ledger.add(erasureId, number, new Step(Set.of(ids), Set.of(), next, Optional.empty()));
  }

  /**
   * Puts an erasure.
   *
   * @param begun seconds after {@link #BEGUN}, as {@code ended}
   */
  private void put(UUID id, String kind, long begun, Optional<Long> ended, boolean isTakenBack) {
    ledger.begin(
        new Erasure(
            id,
            NO_REASON,
            kind.equals("ids") ? "ids" : "brand_id",
            Stream.of(SaltedBrand.of("brand", "salt")).filter(_ -> !kind.equals("ids")).findAny(),
            kind.equals("narrowed"),
            false,
            BEGUN.plusSeconds(begun),
            Optional.empty(),
            List.of(),
            ended.map(seconds -> {
              Instant end = BEGUN.plusSeconds(seconds);
              Optional<Erasure.TakenBack> takenBack =
                  isTakenBack
                      ? Optional.of(new Erasure.TakenBack(end, 1, NO_REASON))
                      : Optional.empty();
              return new Erasure.Proof(end, Closed.NOTHING, end, takenBack);
            })));
  }
}
