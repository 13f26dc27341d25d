package dev.connectorevents.acceptance.journeys;

import static dev.connectorevents.acceptance.service.PostingConnector.EVENTS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.Nightly;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.event.Payloads;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIf;

/** An event that takes a transaction is stored once, however many try at the same time. */
class ExactlyOnceTest {

  @AutoClose private final World service = World.start();

  @Test
  @DisabledIf(
      value = "dev.connectorevents.emulator.Endpoint#isMoto",
      disabledReason = Endpoint.MOTO_ITEM_SIZE)
  @Promise("Any number of concurrent tries store one event.")
  void a_burst_of_large_requests_under_one_key_is_one_event() throws Exception {
    String token = service.client().token();
    String payload = Payloads.random(1_000_000);
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<Answer> request = () -> post(token, body(payload), "large");
      Set<String> ids = new HashSet<>();
      for (Future<Answer> answer :
          executor.invokeAll(
              IntStream.range(0, Nightly.choose(5, 10)).mapToObj(i -> request).toList())) {
        assertThat(answer.resultNow().status()).isEqualTo(201);
        ids.add(answer.resultNow().body().get("id").textValue());
      }
      assertThat(ids).hasSize(1);
      assertThat(service.payload(ids.iterator().next()))
          .startsWith(payload.substring(0, payload.length() - 1).getBytes(UTF_8));
    }
  }

  private Answer post(String token, String body, String key) {
    return service
        .client()
        .post(EVENTS, body, "Authorization", "Bearer " + token, "Idempotency-Key", key);
  }

  private static String body(String payload) {
    return "{\"event_type\":\"shopify.orders/create\",\"payload\":" + payload + "}";
  }
}
