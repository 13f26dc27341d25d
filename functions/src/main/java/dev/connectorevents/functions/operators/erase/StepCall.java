package dev.connectorevents.functions.operators.erase;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.erasure.ErasableEvent;
import dev.connectorevents.erasure.ErasableEvents;
import dev.connectorevents.erasure.ErasableEvents.Source;
import dev.connectorevents.erasure.Erasure;
import dev.connectorevents.erasure.ErasureLedger.Step;
import dev.connectorevents.erasure.SelectedEvents;
import dev.connectorevents.event.Timestamp;
import dev.connectorevents.feed.Awaited;
import dev.connectorevents.feed.FeedBeats;
import dev.connectorevents.feed.FeedReader;
import dev.connectorevents.feed.Whole;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Gatherers;

/** One call of one step: selects its events, unless a call has done so, and erases them. */
final class StepCall {

  /** The most ids that a step names, less those of one page. */
  private static final int ENOUGH_IDS = 900;

  /** How long a call begins further pages. */
  static final Duration LONGEST_SELECTION = Duration.ofSeconds(30);

  /** How long a call erases further events. The rest of the function's time is for slow calls. */
  static final Duration LONGEST_CALL = Duration.ofSeconds(40);

  /** The events that are erased between two looks at the clock. */
  private static final int EVENTS_AT_ONCE = 100;

  private static final String HELP =
      " Fill the feed, or erase with scan, which reads no feed; then begin an erasure anew.";

  private static final String OTHER_FEED =
      "The feed, or the stream that it is made of, is another one than when the erasure began."
          + HELP;

  private static final String NOT_SINCE =
      "The feed is whole only since %s, and the erasure needs what was stored since %s." + HELP;

  /** Tries to erase an event that is replaced meanwhile. */
  private static final int MAX_TRIES = 5;

  private final EraseEvents.Parts parts;
  private final Erasure erasure;
  private final int number;
  private final Optional<SelectedEvents> selected;
  private final CallFigures figures;
  private final Instant end;
  private final Instant enoughSelected;

  /** The events that this call has selected, as it has read them. */
  private final Map<UUID, ErasableEvent> asRead = new HashMap<>();

  /** What has replaced an event of the step, and could not be judged. */
  private final Set<UUID> unjudged = ConcurrentHashMap.newKeySet();

  /**
   * @param selected finds events until {@link #endOfSelection}; empty to end the erasure
   */
  StepCall(
      EraseEvents.Parts parts,
      Erasure erasure,
      int number,
      Optional<SelectedEvents> selected,
      CallFigures figures) {
    this.parts = parts;
    this.erasure = erasure;
    this.number = number;
    this.selected = selected;
    this.figures = figures;
    this.end = parts.clock().instant().plus(LONGEST_CALL);
    this.enoughSelected = endOfSelection(parts.clock());
  }

  static Instant endOfSelection(InstantSource clock) {
    return clock.instant().plus(LONGEST_SELECTION);
  }

  /** How the call ended. */
  sealed interface Outcome {

    /** The time was over before all events were erased. */
    record Late() implements Outcome {}

    /** The selection goes on in the feed, which is not so far. */
    record Waits(Optional<Instant> until, Duration pause) implements Outcome {}

    /** The feed lacks what the selection needs, or is another one. */
    record FeedNotWhole(String why) implements Outcome {}

    /**
     * Each event of the step is erased, is gone, or is selected no more.
     *
     * @param notJudged the events of this step that could not be judged
     */
    record Settled(Step step, Set<UUID> notJudged) implements Outcome {}
  }

  /**
   * Makes the call.
   *
   * @param place where the step's selection begins; empty for the first step
   */
  Outcome make(Optional<String> place) {
    Optional<Step> there = parts.ledger().step(erasure.id(), number);
    if (there.isPresent()) {
      return settle(there.get());
    }
    return selected.isPresent()
        ? select(selected.get(), place)
        : settle(parts.ledger().add(erasure.id(), number, Step.STOP));
  }

  private Outcome select(SelectedEvents selected, Optional<String> place) {
    Optional<Whole> whole = erasure.whole();
    try {
      SelectedEvents.Page page = page(selected, whole, place);
      if (page.needsWhole()) {
        Awaited awaited = erasure.awaited().orElseThrow();
        FeedBeats.Look look = parts.beats().look(awaited.beat());
        whole = look.of(awaited.beat());
        if (whole.isEmpty()) {
          return new Outcome.Waits(
              look.whole().map(Whole::until), parts.beats().pause(awaited.beat().at()));
        }
        Instant needed = selected.neededSince(erasure.begun());
        if (!awaited.isSameIn(whole.get())) {
          return new Outcome.FeedNotWhole(OTHER_FEED);
        }
        if (!whole.get().isSince(needed)) {
          return new Outcome.FeedNotWhole(
              NOT_SINCE.formatted(
                  Timestamp.of(whole.get().since().orElseThrow()), Timestamp.of(needed)));
        }
        whole = parts.ledger().rest(erasure.id(), whole.get()); // another call may have been faster
        page = page(selected, whole, place);
      }
      Step own = step(selected, page, whole);
      return settle(
          parts.ledger().add(erasure.id(), number, own)); // another call may have been faster
    } catch (ErasableEvents.OtherFeedException e) {
      return new Outcome.FeedNotWhole(OTHER_FEED);
    }
  }

  private SelectedEvents.Page page(
      SelectedEvents selected, Optional<Whole> whole, Optional<String> place) {
    return selected.page(endOfTimes(), new Source.UpTo(whole), place);
  }

  private Step step(SelectedEvents selected, SelectedEvents.Page first, Optional<Whole> whole) {
    SelectedEvents.Page page = first;
    Optional<String> next;
    do {
      page.events().forEach(event -> asRead.put(event.id(), event));
      next = page.next();
      if (next.isEmpty()
          || asRead.size() + selected.notJudged().size() > ENOUGH_IDS
          || !parts.clock().instant().isBefore(enoughSelected)) {
        break;
      }
      page = page(selected, whole, next);
    } while (!page.needsWhole());
    Set<UUID> named = new HashSet<>(next.isEmpty() ? selected.erasedBefore() : Set.of());
    named.removeAll(asRead.keySet()); // erased by another erasure meanwhile
    return new Step(asRead.keySet(), selected.notJudged(), named, next);
  }

  private Outcome settle(Step step) {
    figures.of(step);
    List<List<UUID>> windows =
        step.ids().stream().gather(Gatherers.windowFixed(EVENTS_AT_ONCE)).toList();
    for (List<UUID> window : windows) {
      if (!parts.clock().instant().isBefore(end)) {
        return new Outcome.Late();
      }
      parts.sideBySide().run(window, this::erase).stream()
          .filter(it -> it)
          .forEach(_ -> figures.erased());
    }
    Set<UUID> notJudged = new HashSet<>(step.notJudged());
    notJudged.addAll(unjudged);
    return new Outcome.Settled(step, notJudged);
  }

  /** Returns whether this call has erased the event. */
  private boolean erase(UUID id) {
    Optional<ErasableEvent> read = Optional.ofNullable(asRead.get(id));
    Optional<ErasableEvent> current = read.or(() -> parts.events().read(id));
    for (int i = 0; i < MAX_TRIES; i++) {
      if (current.isEmpty() || !(current.equals(read) || isSelected(current.get()))) {
        return false;
      }
      switch (parts.events().erase(current.get(), erasure.id())) {
        case ERASED -> {
          return true;
        }
        case EXPIRED -> {
          return false;
        }
        case CHANGED -> current = parts.events().read(id);
      }
    }
    throw new DependencyUnavailableException("an event changes again and again");
  }

  /**
   * Whether what is there by now is selected. What was created before the erasure began was judged
   * when its id was written: to judge its payload again could erase less than was written. What was
   * created a minute later is a freed key's new event, which nobody had acknowledged before.
   */
  private boolean isSelected(ErasableEvent event) {
    if (!event.createdAt().isBefore(endOfTimes())) {
      return false;
    }
    if (selected.isEmpty()) { // an end knows no more of what was asked for
      return erasure.brand().isEmpty()
          || event.brand().filter(erasure.brand().get()::isOf).isPresent();
    }
    return event.createdAt().isBefore(erasure.begun())
        ? selected.get().mayHave(event)
        : selected.get().has(event, unjudged::add);
  }

  /** The clocks of writers may be ahead. */
  private Instant endOfTimes() {
    return erasure.begun().plus(FeedReader.CLOCKS);
  }

  /** Whether a step is behind the open one. */
  static boolean isPassed(Step step) {
    return step.closed().isPresent() && !step.isLast();
  }
}
