package dev.connectorevents.erasure;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.AdjustableClock;
import dev.connectorevents.Promise;
import dev.connectorevents.erasure.ErasableEvents.Entry;
import dev.connectorevents.erasure.ErasableEvents.EraseOutcome;
import dev.connectorevents.erasure.ErasableEvents.Page;
import dev.connectorevents.erasure.ErasableEvents.Search;
import dev.connectorevents.erasure.ErasableEvents.Source;
import dev.connectorevents.event.Deliveries;
import dev.connectorevents.event.EventToStore;
import dev.connectorevents.event.EventType;
import dev.connectorevents.event.EventTypes;
import dev.connectorevents.event.Fingerprint;
import dev.connectorevents.event.Meta;
import dev.connectorevents.event.Payload;
import dev.connectorevents.event.Payloads;
import dev.connectorevents.event.Sha256;
import dev.connectorevents.event.Timestamp;
import dev.connectorevents.feed.Whole;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The sentences that each store of {@link ErasableEvents} holds: the service's, and that of its
 * tests.
 */
public abstract class ErasableEventsTest {

  protected static final Instant CREATED = Instant.parse("2026-11-20T12:00:00.123Z");
  protected static final Instant NOW = CREATED.plusSeconds(60);
  protected static final UUID ERASURE = UUID.fromString("0197f3a0-0000-7000-8000-000000000001");

  protected static final UUID SENDER = UUID.fromString("0197f3a0-0000-7000-8000-00000000000b");

  protected final String brand = UUID.randomUUID().toString();

  /** The clock of the store. */
  protected final AdjustableClock clock = new AdjustableClock(NOW.toString());

  /** The last position of the feed. */
  protected abstract long head();

  /** The index, and the feed to its end. */
  protected final Source upToHead() {
    return upTo(Optional.empty());
  }

  /** The same of a feed with this name; empty: of any. */
  protected final Source upTo(Optional<String> feed) {
    return new Source.UpTo(
        Optional.of(new Whole(feed, "stream", 1, NOW, head(), Optional.empty())));
  }

  /** The store under test, without any event. */
  protected abstract ErasableEvents events();

  /**
   * Stores an event.
   *
   * @param retention zero to keep it for ever
   */
  protected abstract void put(EventToStore toStore, Duration retention);

  @Test
  @Promise("one whose key has got a new event that is not selected")
  void an_event_that_was_replaced_since_it_was_read_is_not_erased() throws IOException {
    for (String[] payloads :
        new String[][] {
          {"{}", "{\"n\":1}"},
          {"{}", Payloads.random(1_000_000)},
          {Payloads.random(1_000_000), "{}"}
        }) {
      EventToStore first = keyed(payloads[0]);
      UUID id = store(first, Optional.of(Duration.ofSeconds(10)));
      ErasableEvent read = read(id);
      EventToStore second = toStore(id, CREATED.plusSeconds(30), payloads[1], true);
      store(second, Optional.empty());

      assertThat(events().erase(read, ERASURE)).isEqualTo(EraseOutcome.CHANGED);

      assertThat(read(id).createdAt()).isEqualTo(second.createdAt());
      assertThat(events().payload(read(id)).orElseThrow()).asString(UTF_8).isEqualTo(payloads[1]);
    }
  }

  @Test
  void an_event_is_erased_once() {
    UUID id = store(keyed("{}"), Optional.empty());
    ErasableEvent read = read(id);
    assertThat(events().erase(read, ERASURE)).isEqualTo(EraseOutcome.ERASED);

    assertThat(events().erase(read, UUID.randomUUID())).isEqualTo(EraseOutcome.CHANGED);
    assertThat(events().read(id)).isEmpty();
    assertThat(events().erased(List.of(id))).containsExactly(id);
  }

  @Test
  @Promise("Neither erased events nor ids without an event are among them")
  void ids_select_events_that_were_created_before() {
    UUID stored = store(keyed("{}"), Optional.empty());
    UUID erased = store(keyed("{}"), Optional.empty());
    events().erase(read(erased), ERASURE);
    UUID younger = store(toStore(UUID.randomUUID(), NOW, "{}", true), Optional.empty());

    List<UUID> ids = List.of(stored, erased, younger, UUID.randomUUID());
    assertThat(all(new ErasureSelector.Ids(ids), false)).containsExactly(stored);
    assertThat(events().erased(List.of(stored, erased, younger))).containsExactly(erased);
  }

  @Test
  @Promise("Selects the events of this brand, as a list does.")
  void a_brand_selects_all_of_its_events_in_pages() {
    Set<UUID> ofBrand = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      ofBrand.add(store(ofBrand(brand, CREATED.plusMillis(i % 7)), Optional.empty()));
    }
    store(ofBrand(brand + "x", CREATED), Optional.empty());
    store(ofBrand(brand, NOW), Optional.empty());
    store(keyed("{}"), Optional.empty());
    ErasureSelector selector = new ErasureSelector.Brand(brand);

    for (boolean hasPayloads : new boolean[] {false, true}) {
      assertThat(all(selector, hasPayloads)).containsExactlyInAnyOrderElementsOf(ofBrand);
    }
  }

  @Test
  @Promise("it then looks at what was created in this time.")
  void a_search_finds_what_was_created_from_one_time_until_before_another() {
    Instant from = CREATED.plusMillis(1);
    Instant before = CREATED.plusMillis(3);
    List<UUID> ids =
        Stream.of(0, 1, 2, 3)
            .map(i -> store(ofBrand(brand, CREATED.plusMillis(i)), Optional.empty()))
            .toList();

    for (ErasureSelector selector :
        List.of(
            new ErasureSelector.Brand(brand),
            new ErasureSelector.Ids(ids),
            new ErasureSelector.All())) {
      assertThat(all(selector, from, before, true))
          .containsExactlyInAnyOrderElementsOf(ids.subList(1, 3));
    }
  }

  @Test
  @Promise("Selects what this user has sent from `from` until before `to`")
  void a_sender_selects_what_it_sent_in_a_time_of_the_event_types() {
    UUID sender = UUID.randomUUID();
    Instant to = CREATED.plusMillis(4);
    Set<UUID> all = new HashSet<>();
    Set<UUID> ofTypes = new HashSet<>();
    for (int i = 0; i < 240; i++) {
      String type = i % 3 == 0 ? "github.push" : "shopify.orders/create";
      UUID user = i % 2 == 0 ? sender : UUID.randomUUID();
      Instant created = CREATED.plusMillis(i % 7 - 1);
      UUID id = store(sentBy(user, type, created), Optional.empty());
      if (user.equals(sender) && !created.isBefore(CREATED) && created.isBefore(to)) {
        all.add(id);
        if (i % 3 == 0) {
          ofTypes.add(id);
        }
      }
    }
    UUID erased = all.iterator().next();
    clock.advance(Duration.between(NOW, CREATED.plusMillis(2)));
    events().erase(read(erased), ERASURE);
    clock.advance(Duration.between(clock.instant(), NOW));
    all.remove(erased);
    ofTypes.remove(erased);

    for (boolean hasPayloads : new boolean[] {false, true}) {
      assertThat(
              all(new ErasureSelector.Sender(sender, Optional.empty()), CREATED, to, hasPayloads))
          .containsExactlyInAnyOrderElementsOf(all);
      assertThat(
              all(
                  new ErasureSelector.Sender(sender, EventTypes.parse("x.y,github.p*")),
                  CREATED,
                  to,
                  hasPayloads))
          .containsExactlyInAnyOrderElementsOf(ofTypes);
    }
  }

  /** Also when the brand's events are erased. */
  @Test
  void what_has_no_brand_is_found_of_the_providers_of_a_brand() {
    UUID ofBrand = store(ofBrand(brand, CREATED), Optional.empty());
    UUID erased = store(sentBy(SENDER, "shopify.a", CREATED), Optional.empty());
    List<UUID> without = new ArrayList<>();
    for (int i = 0; i < 230; i++) {
      without.add(store(sentBy(SENDER, "shopify.b" + i, CREATED), Optional.empty()));
    }
    store(sentBy(SENDER, "github.push", CREATED), Optional.empty());
    store(ofBrand(brand + "x", CREATED), Optional.empty());
    assertThat(head()).isEqualTo(234);
    events().erase(read(ofBrand), ERASURE);
    events().erase(read(erased), ERASURE);

    for (int mostOfPage : new int[] {3, Integer.MAX_VALUE}) {
      assertThat(all(withoutBrand(brand), mostOfPage)).containsExactlyInAnyOrderElementsOf(without);
    }
    assertThat(all(withoutBrand(brand + "y"), Integer.MAX_VALUE)).isEmpty();
  }

  private static Search withoutBrand(String of) {
    return new Search(
        new ErasureSelector.WithoutBrand(of), Timestamp.EARLIEST, NOW, false, new Source.AsItIs());
  }

  @Test
  void a_page_may_begin_after_any_event_of_the_page_before() {
    List<UUID> stored = new ArrayList<>();
    for (int i = 0; i < 23; i++) {
      stored.add(store(ofBrand(brand, CREATED.plusMillis(i % 3)), Optional.empty()));
    }
    for (ErasureSelector selector :
        List.of(
            new ErasureSelector.Ids(stored),
            new ErasureSelector.Brand(brand),
            new ErasureSelector.Sender(SENDER, Optional.empty()),
            new ErasureSelector.All())) {
      assertThat(all(new Search(selector, Timestamp.EARLIEST, NOW, true, upToHead()), 3))
          .containsExactlyInAnyOrderElementsOf(stored);
    }
  }

  @Test
  void the_feed_is_read_up_to_a_head_and_not_before_it_is_known() {
    UUID first = store(ofBrand(brand, CREATED), Optional.empty());
    Source head = upToHead();
    store(ofBrand(brand, CREATED), Optional.empty());
    ErasureSelector sent = new ErasureSelector.Sender(SENDER, Optional.empty());
    Search unknown =
        new Search(sent, Timestamp.EARLIEST, NOW, false, new Source.UpTo(Optional.empty()));

    Page page = events().page(unknown, Optional.empty());

    assertThat(page).isEqualTo(new Page(List.of(), Optional.empty(), true));
    assertThat(all(new Search(sent, Timestamp.EARLIEST, NOW, false, head), Integer.MAX_VALUE))
        .containsExactly(first);
  }

  @Test
  void a_scan_for_a_brand_or_a_sender_reads_all_events_as_they_are_stored() {
    UUID ofBrand = store(ofBrand(brand, CREATED), Optional.empty());
    UUID other = store(keyed("{}"), Optional.empty());

    for (ErasureSelector selector :
        List.of(
            new ErasureSelector.Brand(brand),
            new ErasureSelector.Sender(UUID.randomUUID(), Optional.empty()))) {
      Search scan = new Search(selector, Timestamp.EARLIEST, NOW, true, new Source.Table());
      assertThat(all(scan, Integer.MAX_VALUE)).containsExactlyInAnyOrder(ofBrand, other);
    }
    assertThat(read(ofBrand).brand()).contains(brand);
    assertThat(read(other).brand()).isEmpty();
    assertThat(read(other).userId()).isEqualTo(SENDER);
    assertThat(events().erase(read(other).withoutPayload(), ERASURE))
        .isEqualTo(EraseOutcome.ERASED);
  }

  @Test
  @Promise("Neither erased events nor ids without an event are among them")
  void a_scan_selects_all_events_but_no_parts_and_no_tombstones() {
    UUID large = store(keyed(Payloads.random(3_000_000)), Optional.empty());
    UUID small = store(keyed("{}"), Optional.empty());
    events().erase(read(store(keyed("{}"), Optional.empty())), ERASURE);
    store(toStore(UUID.randomUUID(), NOW, "{}", true), Optional.empty());

    assertThat(all(new ErasureSelector.All(), true)).containsExactlyInAnyOrder(large, small);
  }

  @Test
  void the_payload_is_read_as_it_was_stored() throws IOException {
    for (String payload :
        List.of(
            "{\"é\":1.0}", "{\"a\":\"" + "x".repeat(9_000) + "\"}", Payloads.random(2_000_000))) {
      UUID id = store(keyed(payload), Optional.empty());

      assertThat(events().payload(read(id)).orElseThrow()).asString(UTF_8).isEqualTo(payload);
    }
  }

  @Test
  void the_payload_of_an_event_that_was_erased_meanwhile_is_not_there() throws IOException {
    UUID id = store(keyed(Payloads.random(2_000_000)), Optional.empty());
    ErasableEvent read = read(id);
    events().erase(read, ERASURE);

    assertThat(events().payload(read)).isEmpty();
  }

  @Test
  void an_expired_event_is_deleted_and_leaves_no_tombstone() {
    UUID id = store(keyed("{}"), Optional.of(Duration.ofSeconds(10)));

    assertThat(events().erase(read(id), ERASURE)).isEqualTo(EraseOutcome.EXPIRED);

    assertThat(events().read(id)).isEmpty();
    assertThat(events().erased(List.of(id))).isEmpty();
  }

  protected final ErasableEvent read(UUID id) {
    return events().read(id).orElseThrow();
  }

  protected final List<UUID> all(ErasureSelector selector, boolean hasPayloads) {
    return all(selector, Timestamp.EARLIEST, NOW, hasPayloads);
  }

  protected final List<UUID> all(
      ErasureSelector selector, Instant from, Instant before, boolean hasPayloads) {
    return all(new Search(selector, from, before, hasPayloads, upToHead()), Integer.MAX_VALUE);
  }

  /** Reads page by page, and uses only the first events of each. */
  private List<UUID> all(Search search, int mostOfPage) {
    Set<UUID> ids = new LinkedHashSet<>(); // the feed has again what the index had
    Optional<String> after = Optional.empty();
    Page page;
    boolean isCut;
    do {
      page = events().page(search, after);
      List<Entry> used = page.entries().stream().limit(mostOfPage).toList();
      used.forEach(entry -> ids.add(entry.event().id()));
      isCut = used.size() < page.entries().size();
      after = isCut ? Optional.of(used.getLast().next()) : page.next();
    } while (after.isPresent());
    return List.copyOf(ids);
  }

  protected final UUID store(EventToStore sent, Optional<Duration> retention) {
    put(sent, retention.orElse(Duration.ZERO));
    return sent.id();
  }

  protected static EventToStore keyed(String payload) {
    return toStore(UUID.randomUUID(), CREATED, payload, true);
  }

  private static EventToStore sentBy(UUID user, String type, Instant created) {
    return new EventToStore(
        UUID.randomUUID(),
        new EventType(type),
        Deliveries.NONE,
        new Payload("{}", new Meta(Map.of())),
        user,
        Optional.empty(),
        created);
  }

  protected static EventToStore toStore(UUID id, Instant created, String payload, boolean hasKey) {
    return toStore(id, created, new Payload(payload, new Meta(Map.of())), hasKey);
  }

  private static EventToStore toStore(UUID id, Instant created, Payload payload, boolean hasKey) {
    return new EventToStore(
        id,
        new EventType("shopify.orders/create"),
        Deliveries.FULL,
        payload,
        SENDER,
        hasKey ? Optional.of(fingerprint(payload.text())) : Optional.empty(),
        created);
  }

  private static Fingerprint fingerprint(String payload) {
    return Fingerprint.of(ByteBuffer.wrap(Sha256.of(payload.getBytes(UTF_8))));
  }

  protected static EventToStore ofBrand(String name, Instant created) {
    Payload payload = new Payload("{}", new Meta(Map.of("brand_id", name)));
    return toStore(UUID.randomUUID(), created, payload, true);
  }
}
