package dev.connectorevents.acceptance.journeys;

import static dev.connectorevents.acceptance.service.Batches.TYPE;
import static dev.connectorevents.acceptance.service.Batches.batch;
import static dev.connectorevents.acceptance.service.Batches.event;
import static dev.connectorevents.acceptance.service.Batches.outcome;
import static dev.connectorevents.acceptance.service.Batches.results;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.Batches;
import dev.connectorevents.acceptance.service.Nightly;
import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.acceptance.service.WorldClock;
import dev.connectorevents.acceptance.wrongrequests.WrongEvents;
import dev.connectorevents.event.Payloads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Every event of a large batch is stored or refused as it would be alone. */
class BatchTest {

  private static final int BATCHES = Nightly.choose(2, 160);
  private static final int READ_BACK = Nightly.choose(20, 50);

  /** The most events that a batch may have. */
  private static final int EVENTS = 100;

  @AutoClose
  private static final World service = World.start(new Setup().clock(WorldClock.standing()));

  private static final String token = service.client().token();
  private final long before = service.countEvents();
  private final Random random = new Random(18);

  /**
   * An event of a batch.
   *
   * @param result the expected result: {@code new}, {@code replayed}, or a problem in the format of
   *     {@link Batches#inOneLine}
   */
  private record Sent(String event, String result) {}

  @Test
  @Promise("**Each event is stored exactly once or not at all**")
  void every_event_gets_what_it_would_get_alone() throws IOException {
    List<Sent> wrong = wrong().toList();
    Map<String, String> payloads = new HashMap<>(); // by key
    int withoutKey = 0;
    for (int batch = 0; batch < BATCHES; batch++) {
      List<Sent> events = new ArrayList<>();
      for (int i = 0; i < EVENTS; i++) {
        // Some keys are those of an earlier event, with the same payload or with another.
        String key = "key " + random.nextInt(EVENTS * (batch + 1));
        switch (random.nextInt(4)) {
          case 0 -> events.add(wrong.get(random.nextInt(wrong.size())));
          case 1 -> {
            withoutKey++;
            events.add(new Sent(TYPE + "\"payload\":{}}", "new"));
          }
          default -> {
            String payload =
                random.nextBoolean() ? "{ \"of\" : \"" + key + "\" }" : "{\"n\":" + i + ".0}";
            String result =
                Optional.ofNullable(payloads.putIfAbsent(key, payload))
                    .map(first -> first.equals(payload) ? "replayed" : "422 idempotency_key_reused")
                    .orElse("new");
            events.add(new Sent(event(key, payload), result));
          }
        }
      }

      JsonNode results = results(send(events.stream().map(Sent::event).toList()));

      for (int i = 0; i < EVENTS; i++) {
        assertThat(outcome(results.get(i))).startsWith(events.get(i).result());
      }
    }
    assertThat(service.countEvents() - before).isEqualTo(payloads.size() + withoutKey);
    for (Map.Entry<String, String> stored :
        payloads.entrySet().stream().limit(READ_BACK).toList()) {
      String payload = stored.getValue();
      JsonNode result = results(send(List.of(event(stored.getKey(), payload)))).get(0);
      assertThat(new String(service.payload(result.at("/event/id").asText()), UTF_8))
          .startsWith(payload.substring(0, payload.length() - 1) + ",\"_meta\"");
    }
  }

  @Test
  @Promise("6,291,455 bytes: about 5 MB of ordinary JSON")
  void a_batch_may_hold_one_event_of_five_megabytes_or_a_hundred_of_fifty_kilobytes()
      throws IOException {
    String large = "{\"a\":\"%s\"}".formatted("compressible ".repeat(400_000));
    List<String> many = Stream.generate(() -> Payloads.random(50_000)).limit(EVENTS).toList();

    JsonNode one = results(send(List.of(TYPE + "\"payload\":" + large + "}")));
    JsonNode hundred =
        results(send(many.stream().map(it -> TYPE + "\"payload\":" + it + "}").toList()));

    assertThat(service.payload(one.at("/0/event/id").asText()))
        .startsWith(large.substring(0, large.length() - 1).getBytes(UTF_8));
    for (int i = 0; i < EVENTS; i++) {
      String sent = many.get(i);
      assertThat(service.payload(hundred.get(i).at("/event/id").asText()))
          .startsWith(sent.substring(0, sent.length() - 1).getBytes(UTF_8));
    }
  }

  /** Mistakes that fail only their own event, not the whole batch. */
  private static Stream<Sent> wrong() {
    return WrongEvents.all()
        .filter(it -> it.answer().startsWith("422") && it.headers().isEmpty())
        .filter(it -> it.route().endsWith("/webhook-events"))
        .map(it -> new Sent(new String(it.body(), UTF_8), it.answer()));
  }

  private Answer send(List<String> events) {
    return Batches.send(service, token, events);
  }
}
