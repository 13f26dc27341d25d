package dev.connectorevents.acceptance.journeys;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.RunningService;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Connectors that use every live token, and an attacker that sends forged ones. */
final class RotationLoad {

  static final String FORGED = forged();
  private static final String EVENT = "{\"event_type\":\"a.b\",\"payload\":{}}";

  private final RunningService service;
  final AtomicBoolean stop = new AtomicBoolean();
  final AtomicInteger requests = new AtomicInteger();
  final AtomicInteger forgeries = new AtomicInteger();
  final Queue<String> failures = new ConcurrentLinkedQueue<>();
  final Queue<String> tokens = new ConcurrentLinkedQueue<>();
  final Set<String> kids = ConcurrentHashMap.newKeySet();

  RotationLoad(RunningService service, String token) {
    this.service = service;
    tokens.add(token);
    kids.add(kid(token));
  }

  void post() {
    while (!stop.get()) {
      for (String token : tokens) {
        expect(201, service.client().post("/api/webhook-events", EVENT, bearer(token)));
      }
    }
  }

  void me() {
    while (!stop.get()) {
      for (String token : tokens) {
        expect(200, me(token));
      }
    }
  }

  /** Refreshes each token, and keeps the first new token of each key. */
  void refresh() {
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

  void forge() {
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
    long deadline = System.nanoTime() + Duration.ofSeconds(6).toNanos();
    while (tokens.stream().noneMatch(token -> kid(token).equals(kid))) {
      assertThat(System.nanoTime()).as("a token of the new key in time").isLessThan(deadline);
      Thread.sleep(10);
    }
  }

  void forgetTokensBut(String kid) {
    tokens.removeIf(token -> !kid(token).equals(kid));
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
      return new ObjectMapper().readTree(header).get("kid").textValue();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String forged() {
    byte[] header = "{\"alg\":\"HS256\",\"kid\":\"forged\"}".getBytes(UTF_8);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(header) + ".e30.AAAA";
  }
}
