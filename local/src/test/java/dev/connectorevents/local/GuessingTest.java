package dev.connectorevents.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.user.LoginAttempts;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Somebody guesses at a connector's password, and the connector goes on. */
class GuessingTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private RunningService service;

  @BeforeEach
  void start() throws IOException {
    service = new RunningService();
  }

  @AfterEach
  void stop() {
    service.close();
  }

  @Test
  void a_guesser_has_to_wait_and_the_connector_has_not() throws IOException {
    String token = service.token();
    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      // As a proxy of the guesser's own would claim: only the connection's address counts.
      JsonNode answer = login("198.51.100.7", RunningService.EMAIL, "guess " + i, "192.0.2." + i);
      statuses.add(answer.get("statusCode").intValue());
      if (statuses.getLast() == 429) {
        assertThat(answer.get("headers").get("Retry-After").asInt()).isBetween(890, 900);
        assertThat(answer.get("body").textValue()).contains("\"code\":\"too_many_attempts\"");
      }
    }

    assertThat(statuses.subList(0, LoginAttempts.MAX_PER_SOURCE)).containsOnly(401);
    assertThat(statuses.subList(LoginAttempts.MAX_PER_SOURCE, 30)).containsOnly(429);
    assertThat(service.login(RunningService.EMAIL, RunningService.PASSWORD).status())
        .isEqualTo(200);
    assertThat(
            service
                .post(
                    "/api/webhook-events",
                    "{\"event_type\":\"a.b\",\"payload\":{}}",
                    "Authorization",
                    "Bearer " + token)
                .status())
        .isEqualTo(201);
  }

  @Test
  void a_guesser_with_the_right_password_has_to_wait_all_the_same() throws IOException {
    for (int i = 0; i < LoginAttempts.MAX_PER_SOURCE; i++) {
      login("198.51.100.7", RunningService.EMAIL, "wrong", "");
    }

    JsonNode answer = login("198.51.100.7", RunningService.EMAIL, RunningService.PASSWORD, "");

    assertThat(answer.get("statusCode").intValue()).isEqualTo(429);
  }

  @Test
  void a_flood_of_logins_is_bounded_and_leaves_the_other_routes_alone() throws Exception {
    String token = service.token();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Integer>> flood =
          IntStream.range(0, 200)
              .<Callable<Integer>>mapToObj(
                  i -> () -> service.login("guess" + i + "@example.com", "x").status())
              .toList();
      Future<List<Future<Integer>>> flooding = executor.submit(() -> executor.invokeAll(flood));

      List<Integer> events = new ArrayList<>();
      while (!flooding.isDone()) {
        events.add(
            service
                .post(
                    "/api/webhook-events",
                    "{\"event_type\":\"a.b\",\"payload\":{}}",
                    "Authorization",
                    "Bearer " + token)
                .status());
      }

      assertThat(events).isNotEmpty().containsOnly(201);
      assertThat(flooding.get().stream().map(Future::resultNow))
          .hasSize(200)
          .contains(401, 503) // what was let through, and what found ten at work
          .isSubsetOf(401, 503);
    }
  }

  private JsonNode login(String source, String email, String password, String forwardedFor)
      throws IOException {
    ObjectNode event = (ObjectNode) JSON.readTree(Path.of("../events/login.json").toFile());
    ((ObjectNode) event.at("/requestContext/http")).put("sourceIp", source);
    ((ObjectNode) event.get("headers")).put("x-forwarded-for", forwardedFor);
    event.put(
        "body", JSON.createObjectNode().put("email", email).put("password", password).toString());
    return service
        .send(
            "POST",
            "/2015-03-31/functions/LoginFunction/invocations",
            BodyPublishers.ofString(event.toString()))
        .body();
  }
}
