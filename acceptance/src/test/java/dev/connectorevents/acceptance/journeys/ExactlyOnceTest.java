package dev.connectorevents.acceptance.journeys;

import static dev.connectorevents.acceptance.service.Connector.EVENTS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.AwsFault;
import dev.connectorevents.acceptance.service.Nightly;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.dynamodb.events.Payloads;
import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.user.Role;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIf;

/** Every event is stored exactly once, despite lost answers, retries and bursts. */
class ExactlyOnceTest {

  @AutoClose private final World service = World.start();

  @Test
  void fifty_requests_at_once_under_one_key_are_one_event() throws Exception {
    int rounds = Nightly.choose(1, 20);
    String token = service.client().token();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int round = 0; round < rounds; round++) {
        String key = "round " + round;
        Callable<Answer> request = () -> post(token, body("{}"), key);
        List<Answer> answers =
            executor.invokeAll(IntStream.range(0, 50).mapToObj(i -> request).toList()).stream()
                .map(Future::resultNow)
                .toList();

        assertThat(answers).extracting(Answer::status).containsOnly(201);
        assertThat(answers.stream().map(Answer::body).distinct()).hasSize(1);
        assertThat(answers)
            .filteredOn(answer -> answer.header("idempotency-replayed").isEmpty())
            .hasSize(1);
      }
    }
    assertThat(service.countEvents()).isEqualTo(rounds);
  }

  @Test
  @DisabledIf(
      value = "dev.connectorevents.emulator.Endpoint#isMoto",
      disabledReason = Endpoint.MOTO_ITEM_SIZE)
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

  @Test
  void a_key_belongs_to_its_user_and_survives_a_new_login() {
    service.createUser("other@example.com", "other", Role.CONNECTOR);

    Answer first = post(service.client().token(), body("{}"), "key");
    Answer again = post(service.client().token(), body("{}"), "key");
    String other =
        service.client().login("other@example.com", "other").body().get("access_token").asText();
    Answer others = post(other, body("{\"n\":2}"), "key");

    assertThat(again.body()).isEqualTo(first.body());
    assertThat(again.header("idempotency-replayed")).isEqualTo("true");
    assertThat(others.status()).isEqualTo(201);
    assertThat(others.body().get("id")).isNotEqualTo(first.body().get("id"));
  }

  @Test
  @DisabledIf(
      value = "dev.connectorevents.emulator.Endpoint#isMoto",
      disabledReason = Endpoint.MOTO_ITEM_SIZE)
  void a_write_whose_answer_is_lost_is_one_event_and_a_201() throws IOException {
    int writes = Nightly.choose(20, 200);
    String token = service.client().token();
    AtomicInteger lost = new AtomicInteger();
    service.fail(call -> {
      AwsFault fault = AwsFault.ofFirstWrite(call);
      lost.addAndGet(fault == AwsFault.NONE ? 0 : 1);
      return fault;
    });
    Set<String> ids = new HashSet<>();
    for (int i = 0; i < writes; i++) {
      // Every tenth payload is so large that it takes a transaction.
      String payload = i % 10 == 0 ? Payloads.random(900_000) : "{\"n\":" + i + "}";
      Answer answer =
          service.client().post(EVENTS, body(payload), "Authorization", "Bearer " + token);
      assertThat(answer.status()).isEqualTo(201);
      assertThat(answer.header("Idempotency-Replayed")).isEmpty();
      ids.add(answer.body().get("id").textValue());
    }

    assertThat(ids).hasSize(writes);
    assertThat(service.countEvents()).isEqualTo(writes);
    assertThat(lost).hasValueGreaterThanOrEqualTo(writes);
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
