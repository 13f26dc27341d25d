package dev.connectorevents.erasure;

import dev.connectorevents.erasure.ErasableEvents.Source;
import dev.connectorevents.event.EventType;
import dev.connectorevents.event.Timestamp;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** The events of a selection, as one call finds them before its end. */
public final class SelectedEvents {

  /** Tries to read the payload of an event that is replaced meanwhile. */
  private static final int MAX_TRIES = 5;

  /** The least time for an event that no later call would judge. A large one takes a second. */
  private static final Duration LEAST_TIME = Duration.ofSeconds(5);

  private final EventSelection selection;
  private final ErasableEvents events;
  private final PayloadConditions.Hints hints;
  private final Optional<BiConsumer<EventType, PayloadConditions.Places>> places;
  private final InstantSource clock;
  private final Instant end;
  private final Set<UUID> notJudged = new HashSet<>();
  private int searched;

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
   * Some of the selected events, without their payloads.
   *
   * @param next where the next page begins; empty after the last one
   * @param needsWhole {@link ErasableEvents.Page#needsWhole}
   */
  public record Page(List<ErasableEvent> events, Optional<String> next, boolean needsWhole) {}

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
   * @param end when the call must end
   * @param hints get the conditions that would have found other events
   * @param places get where each event matches; empty if nobody asks
   */
  public SelectedEvents(
      EventSelection selection,
      ErasableEvents events,
      InstantSource clock,
      Instant end,
      PayloadConditions.Hints hints,
      Optional<BiConsumer<EventType, PayloadConditions.Places>> places) {
    this.selection = selection;
    this.events = events;
    this.clock = clock;
    this.end = end;
    this.hints = hints;
    this.places = places;
  }

  /** The events whose payload cannot be judged: it takes a whole call, or cannot be read. */
  public Set<UUID> notJudged() {
    return Set.copyOf(notJudged);
  }

  /** How many events were judged. */
  public int searched() {
    return searched;
  }

  /**
   * A page of the selected events that were created before a time. It ends early when the call must
   * end.
   *
   * @param source where to look for what a brand or a user selects
   * @param after where the page before ended; empty for the first page
   */
  public Page page(Instant before, Source source, Optional<String> after) {
    ErasableEvents.Page page =
        events.page(
            new ErasableEvents.Search(
                selection.selector(),
                selection.from().orElse(Timestamp.EARLIEST),
                selection.to().filter(it -> it.isBefore(before)).orElse(before),
                !selection.where().isEmpty(),
                selection.isScan() ? new Source.Table() : source),
            after);
    List<ErasableEvent> matching = new ArrayList<>();
    Optional<String> place = after;
    for (ErasableEvents.Entry entry : page.entries()) {
      ErasableEvent event = entry.event();
      boolean isFirst = searched == 0;
      switch (isFirst ? judgementInLeastTime(event) : judgement(event, end)) {
        case HOLD -> matching.add(event.withoutPayload());
        case FAIL -> {}
        case UNKNOWN -> notJudged.add(event.id());
        case LATE -> {
          if (!isFirst) {
            return new Page(matching, place, false);
          }
          notJudged.add(event.id()); // it would be late in every call
        }
      }
      searched++;
      place = Optional.of(entry.next());
    }
    return new Page(matching, page.next(), page.needsWhole());
  }

  /**
   * From when on the feed must have all that an erasure reads in it.
   *
   * @param begun when the erasure began
   */
  public Instant neededSince(Instant begun) {
    return selection.neededSince(begun);
  }

  /** Whether the selector and the times select an event; the conditions are not judged. */
  public boolean mayHave(ErasableEvent event) {
    return selection.selects(event);
  }

  /** The selected ids that had a tombstone before. */
  public Set<UUID> erasedBefore() {
    return selection.selector() instanceof ErasureSelector.Ids(List<UUID> ids)
        ? events.erased(ids)
        : Set.of();
  }

  /**
   * Whether an event that has replaced a selected one is selected too.
   *
   * @param unjudged gets its id if it cannot be judged
   */
  public boolean has(ErasableEvent event, Consumer<UUID> unjudged) {
    return switch (judgement(event, end.plus(LEAST_TIME))) {
      case HOLD -> true;
      case FAIL -> false;
      case UNKNOWN, LATE -> {
        unjudged.accept(event.id());
        yield false;
      }
    };
  }

  private Judgement judgementInLeastTime(ErasableEvent event) {
    Instant least = clock.instant().plus(LEAST_TIME);
    return judgement(event, least.isAfter(end) ? least : end);
  }

  private Judgement judgement(ErasableEvent event, Instant until) {
    Optional<ErasableEvent> current = Optional.of(event).filter(selection::selects);
    for (int i = 0; i < MAX_TRIES && current.isPresent(); i++) {
      if (selection.where().isEmpty()) {
        return Judgement.HOLD;
      }
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
      current = events.read(event.id()).filter(selection::selects);
    }
    return current.isPresent() ? Judgement.UNKNOWN : Judgement.FAIL; // erased
  }

  private Judgement judgement(ErasableEvent event, InputStream payload, Instant until)
      throws IOException {
    try (InputStream inTime = new InTime(payload, until)) {
      PayloadConditions.Places found = new PayloadConditions.Places();
      boolean holds =
          places.isPresent()
              ? selection.where().anyHolds(inTime, hints, found)
              : selection.where().anyHolds(inTime, hints);
      if (holds) {
        places.ifPresent(it -> it.accept(event.type(), found));
      }
      return holds ? Judgement.HOLD : Judgement.FAIL;
    }
  }
}
