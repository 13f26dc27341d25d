package dev.connectorevents.acceptance.journeys;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.token.KeyRing;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The load of a rotation test: connectors that use each live token, and an attacker with a forged
 * one.
 */
final class RotationLoad implements AutoCloseable {

  static final String FORGED = forged();
  private static final String EVENT = "{\"event_type\":\"a.b\",\"payload\":{}}";
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * The longest time from a rotation until the new key signs a token. A function signs with a
   * cached key for at most {@link KeyRing#MAX_SIGNING_AGE}; the extra second is for the refresh.
   */
  private static final Duration LONGEST_WAIT = KeyRing.MAX_SIGNING_AGE.plusSeconds(1);

  private final World service;
  private final AtomicBoolean stop = new AtomicBoolean();
  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicInteger forgeries = new AtomicInteger();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private final Queue<String> tokens = new ConcurrentLinkedQueue<>();
  private final Set<String> kids = ConcurrentHashMap.newKeySet();

  RotationLoad(World service, String token) {
    this.service = service;
    tokens.add(token);
    kids.add(kid(token));
  }

  void keepPosting() {
    while (!stop.get()) {
      for (String token : tokens) {
        expect(201, service.client().post("/api/webhook-events", EVENT, bearer(token)));
      }
    }
  }

  void keepReadingMe() {
    while (!stop.get()) {
      for (String token : tokens) {
        expect(200, me(token));
      }
    }
  }

  /** Refreshes each token, and keeps the first new token of each key. */
  void keepRefreshing() {
    while (!stop.get()) {
      for (String token : List.copyOf(tokens)) {
        Answer answer = service.client().post("/api/auth/refresh", "", bearer(token));
        expect(200, answer);
        String refreshed = answer.body().path("access_token").asText(token);
        if (kids.add(kid(refreshed))) {
          tokens.add(refreshed);
        }
      }
    }
  }

  void keepForging() {
    while (!stop.get()) {
      expectRefusal(service.client().post("/api/auth/refresh", "", bearer(FORGED)));
      expectRefusal(service.client().post("/api/webhook-events", EVENT, bearer(FORGED)));
      expectRefusal(me(FORGED));
    }
  }

  private void expectRefusal(Answer answer) {
    forgeries.incrementAndGet();
    if (answer.status() != 401 || !answer.code().equals("invalid_token")) {
      failures.add("forged: " + answer.status() + " " + answer.body());
    }
  }

  void waitForTokenOf(String kid) throws InterruptedException {
    Instant deadline = service.clock().now().plus(LONGEST_WAIT);
    while (tokens.stream().noneMatch(token -> kid(token).equals(kid))) {
      assertThat(service.clock().now()).as("a token of the new key in time").isBefore(deadline);
      service.clock().pass(Duration.ofMillis(100));
      Thread.sleep(10);
    }
  }

  /** On a slow machine the load goes on for longer than the rotations take. */
  void waitForMoreRequestsThan(int count) throws InterruptedException {
    long deadline = System.nanoTime() + Duration.ofMinutes(2).toNanos();
    while (requestCount() <= count) {
      assertThat(System.nanoTime()).as("more than %d requests", count).isLessThan(deadline);
      Thread.sleep(10);
    }
  }

  void keepOnlyTokensOf(String kid) {
    tokens.removeIf(token -> !kid(token).equals(kid));
  }

  /** How many requests with live tokens have been answered. */
  int requestCount() {
    return requests.get();
  }

  /** How many requests with forged tokens have been answered. */
  int forgeryCount() {
    return forgeries.get();
  }

  /** The answers that a rotation must not cause. */
  List<String> failures() {
    return List.copyOf(failures);
  }

  List<String> liveTokens() {
    return List.copyOf(tokens);
  }

  /** Ends all loops after their current round. */
  @Override
  public void close() {
    stop.set(true);
  }

  private void expect(int status, Answer answer) {
    requests.incrementAndGet();
    if (answer.status() != status) {
      failures.add(answer.status() + " " + answer.body());
    }
  }

  Answer me(String token) {
    return service.client().send("GET", "/api/auth/me", BodyPublishers.noBody(), bearer(token));
  }

  private static String[] bearer(String token) {
    return new String[] {"Authorization", "Bearer " + token};
  }

  static String kid(String token) {
    try {
      byte[] header = Base64.getUrlDecoder().decode(token.split("\\.", -1)[0]);
      return JSON.readTree(header).get("kid").textValue();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String forged() {
    byte[] header = "{\"alg\":\"HS256\",\"kid\":\"forged\"}".getBytes(UTF_8);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(header) + ".e30.AAAA";
  }
}
