package dev.connectorevents.acceptance.journeys;

import static dev.connectorevents.acceptance.service.PostingConnector.EVENTS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.World;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A connector asks which of its events have not arrived. */
class FindMissingTest {

  @AutoClose private static final World service = World.start();
  private static final String token = service.client().token();

  /**
   * Runs only nightly: {@code BatchReadsTest} has a faster test, with a fake table that leaves out
   * keys.
   */
  @Test
  @Tag("nightly")
  void events_of_more_than_16_megabytes_are_found_in_several_reads() {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      keys.add("key " + i);
      Answer stored = post("", largeEvent(i), "Idempotency-Key", "key " + i);
      assertThat(stored.status()).as(stored.text()).isEqualTo(201);
    }
    keys.add(20, "none");

    Answer answer =
        post("/missing", "{\"idempotency_keys\":[\"" + String.join("\",\"", keys) + "\"]}");

    assertThat(answer.text()).isEqualTo("{\"missing\":[\"none\"]}");
  }

  /** An event whose payload takes about 350 KB in DynamoDB, compressed. */
  private static String largeEvent(int seed) {
    Random random = new Random(seed);
    byte[] bytes = new byte[350_000];
    random.nextBytes(bytes);
    String text = Base64.getEncoder().encodeToString(bytes);
    return "{\"event_type\":\"a.b\",\"payload\":{\"noise\":\"" + text + "\"}}";
  }

  private static Answer post(String path, String body, String... headers) {
    List<String> all = new ArrayList<>(List.of("Authorization", "Bearer " + token));
    all.addAll(List.of(headers));
    return service.client().post(EVENTS + path, body, all.toArray(String[]::new));
  }
}
