package dev.connectorevents.acceptance.journeys;

import static dev.connectorevents.acceptance.service.Connector.EVENTS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.RunningService;
import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.TableScan;
import dev.connectorevents.dynamodb.Payloads;
import dev.connectorevents.event.Sha256;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An operator erases a brand, whose connector goes on sending. Each erasure waits for 17 s. */
@Tag("nightly")
class EraseWhileEventsArriveTest {

  private static final int SENDERS = 3;

  @AutoClose
  private static final RunningService service =
      RunningService.start(Setup.DEFAULT.inProcess().parameters(Map.of("IndexLagSeconds", "0")));

  private static final String token = service.client().token();

  private final String brand = "brand " + UUID.randomUUID();
  private final Queue<Sent> sent = new ConcurrentLinkedQueue<>();
  private volatile boolean isErased;

  /** An event of the brand that was stored. */
  private record Sent(String id, Instant createdAt, String payload) {}

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"brand_id\":\"$\",\"reason\":\"request 4711\"}",
        "{\"where\":[{\"pointer\":\"/_meta/brand_id\",\"equals\":\"$\"}]}",
      })
  void what_was_there_before_is_erased_and_what_came_later_stays(String request) throws Exception {
    ObjectNode event = (ObjectNode) new ObjectMapper().readTree(request.replace("$", brand));
    List<JsonNode> answers;
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> senders = new ArrayList<>();
      for (int i = 0; i < SENDERS; i++) {
        senders.add(threads.submit(this::sendUntilErased));
      }
      while (sent.size() < 20) {
        Thread.sleep(50);
      }
      answers = service.operator().eraseToTheEnd(event);
      isErased = true;
      for (Future<?> sender : senders) {
        sender.get();
      }
    }

    assertThat(answers.getLast().path("complete").booleanValue()).as("" + answers).isTrue();
    assertThat(answers)
        .extracting(answer -> answer.path("wait_seconds").intValue())
        .allMatch(seconds -> seconds <= 17);
    requireErasedAsPromised(answers.getLast().path("erasure_id").textValue());
  }

  private Void sendUntilErased() throws InterruptedException {
    for (int i = 0; !isErased; i++) {
      String content = i % 10 == 0 ? Payloads.random(700_000) : Payloads.random(100);
      String payload = content.replaceFirst("}$", ",\"_meta\":{\"brand_id\":\"" + brand + "\"}}");
      Answer answer =
          service
              .client()
              .post(
                  EVENTS,
                  "{\"event_type\":\"a.b\",\"payload\":" + payload + "}",
                  "Authorization",
                  "Bearer " + token,
                  "Idempotency-Key",
                  "" + UUID.randomUUID());
      assertThat(answer.status()).as(answer.text()).isEqualTo(201);
      sent.add(
          new Sent(
              answer.body().path("id").asText(),
              Instant.parse(answer.body().path("created_at").asText()),
              payload));
      Thread.sleep(50);
    }
    return null;
  }

  private void requireErasedAsPromised(String erasureId) {
    ObjectNode show = new ObjectMapper().createObjectNode().put("show", erasureId);
    JsonNode proof = service.operator().eraseEvents(show).path("erasure");
    Instant begun = Instant.parse(proof.path("begun").asText());
    assertThat(proof.path("lag_seconds").intValue()).isEqualTo(17);
    assertThat(Instant.parse(proof.path("ended").asText())).isAfterOrEqualTo(begun.plusSeconds(17));
    List<String> tombstones = new TableScan(service).tombstones(erasureId);

    assertThat(tombstones)
        .hasSizeGreaterThanOrEqualTo(20)
        .containsExactlyInAnyOrderElementsOf(
            sent.stream()
                .filter(event -> event.createdAt().isBefore(begun))
                .map(Sent::id)
                .toList());
    assertThat(sent)
        .filteredOn(event -> !event.createdAt().isBefore(begun))
        .isNotEmpty()
        .allSatisfy(event ->
            assertThat(service.payload(event.id())).isEqualTo(event.payload().getBytes(UTF_8)));
    assertThat(proof.path("count").intValue()).isEqualTo(tombstones.size());
    assertThat(proof.path("ids_sha256").textValue()).isEqualTo(TableScan.digest(tombstones));
    if (proof.has("salt")) {
      String salted = proof.path("salt").textValue() + brand;
      assertThat(proof.path("brand_sha256").textValue())
          .isEqualTo(HexFormat.of().formatHex(Sha256.of(salted.getBytes(UTF_8))));
    }
    assertThat(proof.has("salt")).isEqualTo(proof.path("selector").asText().equals("brand_id"));
  }
}
