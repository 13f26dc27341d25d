package dev.connectorevents.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.local.RunningService.Answer;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;
import software.amazon.awssdk.services.secretsmanager.model.DescribeSecretResponse;
import software.amazon.awssdk.services.secretsmanager.model.InvalidRequestException;
import software.amazon.awssdk.services.secretsmanager.model.RotateSecretResponse;

/** Rotations of the signing key as an operator asks for them, while connectors are at work. */
class KeyRotationTest {

  private static final String SECRET = "SigningKeySecret";
  private static final String EVENT = "{\"event_type\":\"a.b\",\"payload\":{}}";
  private static final String FORGED = forged();

  private RunningService service;
  private SecretsManagerClient secrets;

  @BeforeEach
  void start() throws IOException {
    service = new RunningService();
    secrets =
        SecretsManagerClient.builder()
            .overrideConfiguration(client -> client.apiCallTimeout(Duration.ofSeconds(60)))
            .build();
  }

  @AfterEach
  void stop() {
    secrets.close();
    service.close();
  }

  @Test
  void two_rotations_under_load_refuse_no_live_token() throws Exception {
    String first = service.token();
    Load load = new Load(first);
    List<String> kids = new ArrayList<>(List.of(kid(first)));
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> workers =
          List.of(
              executor.submit(() -> load.post()),
              executor.submit(() -> load.me()),
              executor.submit(() -> load.refresh()),
              executor.submit(() -> load.forge()));
      for (int rotation = 1; rotation <= 2; rotation++) {
        kids.add(rotate());
        load.waitForTokenOf(kids.getLast());
        if (rotation == 1) {
          // Nobody is left with a token of the first key: scheduled rotations lie days apart.
          load.forgetTokensBut(kids.getLast());
        }
      }
      load.stop.set(true);
      for (Future<?> worker : workers) {
        worker.get();
      }
    }
    System.out.printf(
        "requests %d, forged %d, rotations %d, refusals %d%n",
        load.requests.get(), load.forgeries.get(), kids.size() - 1, load.refusals.size());

    assertThat(load.refusals).isEmpty();
    assertThat(load.requests.get()).isGreaterThan(500);
    assertThat(kids).doesNotHaveDuplicates();
    for (String token : load.tokens) {
      assertThat(me(token).status()).isEqualTo(200);
    }
    assertThat(isRefusedInTime(first)).isTrue();
  }

  /** As soon as an unknown name makes every warm function read the keys again. */
  private boolean isRefusedInTime(String token) throws InterruptedException {
    for (int i = 0; i < 60; i++) {
      for (int instance = 0; instance < 3; instance++) {
        me(FORGED);
      }
      if (Stream.of(token, token).allMatch(each -> me(each).code().equals("invalid_token"))) {
        return true;
      }
      Thread.sleep(100);
    }
    return false;
  }

  @Test
  void the_secret_says_that_it_is_rotated_and_by_what() {
    DescribeSecretResponse before = secrets.describeSecret(get -> get.secretId(SECRET));
    assertThat(before.rotationEnabled()).isTrue();
    assertThat(before.rotationLambdaARN()).endsWith(":function:RotateSigningKeyFunction");

    String version = rotate();

    DescribeSecretResponse after = secrets.describeSecret(get -> get.secretId(SECRET));
    assertThat(after.versionIdsToStages()).hasSize(2).containsKey(version);
    assertThat(after.versionIdsToStages().get(version)).contains("AWSCURRENT");
    assertThat(after.versionIdsToStages()).containsValue(List.of("AWSPREVIOUS"));
    assertThat(secrets.getSecretValue(get -> get.secretId(SECRET)).secretString())
        .matches("[A-Za-z0-9]{64}");
  }

  @Test
  void a_rotation_that_cannot_end_says_where_and_changes_nothing() {
    String before = secrets.getSecretValue(get -> get.secretId(SECRET)).versionId();
    secrets.putSecretValue(
        put -> put.secretId(SECRET).secretString("weak").versionStages("AWSPENDING"));

    assertThatExceptionOfType(InvalidRequestException.class)
        .isThrownBy(this::rotate)
        .withMessageContainingAll("testSecret", "not fit to sign");

    assertThat(secrets.getSecretValue(get -> get.secretId(SECRET)).versionId()).isEqualTo(before);
  }

  @Test
  void the_event_file_is_a_step_and_is_refused_for_another_secret() throws IOException {
    String event = Files.readString(Path.of("../events/rotate-signing-key.json"));

    Answer answer =
        service.post("/2015-03-31/functions/RotateSigningKeyFunction/invocations", event);

    assertThat(answer.header("x-amz-function-error")).isEqualTo("Unhandled");
    assertThat(answer.body().get("errorMessage").textValue())
        .isEqualTo("the secret is not the signing key's");
  }

  private String rotate() {
    RotateSecretResponse rotated = secrets.rotateSecret(rotate -> rotate.secretId(SECRET));
    return rotated.versionId();
  }

  private Answer me(String token) {
    return service.send("GET", "/api/auth/me", BodyPublishers.noBody(), bearer(token));
  }

  private static String[] bearer(String token) {
    return new String[] {"Authorization", "Bearer " + token};
  }

  private static String kid(String token) {
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

  /** Connectors that use every live token there is on every route, and one that forges. */
  private final class Load {

    final AtomicBoolean stop = new AtomicBoolean();
    final AtomicInteger requests = new AtomicInteger();
    final AtomicInteger forgeries = new AtomicInteger();
    final Queue<String> refusals = new ConcurrentLinkedQueue<>();
    final Queue<String> tokens = new ConcurrentLinkedQueue<>();
    final Set<String> kids = ConcurrentHashMap.newKeySet();

    Load(String token) {
      tokens.add(token);
      kids.add(kid(token));
    }

    void post() {
      while (!stop.get()) {
        for (String token : tokens) {
          expect(201, service.post("/api/webhook-events", EVENT, bearer(token)));
        }
      }
    }

    void me() {
      while (!stop.get()) {
        for (String token : tokens) {
          expect(200, KeyRotationTest.this.me(token));
        }
      }
    }

    /** Keeps the first token of each key. */
    void refresh() {
      while (!stop.get()) {
        for (String token : List.copyOf(tokens)) {
          Answer answer = service.post("/api/auth/refresh", "", bearer(token));
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
        for (String path : List.of("/api/auth/refresh", "/api/webhook-events")) {
          if (service.post(path, EVENT, bearer(FORGED)).status() != 401) {
            refusals.add("a forged token was not refused");
          }
        }
        KeyRotationTest.this.me(FORGED);
        forgeries.addAndGet(3);
      }
    }

    void waitForTokenOf(String kid) throws InterruptedException {
      long deadline = System.nanoTime() + Duration.ofSeconds(6).toNanos();
      while (tokens.stream().noneMatch(token -> kid(token).equals(kid))) {
        assertThat(System.nanoTime()).as("no token of the new key in time").isLessThan(deadline);
        Thread.sleep(10);
      }
    }

    void forgetTokensBut(String kid) {
      tokens.removeIf(token -> !kid(token).equals(kid));
    }

    private void expect(int status, Answer answer) {
      requests.incrementAndGet();
      if (answer.status() != status) {
        refusals.add(answer.status() + " " + answer.body());
      }
    }
  }
}
