package dev.connectorevents.dynamodb.erasure;

import static dev.connectorevents.dynamodb.erasure.ErasableItems.placed;

import dev.connectorevents.dynamodb.erasure.ErasableItems.Named;
import dev.connectorevents.erasure.ErasableEvents.Entry;
import dev.connectorevents.erasure.ErasableEvents.OtherFeedException;
import dev.connectorevents.erasure.ErasableEvents.Page;
import dev.connectorevents.erasure.ErasableEvents.Search;
import dev.connectorevents.erasure.ErasableEvents.Source;
import dev.connectorevents.event.EventOrder;
import dev.connectorevents.feed.BrandHash;
import dev.connectorevents.feed.FeedEntry;
import dev.connectorevents.feed.FeedReader;
import dev.connectorevents.feed.Whole;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Finds events in the feed, page by page. */
final class PagesOfFeed {

  /** Begins each place; a position follows, unless the feed is still to begin. */
  static final String BEGIN = "feed";

  /** No feed comes so far. */
  private static final long END_OF_ALL = 1L << 60;

  private final FeedReader feed;
  private final ErasableItems items;

  PagesOfFeed(FeedReader feed, ErasableItems items) {
    this.feed = feed;
    this.items = items;
  }

  /**
   * A place in two readings of the feed: for the providers of a brand, then for their events.
   *
   * @param at a position of the first reading, or a place of the second
   * @param providers those that are known
   */
  private record ProvidersPlace(String at, Set<String> providers) {

    static ProvidersPlace parse(String text) {
      String[] parts = text.split(" ", 2);
      return new ProvidersPlace(parts[0], Set.of(parts[1].split(",")));
    }

    String text() {
      return at + " " + String.join(",", providers);
    }
  }

  static Predicate<FeedEntry.OfEvent> ofBrand(String brand) {
    Optional<BrandHash> hash = Optional.of(BrandHash.of(brand)); // once, not for each entry
    return entry -> entry.brand().equals(hash);
  }

  /**
   * Reads the feed up to its head.
   *
   * @param from where to begin, unless {@code after} has a position
   * @param passes judges an entry
   */
  Page page(
      Search search, Optional<String> after, Instant from, Predicate<FeedEntry.OfEvent> passes) {
    Optional<Whole> whole =
        search.source() instanceof Source.UpTo(Optional<Whole> known) ? known : Optional.empty();
    if (whole.isEmpty() && search.source() instanceof Source.UpTo) {
      return new Page(List.of(), after, true);
    }
    long head = whole.map(Whole::head).orElse(Long.MAX_VALUE);
    long begin =
        after
            .filter(place -> !place.equals(BEGIN))
            .map(place -> placed(() -> positionOf(place)))
            .orElseGet(() -> feed.positionBeforeCreated(from));
    FeedReader.Found found = find(begin + 1, head, passes);
    if (whole.isPresent() && !whole.get().isOf(found.last())) {
      throw new OtherFeedException();
    }
    return items.page(
        found.entries().stream()
            .map(it -> new Named(it.entry().version().id(), BEGIN + it.position()))
            .toList(),
        search,
        found.judged() < Math.min(found.head(), head)
            ? Optional.of(BEGIN + found.judged())
            : Optional.empty());
  }

  /**
   * The events without a brand, of the providers that have sent events of this brand. The feed
   * knows these providers also when all events of the brand are erased.
   */
  Page withoutBrand(String brand, Search search, Optional<String> after) {
    ProvidersPlace place =
        after
            .map(text -> placed(() -> ProvidersPlace.parse(text)))
            .orElse(new ProvidersPlace("0", Set.of()));
    return place.at().startsWith(BEGIN)
        ? withoutBrand(search, place)
        : providers(ofBrand(brand), place);
  }

  private Page providers(Predicate<FeedEntry.OfEvent> isOfBrand, ProvidersPlace place) {
    Set<String> providers = new HashSet<>(place.providers());
    FeedReader.Found found =
        find(
            placed(() -> position(place.at())) + 1,
            Long.MAX_VALUE,
            event -> isOfBrand.test(event) && providers.add(event.type().provider()));
    String at = found.judged() < found.head() ? Long.toString(found.judged()) : BEGIN;
    return new Page(List.of(), Optional.of(new ProvidersPlace(at, providers).text()));
  }

  private Page withoutBrand(Search search, ProvidersPlace place) {
    Page page =
        page(
            search,
            Optional.of(place.at()),
            search.from(),
            event ->
                event.brand().isEmpty() && place.providers().contains(event.type().provider()));
    return new Page(
        page.entries().stream()
            .map(it ->
                new Entry(it.event(), new ProvidersPlace(it.next(), place.providers()).text()))
            .toList(),
        page.next().map(at -> new ProvidersPlace(at, place.providers()).text()));
  }

  private FeedReader.Found find(long begin, long until, Predicate<FeedEntry.OfEvent> passes) {
    return feed.find(
        EventOrder.ASC,
        begin,
        new FeedReader.Bounds(Optional.empty(), Optional.empty(), until),
        placed -> placed.entry() instanceof FeedEntry.OfEvent event && passes.test(event),
        ErasableItems.PAGE);
  }

  private static long positionOf(String place) {
    if (!place.startsWith(BEGIN)) {
      throw new IllegalArgumentException(place);
    }
    return position(place.substring(BEGIN.length()));
  }

  private static long position(String text) {
    return Objects.checkIndex(Long.parseLong(text), END_OF_ALL);
  }
}
