package dev.connectorevents.acceptance.attacks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.ApiClient;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.Nightly;
import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.user.LoginAttempts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Somebody guesses a connector's password. Meanwhile the connector can log in and use the API.
 *
 * <p>Slow: each guess hashes a password, and the guesser is far away.
 */
@Order(1)
class GuessingTest {

  private static final String GUESSER = "198.51.100.7";

  /**
   * The guesser's pause after each answer. It keeps the guesser below the limit of 50 logins a
   * second.
   */
  private static final Duration ROUND_TRIP = Duration.ofMillis(25);

  private static final int OTHER_SOURCES = Nightly.choose(3, 10);

  private static final ObjectMapper JSON = new ObjectMapper();

  private static World bounded() {
    return World.start(new Setup().parameters(Map.of("LoginConcurrency", "10", "BcryptCost", "8")));
  }

  @Test
  @Promise("the right password gets 429 too.")
  void a_guesser_must_wait_even_with_the_right_password() {
    try (World service = bounded()) {
      for (int i = 0; i < LoginAttempts.MAX_FAILURES; i++) {
        // The guesser can send any such header. Only the address of the connection counts.
        login(service, World.EMAIL, "wrong", "192.0.2." + i);
      }

      JsonNode answer = login(service, World.EMAIL, World.PASSWORD, "");

      assertThat(answer.get("statusCode").intValue()).isEqualTo(429);
    }
  }

  @Test
  void a_flood_of_logins_is_bounded_and_leaves_the_other_routes_alone() throws Exception {
    try (World service = bounded();
        ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      String token = service.client().token();
      List<Callable<Integer>> flood =
          IntStream.range(0, 100)
              .<Callable<Integer>>mapToObj(
                  i -> () -> service.client().login("guess" + i + "@example.com", "x").status())
              .toList();
      Future<List<Future<Integer>>> flooding = executor.submit(() -> executor.invokeAll(flood));

      List<Integer> events = new ArrayList<>();
      do {
        events.add(postEvent(service, token));
      } while (!flooding.isDone());

      assertThat(events).isNotEmpty().containsOnly(201);
      assertThat(flooding.get().stream().map(Future::resultNow))
          .hasSize(100)
          .contains(401, 503) // 503 if ten instances of the function are busy
          .isSubsetOf(401, 503);
    }
  }

  /**
   * After each answer, the guesser waits for {@link #ROUND_TRIP}, the round trip of a fast network.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 100})
  @EnabledOnOs(value = OS.LINUX, disabledReason = "other systems have one loopback address")
  @Promise("**Below the throttle, one source cannot keep the others from logging in**")
  void below_the_throttle_a_guesser_keeps_no_other_source_from_logging_in(int addresses)
      throws Exception {
    CountDownLatch mustWait = new CountDownLatch(1);
    try (World throttled = World.start(new Setup().throttled());
        ApiClient guesser = throttled.clientAt("127.0.0.2");
        ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> guessing =
          executor.submit(() -> {
            for (int i = 0; !Thread.interrupted(); i++) {
              String email = addresses == 1 ? World.EMAIL : i % addresses + "@example.com";
              Answer answer = guesser.login(email, "guess " + i);
              if (answer.code().equals("too_many_attempts")) {
                mustWait.countDown();
              }
              Thread.sleep(ROUND_TRIP);
            }
            return null;
          });
      mustWait.await();

      for (int source = 10; source < 10 + OTHER_SOURCES; source++) {
        try (ApiClient connector = throttled.clientAt("127.0.0." + source)) {
          assertThat(tries(connector, 3)).contains(200);
        }
      }
      assertThat(guessing.isDone()).isFalse();
      executor.shutdownNow();
    }
  }

  private static Stream<Integer> tries(ApiClient connector, int most) {
    return Stream.generate(() -> connector.login(World.EMAIL, World.PASSWORD).status()).limit(most);
  }

  private static int postEvent(World service, String token) {
    String body = "{\"event_type\":\"a.b\",\"payload\":{}}";
    return service.client().post("/api/webhook-events", body, token).status();
  }

  private static JsonNode login(World service, String email, String password, String forwardedFor) {
    ObjectNode event = read(Path.of("../events/login.json"));
    ((ObjectNode) event.at("/requestContext/http")).put("sourceIp", GUESSER);
    ((ObjectNode) event.get("headers")).put("x-forwarded-for", forwardedFor);
    event.put(
        "body", JSON.createObjectNode().put("email", email).put("password", password).toString());
    return service.operator().invoke("LoginFunction", event.toString());
  }

  private static ObjectNode read(Path file) {
    try {
      return (ObjectNode) JSON.readTree(file.toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
