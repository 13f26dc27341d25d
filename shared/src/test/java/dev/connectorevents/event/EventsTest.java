package dev.connectorevents.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.AdjustableClock;
import dev.connectorevents.Promise;
import dev.connectorevents.SideBySide;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIf;

/** The sentences that each store of {@link Events} holds: the service's, and that of its tests. */
public abstract class EventsTest {

  private static final Instant CREATED = Instant.parse("2026-11-20T12:00:00Z");

  private final WebhookEvent event =
      new WebhookEvent(UUID.randomUUID(), new EventType("github.push"), Deliveries.NONE, CREATED);

  /** The clock of the store. */
  protected final AdjustableClock clock = new AdjustableClock("2026-11-20T12:00:00Z");

  /** The store under test, in which events do not expire. */
  protected abstract Events store();

  /** The stored payload of an event. */
  protected abstract String payload(UUID id);

  /** Erases a stored event, as an operator does. */
  protected abstract void erase(UUID id);

  @Test
  @Promise("A key holds as long as its event is kept")
  void the_same_request_again_finds_the_first_event() {
    assertThat(store().store(keyed("{\"a\":1}"))).isEqualTo(new StoreOutcome.Stored(event));

    for (int i = 0; i < 2; i++) {
      clock.advance(Duration.ofSeconds(60));
      assertThat(store().store(keyed("{\"a\":1}"))).isEqualTo(new StoreOutcome.Replayed(event));
    }
  }

  @Test
  void another_request_under_the_same_id_changes_nothing() {
    store().store(keyed("{\"a\":1}"));

    assertThat(store().store(keyed("{\"a\":2}"))).isEqualTo(new StoreOutcome.KeyReused(event));
    assertThat(payload(event.id())).isEqualTo("{\"a\":1}");
  }

  @Test
  @Promise("Any number of concurrent tries store one event.")
  void of_many_calls_at_once_one_stores_the_event_and_the_others_find_it() {
    Events store = store();

    assertThat(
            new SideBySide(Thread::startVirtualThread, 20)
                .run(Collections.nCopies(20, keyed("{}")), store::store))
        .containsOnly(new StoreOutcome.Stored(event), new StoreOutcome.Replayed(event))
        .containsOnlyOnce(new StoreOutcome.Stored(event));
  }

  /** Nobody else has such an id: it is random. So the call repeats one whose answer was lost. */
  @Test
  void a_write_without_a_key_that_meets_its_id_is_the_first_one_too() {
    store().store(withoutKey());

    assertThat(store().store(withoutKey())).isEqualTo(new StoreOutcome.Stored(event));
  }

  @Test
  void a_write_without_a_key_that_meets_its_tombstone_had_stored_its_event() {
    store().store(withoutKey());
    erase(event.id());

    assertThat(store().store(withoutKey())).isEqualTo(new StoreOutcome.Stored(event));
    assertThat(store().store(keyed("{}")))
        .as("the tombstone is still there")
        .isEqualTo(new StoreOutcome.Erased());
  }

  @Test
  void the_key_of_an_erased_event_is_refused_whatever_is_sent_under_it() {
    store().store(keyed("{}"));
    erase(event.id());

    for (String payload : List.of("{}", "{\"a\":1}", "{}")) {
      assertThat(store().store(keyed(payload))).isEqualTo(new StoreOutcome.Erased());
    }
  }

  @Test
  @DisabledIf(
      value = "dev.connectorevents.emulator.Endpoint#isMoto",
      disabledReason = "moto refuses items that DynamoDB stores")
  void an_event_that_is_too_large_even_compressed_is_refused_and_stores_nothing() {
    String large = "{\"a\":\"" + "x".repeat(5_500_000) + "\"}";

    assertThat(store().store(keyed(Payloads.incompressible(5_500_000))))
        .isInstanceOfSatisfying(
            StoreOutcome.TooLarge.class,
            refused -> assertThat(refused.bytes()).isGreaterThan(refused.limit()));
    assertThat(store().store(keyed(large))).isEqualTo(new StoreOutcome.Stored(event));
    assertThat(payload(event.id())).isEqualTo(large);
  }

  private EventToStore withoutKey() {
    return toStore("{}", Optional.empty());
  }

  private EventToStore keyed(String payload) {
    SentPayload sent = new SentPayload(payload, false, Optional.empty());
    return toStore(payload, Optional.of(Fingerprint.of(event.type(), null, sent)));
  }

  private EventToStore toStore(String payload, Optional<Fingerprint> fingerprint) {
    return new EventToStore(
        event.id(),
        event.type(),
        event.delivery(),
        new Payload(payload, new Meta(Map.of())),
        new UUID(0, 1),
        fingerprint,
        clock.instant());
  }
}
