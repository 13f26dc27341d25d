package dev.connectorevents.acceptance.examples;

import static dev.connectorevents.acceptance.examples.ConnectedService.await;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.emulator.CommandOnPath;
import dev.connectorevents.emulator.http.HttpAnswer;
import dev.connectorevents.emulator.http.LoopbackServer;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What each connector makes of what somebody in the service's place answers to an event. */
class ExampleAnswersTest {

  /** What becomes of an event after an answer. */
  private enum Fate {

    /** The connector needs it no longer. */
    SETTLED,

    /** The connector keeps it with the answer, and sends it only if somebody asks for that. */
    REFUSED,

    /** The connector sends it again, or lets the provider deliver it again. */
    UNSETTLED
  }

  /**
   * An answer to an event. In the body, {@code TYPE} stands for the event's type, and {@code
   * SPACES} for more of them than any answer of the service has characters.
   */
  private record AnswerToEvent(Fate fate, int status, String contentType, String body) {

    static AnswerToEvent of(String row) {
      String[] cells = row.split(" *\\| *", 4);
      return new AnswerToEvent(
          Fate.valueOf(cells[0]), Integer.parseInt(cells[1]), cells[2], cells[3].strip());
    }

    /** The answer. The service answers a batch with a result for each of its events. */
    HttpAnswer to(ConnectorKind kind, String eventType, URI elsewhere) {
      String text = body.replace("TYPE", eventType);
      if (text.contains("SPACES")) {
        text = text.replace("SPACES", " ".repeat(10_000_000));
      }
      boolean isResult = status == 201 || contentType.endsWith("problem+json");
      if (kind.hasOutbox() && isResult) {
        String member = status == 201 ? "event" : "problem";
        text = "{\"results\":[{\"status\":%d,\"%s\":%s}]}".formatted(status, member, text);
        return HttpAnswer.json(200, text);
      }
      return new HttpAnswer(
              status, List.of(Map.entry("Content-Type", contentType)), text.getBytes(UTF_8))
          .with("Location", elsewhere.toString())
          .with("Retry-After", "9"); // longer than a connector without an outbox waits
    }
  }

  private static final List<AnswerToEvent> ANSWERS =
      """
      SETTLED   | 201 | application/json         | {"id":"1","event_type":"TYPE"}
      SETTLED   | 410 | application/problem+json | {"code":"event_erased"}
      REFUSED   | 400 | application/problem+json | {"code":"malformed_json"}
      REFUSED   | 415 | application/problem+json | {"code":"unsupported_media_type"}
      REFUSED   | 413 | application/problem+json | {"code":"payload_too_large"}
      REFUSED   | 422 | application/problem+json | {"code":"validation_failed"}
      REFUSED   | 422 | application/problem+json | {"code":"idempotency_key_reused"}
      UNSETTLED | 403 | application/problem+json | {"code":"forbidden"}
      UNSETTLED | 422 | application/problem+json | {"code":"refused_by_somebody"}
      UNSETTLED | 422 | application/problem+json | {"code":"stored"}
      UNSETTLED | 422 | application/problem+json | {"code":7}
      UNSETTLED | 422 | application/problem+json | {"errors":[{"code":"validation_failed"}]}
      UNSETTLED | 422 | application/problem+json | {"code":"validation_failed"
      UNSETTLED | 422 | application/problem+json | {"code":"validation_failed","no JSON":"\t"}
      UNSETTLED | 422 | application/problem+json | {}
      UNSETTLED | 422 | application/problem+json | []
      UNSETTLED | 500 | application/problem+json | {"code":"internal_error"}
      UNSETTLED | 503 | application/json         | {"message":"Service Unavailable"}
      UNSETTLED | 201 | application/json         | {}
      UNSETTLED | 201 | application/json         | []
      UNSETTLED | 201 | application/json         | {"event_type":"TYPE"}
      UNSETTLED | 201 | application/json         | {"id":1,"event_type":"TYPE"}
      UNSETTLED | 201 | application/json         | {"id":"1","event_type":"TYPE"
      UNSETTLED | 201 | application/json         | {"id":"1","event_type":"TYPE"}}
      UNSETTLED | 201 | application/json         | {"id":"1","event_type":"TYPE"]
      UNSETTLED | 201 | application/json         | {"id":"1","event_type":"TYPE"SPACES}
      UNSETTLED | 201 | application/json         | {"error":{"id":"1","event_type":"TYPE"}}
      UNSETTLED | 201 | text/html                | <p>{"id":"1","event_type":"TYPE"}
      UNSETTLED | 201 | application/json         | {"id":"1","event_type":"another.type"}
      UNSETTLED | 200 | application/json         | {"message":"maintenance"}
      UNSETTLED | 200 | application/json         | []
      UNSETTLED | 200 | application/json         | null
      UNSETTLED | 200 | application/json         | {"results":[]}
      UNSETTLED | 200 | application/json         | {"results":[null]}
      UNSETTLED | 200 | application/json         | {"results":[{"status":201}]}
      UNSETTLED | 200 | application/json         | {"results":{"id":"1"}}
      UNSETTLED | 200 | text/html                | <p>maintenance
      UNSETTLED | 302 | text/html                | <p>elsewhere
      UNSETTLED | 307 | text/html                | <p>elsewhere
      UNSETTLED | 400 | text/html                | <p>bad request
      UNSETTLED | 403 | text/html                | <p>refused by a firewall
      UNSETTLED | 404 | application/json         | {"message":"Not Found"}
      UNSETTLED | 410 | text/html                | <p>gone
      UNSETTLED | 413 | application/json         | {"message":"Request Entity Too Large"}
      UNSETTLED | 415 | text/plain               | unsupported
      UNSETTLED | 422 | application/json         | {"code":"validation_failed"}
      UNSETTLED | 422 | application/problem+jsonl | {"code":"validation_failed"}
      UNSETTLED | 422 | application/problem+json-seq | {"code":"validation_failed"}
      """
          .lines()
          .map(AnswerToEvent::of)
          .toList();

  @AutoClose private static final ConnectedService connected = new ConnectedService();

  private final AtomicInteger requestsElsewhere = new AtomicInteger();

  @AutoClose
  private final LoopbackServer elsewhere =
      LoopbackServer.answering(exchange -> {
        requestsElsewhere.incrementAndGet();
        HttpAnswer.json(201, "{}").send(exchange);
      });

  @TempDir private Path folder;

  /** The topic of this test's webhooks. No other test has it. */
  private final String topic = "t" + UUID.randomUUID();

  @ParameterizedTest
  @EnumSource
  void only_an_answer_of_the_service_settles_an_event_and_a_refused_one_is_kept(ConnectorKind kind)
      throws Exception {
    ExampleConnector connector = connected.running(kind);
    UnreliableGateway gateway = connected.gateway();
    Map<Fate, Set<String>> payloads = new EnumMap<>(Fate.class);
    int stored = 0;
    for (AnswerToEvent answer : ANSWERS) {
      String payload = "{\"row\":" + ANSWERS.indexOf(answer) + "}";
      String id = topic + payload;
      payloads.computeIfAbsent(answer.fate(), any -> new TreeSet<>()).add(payload);
      gateway.reset();
      gateway.answer(kind.path(), answer.to(kind, "shopify." + topic, elsewhere.endpoint()));

      assertThat(connector.deliver(topic, id, payload))
          .as(answer.toString())
          .isEqualTo(answer.fate() == Fate.UNSETTLED ? kind.unsettled() : 200);

      await(() -> gateway.requestCount(kind.path()) > 0);
      gateway.forwardAll();
      if (answer.fate() == Fate.UNSETTLED) {
        if (!kind.hasOutbox()) {
          assertThat(connector.deliver(topic, id, payload)).isEqualTo(200);
        }
        await(() -> gateway.answerCount(kind.path()) > 0);
        stored++;
      }
    }
    assertThat(connected.count(topic)).isEqualTo(stored);

    Set<String> unsettled = requireNonNull(payloads.get(Fate.UNSETTLED));
    assertThat(connected.stored(topic)).isEqualTo(unsettled);
    assertThat(connector.refused(topic))
        .extracting(each -> each.at("/answer/code").textValue())
        .containsExactly(
            "malformed_json",
            "unsupported_media_type",
            "payload_too_large",
            "validation_failed",
            "idempotency_key_reused");
    assertThat(requestsElsewhere).as("redirects that were followed").hasValue(0);

    unsettled.addAll(requireNonNull(payloads.get(Fate.REFUSED)));
    sendAgainAsThePageSays(kind, () -> connected.count(topic) == unsettled.size());
    assertThat(connected.stored(topic)).isEqualTo(unsettled);
    assertThat(connector.refused(topic)).isEmpty();
  }

  /** Sends again what was refused, with the commands of the page, until the condition is true. */
  private void sendAgainAsThePageSays(ConnectorKind kind, Callable<Boolean> condition)
      throws Exception {
    CommandOnPath.assumeWorks("python3", "--version");
    Page page = Page.of("connectors.md");
    String commands =
        kind.hasOutbox()
            ? page.commands("python3 examples/outbox.py outbox.db retry")
            : page.commands("mv refused.jsonl").replaceFirst("\n(?=.* send)", "\nexec ");
    String kept = connected.running(kind).kept().toString();
    Process process =
        Examples.process(
                List.of(
                    "bash",
                    "-c",
                    commands
                        .replace("examples/", Path.of("../examples").toRealPath() + "/")
                        .replace("outbox.db", kept)
                        .replace("refused.jsonl", kept)),
                Map.of(
                    "CONNECTOR_API_URL",
                    connected.service().baseUrl().toString(),
                    "CONNECTOR_API_TOKEN",
                    connected.token(ConnectedService.EMAIL)))
            .directory(folder.toFile())
            .inheritIO()
            .start();
    try {
      await(condition);
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  /** Servers for developers show the headers of a request, some as {@code problem+json}. */
  @ParameterizedTest
  @EnumSource
  void a_token_that_an_answer_shows_is_neither_logged_nor_kept(ConnectorKind kind)
      throws Exception {
    try (LoopbackServer showing =
            LoopbackServer.answering(exchange -> {
              String shown = exchange.getRequestHeaders().getFirst("Authorization");
              String end = kind == ConnectorKind.JAVA ? "\",no JSON}" : "\"}"; // it cannot tell
              String problem = "{\"code\":\"validation_failed\",\"shown\":\"" + shown + end;
              new AnswerToEvent(Fate.REFUSED, 422, "application/problem+json", problem)
                  .to(kind, topic, elsewhere.endpoint())
                  .send(exchange);
            });
        ExampleConnector connector =
            new ExampleConnector(
                kind, showing.endpoint(), Map.of("CONNECTOR_API_TOKEN", "eyJ.secret"))) {
      assertThat(connector.deliver(topic, topic, "{}")).isEqualTo(200);

      await(() -> connector.refused(topic).size() == 1);
      assertThat(connector.refused(topic).getFirst().get("answer").toString())
          .contains("Bearer …")
          .doesNotContain("secret");
      assertThat(connector.log()).anyMatch(line -> line.contains("validation_failed"));
      assertThat(connector.log()).noneMatch(line -> line.contains("secret"));
    }
  }

  /** In Java, a request's own time-out ends with the headers of the answer. */
  @ParameterizedTest
  @EnumSource(names = {"NODE", "JAVA"})
  void the_connection_of_an_answer_that_does_not_end_is_closed_in_time(ConnectorKind kind)
      throws Exception {
    try (ServerSocket stalling = new ServerSocket(0);
        ExampleConnector connector =
            new ExampleConnector(
                kind,
                URI.create("http://127.0.0.1:" + stalling.getLocalPort()),
                Map.of("CONNECTOR_API_TOKEN", "token"))) {
      FutureTask<Integer> status = new FutureTask<>(() -> connector.deliver(topic, "1", "{}"));
      Thread.ofVirtual().start(status);
      stalling.setSoTimeout(30_000);
      try (Socket connection = stalling.accept()) {
        connection.setSoTimeout(30_000);
        String beginning = "HTTP/1.1 201 Created\r\nContent-Length: 9\r\n\r\n{";
        connection.getOutputStream().write(beginning.getBytes(US_ASCII));
        assertThat(connection.getInputStream().readAllBytes()).isNotEmpty(); // until it is closed
      }
      assertThat(status.get()).isEqualTo(503);
    }
  }
}
