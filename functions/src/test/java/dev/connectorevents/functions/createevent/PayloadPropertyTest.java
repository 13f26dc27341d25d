package dev.connectorevents.functions.createevent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.AdjustableClock;
import dev.connectorevents.event.EventIds;
import dev.connectorevents.event.InMemoryEvents;
import dev.connectorevents.eventformat.EventRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * A payload is stored as it was sent, whatever its members, its spacing and the place of {@code
 * _meta}. A payload without {@code _meta} gets one at its end.
 */
class PayloadPropertyTest {

  private static final List<String> METAS =
      List.of(
          "{}",
          "{ \"source\":\"shopify\" }",
          "{\"topic\" : \"orders/create\",\"x\":\"\\u00e9}\"}",
          "{\"brand_id\":\"{\\\"_meta\\\":1}\"}");

  @Property(tries = 300)
  void a_payload_with_meta_is_stored_as_it_was_sent(
      @ForAll("payloadsWithMeta") String payload, @ForAll("spacings") String spacing) {
    assertThat(stored(payload, spacing)).isEqualTo(payload);
  }

  @Property(tries = 300)
  void a_payload_without_meta_is_stored_as_it_was_sent_and_gets_one(
      @ForAll("payloads") String payload, @ForAll("spacings") String spacing) {
    String stored = stored(payload, spacing);
    String open = payload.substring(0, payload.length() - 1);
    boolean isEmpty = payload.substring(1, payload.length() - 1).isBlank();

    assertThat(stored).startsWith(open);
    assertThat(stored.substring(open.length()))
        .startsWith((isEmpty ? "" : ",") + "\"_meta\":{\"source\":\"shopify\",")
        .endsWith("}}");
    // Storing the result again finds its _meta, and changes nothing.
    assertThat(stored(stored, spacing)).isEqualTo(stored);
  }

  @Provide
  Arbitrary<String> spacings() {
    return JsonTexts.spacing();
  }

  @Provide
  Arbitrary<String> payloads() {
    return JsonTexts.members().flatMap(JsonTexts::object);
  }

  @Provide
  Arbitrary<String> payloadsWithMeta() {
    return Combinators.combine(
            JsonTexts.members(), Arbitraries.of(METAS), Arbitraries.integers().between(0, 5))
        .flatAs((members, meta, place) -> {
          List<String> all = new ArrayList<>(members);
          all.add(Math.min(place, all.size()), "\"_meta\":" + meta);
          return JsonTexts.object(all);
        });
  }

  private static String stored(String payload, String spacing) {
    String text =
        ("{@\"payload\"@:@" + payload + "@,@\"event_type\":\"shopify.orders/create\"@}")
            .replace("@", spacing);
    InMemoryEvents events = new InMemoryEvents();
    AdjustableClock clock = new AdjustableClock("2026-11-20T12:00:00Z");
    CreateEvent createEvent = new CreateEvent(events, new EventIds(clock, new Random(1)), clock);

    createEvent.create((EventRequest.Valid) EventRequest.read(text), new UUID(0, 0));
    return events.stored().getFirst().payload().text();
  }
}
