package dev.connectorevents.acceptance.threads;

import static dev.connectorevents.acceptance.service.ApiClient.EVENTS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.AwsFault;
import dev.connectorevents.acceptance.service.Nightly;
import dev.connectorevents.acceptance.service.Proxy;
import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.Texts;
import dev.connectorevents.acceptance.service.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;

/** Several clients at once use the service, on caches that they share. */
class RacesTest {

  private static final int CLIENTS = 6;
  private static final int KEYS = Nightly.choose(6, 200);

  /** Each so many writes of events lose their answers. */
  private static final int LOST = 7;

  @AutoClose private static final World world = World.start(new Setup().inProcess());

  private final AtomicInteger writes = new AtomicInteger();

  @Test
  @Promise({"Any number of concurrent tries store one event.", "so one rotation ends no session."})
  void clients_that_send_the_same_events_get_one_event_for_each_key_while_the_key_is_rotated()
      throws Exception {
    world.fail(this::loseSome);
    String token = world.client().token();
    CountDownLatch halfDone = new CountDownLatch(CLIENTS * KEYS / 2);
    List<List<Answer>> answers =
        atOnce(
            () -> {
              List<Answer> all = new ArrayList<>();
              for (int key = 0; key < KEYS; key++) {
                all.add(send(token, key));
                halfDone.countDown();
              }
              return all;
            },
            () -> {
              halfDone.await();
              try (SecretsManagerClient secrets = world.settings().secretsManagerClient()) {
                world.operator().rotate(secrets);
              }
            });
    world.fail(call -> AwsFault.NONE);
    for (int i = 0; i < KEYS; i++) {
      int key = i;
      List<Answer> ofKey = answers.stream().map(each -> each.get(key)).toList();
      assertThat(ofKey).allMatch(answer -> answer.status() == 201);
      List<String> ids =
          ofKey.stream().map(it -> it.body().path("id").asText()).distinct().toList();
      assertThat(ids).hasSize(1);
      assertThat(ofKey)
          .as("new answers of key " + key)
          .filteredOn(answer -> answer.header("Idempotency-Replayed").isEmpty())
          .hasSizeLessThanOrEqualTo(1);
      assertThat(new String(world.payload(ids.getFirst()), UTF_8)).startsWith(begin(key));
    }
  }

  private AwsFault loseSome(Proxy.Call call) {
    boolean isWrite = call.name().endsWith("EventsTable") && !call.name().contains("Get");
    return isWrite && writes.incrementAndGet() % LOST == 0 ? AwsFault.LOST_ANSWER : AwsFault.NONE;
  }

  /** Sends an event until its outcome is known. Each third one takes several items. */
  private static Answer send(String token, int key) {
    String body = "{\"event_type\":\"a.b\",\"payload\":" + begin(key) + "}}";
    Answer answer;
    do {
      answer =
          world
              .client()
              .post(EVENTS, body, "Authorization", "Bearer " + token, "Idempotency-Key", "k" + key);
    } while (answer.status() == 503);
    return answer;
  }

  private static String begin(int key) {
    String text = key % 3 == 0 ? Texts.noise(450_000) : "short";
    return "{\"n\":%d,\"text\":\"%s\"".formatted(key, text);
  }

  @Test
  void after_a_revocation_no_client_gets_in_with_a_remembered_user_or_token() throws Exception {
    String token = world.client().token();
    CountDownLatch allBegan = new CountDownLatch(CLIENTS);
    CountDownLatch isRevoked = new CountDownLatch(1);
    List<List<Integer>> statuses =
        atOnce(
            () -> {
              int before = post(token);
              allBegan.countDown();
              while (isRevoked.getCount() > 0) {
                post(token); // at most 5 s late: either outcome is right
              }
              return List.of(before, post(token), post(token));
            },
            () -> {
              allBegan.await();
              assertThat(world.operator().manageUsers("revoke-tokens", World.EMAIL).has("user"))
                  .isTrue();
              world.clock().pass(Duration.ofSeconds(6));
              isRevoked.countDown();
            });
    assertThat(statuses).allMatch(List.of(201, 401, 401)::equals);
  }

  private static int post(String token) {
    String body = "{\"event_type\":\"a.b\",\"payload\":{}}";
    return world.client().post(EVENTS, body, token).status();
  }

  /** What is done beside the clients. */
  private interface Work {
    void run() throws Exception;
  }

  /** Runs the clients, and something beside them. Returns the result of each client. */
  private static <T> List<T> atOnce(Callable<T> client, Work beside) throws Exception {
    List<T> results = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<T>> clients =
          IntStream.range(0, CLIENTS).mapToObj(_ -> threads.submit(client)).toList();
      beside.run();
      for (Future<T> each : clients) {
        results.add(each.get());
      }
    }
    return results;
  }
}
