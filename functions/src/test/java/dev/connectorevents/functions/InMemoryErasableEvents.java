package dev.connectorevents.functions;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.connectorevents.erasure.ErasableEvent;
import dev.connectorevents.erasure.ErasableEvents;
import dev.connectorevents.erasure.ErasureSelector;
import dev.connectorevents.event.EventType;
import dev.connectorevents.feed.FeedReader;
import dev.connectorevents.feed.Whole;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.DoubleConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Events in memory, read in pages of {@value #PAGE}. A selection by ids or of all events finds an
 * event at once. The other selections find it from {@link Event#visibleAt} on, in a brand's index
 * and in the feed. A page of all events has room for fewer of them where tombstones are, as a scan.
 */
public final class InMemoryErasableEvents implements ErasableEvents {

  public static final int PAGE = 100;
  public static final UUID USER = UUID.fromString("0197f3a0-0000-7000-8000-00000000000a");

  /** Of each tombstone. */
  public static final UUID ERASURE = UUID.fromString("0197f3a0-0000-7000-8000-00000000000b");

  /** Begins a place in the feed; a position follows, but for the first page. */
  private static final String FEED = "feed";

  private static final EventType TYPE = new EventType("shopify.orders/create");

  private final Map<UUID, Event> events = new LinkedHashMap<>();
  private final Set<UUID> tombstones = new LinkedHashSet<>();

  /** The events that have positions: the first one has 1. */
  private final List<Event> feed = new ArrayList<>();

  private final Set<Event> numbered = new HashSet<>();

  private final InstantSource clock;
  private boolean isReadWithPayload;
  private DoubleConsumer readUnits = _ -> {};

  /** The name of the feed. One that is made anew has another. */
  public String name = "00c0ffee";

  /** Runs before each page is read. */
  public Runnable beforePage = () -> {};

  /** Wraps each payload that is read. */
  public UnaryOperator<InputStream> payloads = UnaryOperator.identity();

  /** Runs once, before the next attempt to erase an event. */
  public Runnable beforeErasure = () -> {};

  /**
   * A stored event.
   *
   * @param visibleAt from when the index and the feed have the event
   */
  public record Event(
      UUID id,
      Instant createdAt,
      UUID userId,
      EventType type,
      String brandId,
      String payload,
      Instant visibleAt,
      boolean isExpired)
      implements ErasableEvent {

    /** An event of {@link #USER}. */
    public Event(
        UUID id,
        Instant createdAt,
        String brand,
        String payload,
        Instant visibleAt,
        boolean isExpired) {
      this(id, createdAt, USER, TYPE, brand, payload, visibleAt, isExpired);
    }

    @Override
    public Optional<String> brand() {
      return Optional.of(brandId).filter(brand -> !brand.isEmpty());
    }

    @Override
    public ErasableEvent withoutPayload() {
      return this;
    }
  }

  public InMemoryErasableEvents(InstantSource clock) {
    this.clock = clock;
  }

  public void put(Event event) {
    events.put(event.id(), event);
  }

  /** Puts an event that is an hour old. */
  public UUID put(String brand, String payload) {
    UUID id = UUID.randomUUID();
    Instant createdAt = clock.instant().minus(Duration.ofHours(1));
    put(new Event(id, createdAt, brand, payload, createdAt, false));
    return id;
  }

  public Set<UUID> tombstones() {
    return Set.copyOf(tombstones);
  }

  /** Deletes the tombstones, as DynamoDB does when they have expired. */
  public void expireTombstones() {
    tombstones.clear();
  }

  public Set<UUID> stored() {
    return Set.copyOf(events.keySet());
  }

  /** A page costs one read unit. */
  @Override
  public ErasableEvents metered(DoubleConsumer readUnits) {
    this.readUnits = readUnits;
    return this;
  }

  /** A place that no page has. */
  public static final String NO_PLACE = "nowhere";

  @Override
  public Page page(Search search, Optional<String> after) {
    beforePage.run();
    readUnits.accept(1);
    isReadWithPayload = search.hasPayloads();
    number();
    if (after.equals(Optional.of(NO_PLACE))) {
      throw new UnknownPlaceException(new IllegalArgumentException(NO_PLACE));
    }
    boolean isOfFeed = after.filter(place -> place.startsWith(FEED)).isPresent();
    return isOfFeed
            || (search.selector() instanceof ErasureSelector.Sender
                && !(search.source() instanceof Source.Table))
        ? ofFeed(search, after.map(place -> place.substring(FEED.length())))
        : byId(search, after);
  }

  /** Gives positions to the events that became visible since the last call. */
  private void number() {
    events.values().stream()
        .filter(this::isVisible)
        .sorted(Comparator.comparing(Event::visibleAt))
        .filter(numbered::add)
        .forEach(feed::add);
  }

  private boolean isVisible(Event event) {
    return !event.visibleAt().isAfter(clock.instant());
  }

  private Page byId(Search search, Optional<String> after) {
    ErasureSelector selector = search.selector();
    boolean isBehind = selector.isBehind() && !(search.source() instanceof Source.Table);
    Stream<UUID> selected =
        events.values().stream()
            .filter(event -> isSelected(search, event))
            .filter(event -> !isBehind || isVisible(event))
            .map(Event::id);
    Stream<UUID> erased =
        selector instanceof ErasureSelector.All ? tombstones.stream() : Stream.empty();
    List<UUID> all =
        Stream.concat(selected, erased)
            .sorted()
            .filter(id -> after.isEmpty() || id.compareTo(UUID.fromString(after.get())) > 0)
            .toList();
    List<UUID> page = all.subList(0, Math.min(PAGE, all.size()));
    List<Entry> entries =
        page.stream()
            .filter(events::containsKey)
            .map(id -> new Entry(requireNonNull(events.get(id)), id.toString()))
            .toList();
    if (all.size() > PAGE) {
      return new Page(entries, Optional.of(page.getLast().toString()));
    }
    return new Page(
        entries,
        selector instanceof ErasureSelector.Brand && search.source() instanceof Source.UpTo
            ? Optional.of(FEED)
            : Optional.empty());
  }

  /**
   * A page of the feed.
   *
   * @param position after which it begins; empty, or an empty text, for the first page
   */
  private Page ofFeed(Search search, Optional<String> position) {
    if (search.source() instanceof Source.UpTo(Optional<Whole> known) && known.isEmpty()) {
      return new Page(List.of(), position.map(it -> FEED + it), true);
    }
    if (search.source() instanceof Source.UpTo(Optional<Whole> known)
        && known.flatMap(Whole::feed).filter(it -> !it.equals(name)).isPresent()) {
      throw new OtherFeedException();
    }
    int head =
        search.source() instanceof Source.UpTo(Optional<Whole> known)
            ? Math.toIntExact(known.orElseThrow().head())
            : feed.size();
    int next =
        position
            .filter(text -> !text.isEmpty())
            .map(Integer::parseInt)
            .orElseGet(() -> begin(search));
    List<Entry> entries = new ArrayList<>();
    while (next < head && entries.size() < PAGE) {
      Event current = events.get(feed.get(next).id());
      next++;
      if (current != null && isSelected(search, current)) {
        entries.add(new Entry(current, FEED + next));
      }
    }
    return new Page(entries, next >= head ? Optional.empty() : Optional.of(FEED + next));
  }

  /** Where the feed begins to have what a brand's index may lack. */
  private int begin(Search search) {
    Instant first =
        search.selector() instanceof ErasureSelector.Brand
            ? search.before().minus(INDEX_LAG.plus(FeedReader.CLOCKS))
            : Instant.MIN;
    return (int) feed.stream().takeWhile(event -> event.visibleAt().isBefore(first)).count();
  }

  private boolean isSelected(Search search, Event event) {
    return event.createdAt().isBefore(search.before())
        && !event.createdAt().isBefore(search.from())
        && (search.source() instanceof Source.Table || search.selector().selects(event))
        && (!(search.selector() instanceof ErasureSelector.WithoutBrand(String brand))
            || feed.stream()
                .filter(each -> each.brandId().equals(brand))
                .anyMatch(each -> each.type().provider().equals(event.type().provider())));
  }

  /** The last position. */
  public long head() {
    number();
    return feed.size();
  }

  @Override
  public Optional<ErasableEvent> read(UUID id) {
    isReadWithPayload = true;
    return Optional.ofNullable(events.get(id));
  }

  @Override
  public Optional<Stored> stored(UUID id) {
    Optional<Stored> event = read(id).map(it -> new Stored.OfEvent(it, 1, Optional.empty()));
    return tombstones.contains(id)
        ? Optional.of(new Stored.OfTombstone(clock.instant(), ERASURE, Optional.empty()))
        : event;
  }

  @Override
  public Optional<InputStream> payload(ErasableEvent event) {
    if (!isReadWithPayload) {
      throw new IllegalStateException("the page was read without payloads");
    }
    return event.equals(events.get(event.id()))
        ? Optional.of(
            payloads.apply(new ByteArrayInputStream(((Event) event).payload().getBytes(UTF_8))))
        : Optional.empty();
  }

  @Override
  public synchronized EraseOutcome erase(ErasableEvent event, UUID erasureId) {
    Runnable before = beforeErasure;
    beforeErasure = () -> {};
    before.run();
    if (!events.remove(event.id(), event)) {
      return EraseOutcome.CHANGED;
    }
    if (((Event) event).isExpired()) {
      return EraseOutcome.EXPIRED;
    }
    tombstones.add(event.id());
    return EraseOutcome.ERASED;
  }

  @Override
  public Set<UUID> erased(Collection<UUID> ids) {
    return ids.stream().filter(tombstones::contains).collect(Collectors.toSet());
  }
}
