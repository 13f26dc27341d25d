package dev.connectorevents.functions.eraseevents;

import dev.connectorevents.event.ErasableEvent;
import dev.connectorevents.event.ErasableEvents;
import dev.connectorevents.event.ErasureSelector;
import dev.connectorevents.event.Timestamp;
import dev.connectorevents.eventformat.PayloadConditions;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListSet;

/** The events that a request selects, as one call finds them before its end. */
final class Selection {

  /** Tries to read the payload of an event that is replaced meanwhile. */
  private static final int MAX_TRIES = 5;

  /** The least time for an event that no later call would judge. A large one takes a second. */
  private static final Duration LEAST_TIME = Duration.ofSeconds(5);

  private static final int MAX_HINTS = 3;

  private final ErasureSelector selector;
  private final Instant from;
  private final Optional<Instant> to;
  private final PayloadConditions where;
  private final boolean isDryRun;
  private final CallFigures figures;
  private final PayloadConditions.Hints hints;
  private final ErasableEvents events;
  private final InstantSource clock;
  private final Instant end;
  private final Set<UUID> notJudged = new ConcurrentSkipListSet<>();
  private boolean hasJudged;

  /** What the conditions say of an event. */
  private enum Judgement {
    HOLD,
    FAIL,

    /** The payload cannot be read. */
    UNKNOWN,

    /** The time is over. */
    LATE
  }

  /**
   * Some of the selected events.
   *
   * @param next where the next page begins; empty if no page will follow
   * @param isLast whether no page follows for now
   */
  record Page(List<ErasableEvent> events, Optional<String> next, boolean isLast) {}

  /** Reads a payload until the call must end. */
  private final class InTime extends FilterInputStream {

    private final Instant until;

    InTime(InputStream payload, Instant until) {
      super(payload);
      this.until = until;
    }

    @Override
    public int read() throws IOException {
      check();
      return super.read();
    }

    @Override
    public int read(byte[] bytes, int start, int length) throws IOException {
      check();
      return super.read(bytes, start, length);
    }

    private void check() throws Late {
      if (!clock.instant().isBefore(until)) {
        throw new Late();
      }
    }
  }

  private static final class Late extends IOException {
    private static final long serialVersionUID = 1;
  }

  /**
   * @param figures gets what was searched, and the places of a dry run
   * @param end when the call must end
   */
  Selection(
      EraseEventsRequest.Erase request,
      ErasableEvents events,
      CallFigures figures,
      InstantSource clock,
      Instant end) {
    this.selector = request.selector();
    this.from = request.from().orElse(Timestamp.EARLIEST);
    this.to = request.to();
    this.where = request.where();
    this.isDryRun = request.isDryRun();
    this.figures = figures;
    this.hints = new PayloadConditions.Hints(request.isDryRun() ? MAX_HINTS : 0);
    this.events = events;
    this.clock = clock;
    this.end = end;
  }

  /** The conditions that would have found other events. Only a dry run has some. */
  List<String> hints() {
    return hints.texts();
  }

  /** The events whose payload cannot be judged: it takes a whole call, or cannot be read. */
  Set<UUID> notJudged() {
    return Set.copyOf(notJudged);
  }

  /**
   * A page of the selected events that were created before a time. It ends early when the call must
   * end.
   *
   * @param after where the page before ended; empty for the first page
   */
  Page page(Instant before, Optional<String> after) {
    Instant last = to.filter(it -> it.isBefore(before)).orElse(before);
    ErasableEvents.Page page =
        events.page(
            new ErasableEvents.Search(selector, from, last, !where.isEmpty(), isDryRun), after);
    List<ErasableEvent> matching = new ArrayList<>();
    Optional<String> place = after;
    for (ErasableEvents.Entry entry : page.entries()) {
      ErasableEvent event = entry.event();
      switch (hasJudged ? judgement(event, end) : judgementInLeastTime(event)) {
        case HOLD -> matching.add(event);
        case FAIL -> {}
        case UNKNOWN -> notJudged.add(event.id());
        case LATE -> {
          if (hasJudged) {
            return new Page(matching, place, false);
          }
          notJudged.add(event.id()); // it would be late in every call
        }
      }
      hasJudged = true;
      figures.addSearched();
      place = Optional.of(entry.next());
    }
    return new Page(matching, page.next(), page.isLast());
  }

  /**
   * Whether an event that has replaced a selected one is selected too. It may be of another brand:
   * if not, the index or the feed has it too.
   */
  boolean selectsReplacement(ErasableEvent event) {
    if (selector instanceof ErasureSelector.Brand) {
      return false;
    }
    return switch (judgement(event, end.plus(LEAST_TIME))) {
      case HOLD -> true;
      case FAIL -> false;
      case UNKNOWN, LATE -> {
        notJudged.add(event.id());
        yield false;
      }
    };
  }

  private Judgement judgementInLeastTime(ErasableEvent event) {
    Instant least = clock.instant().plus(LEAST_TIME);
    return judgement(event, least.isAfter(end) ? least : end);
  }

  private Judgement judgement(ErasableEvent event, Instant until) {
    if (where.isEmpty()) {
      return Judgement.HOLD;
    }
    Optional<ErasableEvent> current = Optional.of(event);
    for (int i = 0; i < MAX_TRIES && current.isPresent(); i++) {
      try {
        Optional<InputStream> payload = events.payload(current.get());
        if (payload.isPresent()) {
          return judgement(event, payload.get(), until);
        }
      } catch (Late e) {
        return Judgement.LATE;
      } catch (IOException e) {
        // parts of two events, or damaged: read the event again
      }
      current = events.read(event.id());
    }
    return current.isPresent() ? Judgement.UNKNOWN : Judgement.FAIL; // erased
  }

  private Judgement judgement(ErasableEvent event, InputStream payload, Instant until)
      throws IOException {
    try (InputStream inTime = new InTime(payload, until)) {
      if (!isDryRun || !where.anyIsContains()) {
        return where.anyHolds(inTime, hints) ? Judgement.HOLD : Judgement.FAIL;
      }
      PayloadConditions.Places places = new PayloadConditions.Places();
      if (!where.anyHolds(inTime, hints, places)) {
        return Judgement.FAIL;
      }
      figures.addPlaces(event.type(), places);
      return Judgement.HOLD;
    }
  }
}
