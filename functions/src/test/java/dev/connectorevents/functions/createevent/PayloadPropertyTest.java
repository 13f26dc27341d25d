package dev.connectorevents.functions.createevent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.AdjustableClock;
import dev.connectorevents.Promise;
import dev.connectorevents.event.EventIds;
import dev.connectorevents.event.InMemoryEvents;
import dev.connectorevents.eventformat.EventRequest;
import dev.connectorevents.json.Body;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

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

  private static final int SEEDS = 300;

  @Test
  @Promise("The service stores the payload **byte for byte**")
  void a_payload_with_meta_is_stored_as_it_was_sent() {
    for (int seed = 0; seed < SEEDS; seed++) {
      JsonTexts texts = new JsonTexts(new Random(seed));
      List<String> members = new ArrayList<>(texts.members());
      int place = texts.random().nextInt(members.size() + 1);
      members.add(place, "\"_meta\":" + texts.any(METAS));
      String payload = texts.object(members);

      assertThat(stored(payload, texts.spacing())).as("seed %d", seed).isEqualTo(payload);
    }
  }

  @Test
  void a_payload_without_meta_is_stored_as_it_was_sent_and_gets_one() {
    for (int seed = 0; seed < SEEDS; seed++) {
      JsonTexts texts = new JsonTexts(new Random(seed));
      String payload = texts.object(texts.members());
      String spacing = texts.spacing();
      String stored = stored(payload, spacing);
      String open = payload.substring(0, payload.length() - 1);
      boolean isEmpty = payload.substring(1, payload.length() - 1).isBlank();

      assertThat(stored).as("seed %d", seed).startsWith(open);
      assertThat(stored.substring(open.length()))
          .as("seed %d", seed)
          .startsWith((isEmpty ? "" : ",") + "\"_meta\":{\"source\":\"shopify\",")
          .endsWith("}}");
      // Storing the result again finds its _meta, and changes nothing.
      assertThat(stored(stored, spacing)).as("seed %d", seed).isEqualTo(stored);
    }
  }

  private static String stored(String payload, String spacing) {
    String text =
        ("{@\"payload\"@:@" + payload + "@,@\"event_type\":\"shopify.orders/create\"@}")
            .replace("@", spacing);
    AdjustableClock clock = new AdjustableClock("2026-11-20T12:00:00Z");
    InMemoryEvents events = new InMemoryEvents();
    NewEvents newEvents = new NewEvents(new EventIds(clock, new Random(1)), clock);

    EventRequest request = ((Body.Read<EventRequest>) EventRequest.read(text)).value();
    events.store(newEvents.of(request, new UUID(0, 0)));
    return events.stored().getFirst().payload().text();
  }
}
