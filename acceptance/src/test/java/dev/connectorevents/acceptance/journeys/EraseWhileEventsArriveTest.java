package dev.connectorevents.acceptance.journeys;

import static dev.connectorevents.acceptance.service.PostingConnector.EVENTS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.TableScan;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.event.Payloads;
import dev.connectorevents.event.Sha256;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * An operator erases events of brands while connectors go on sending them and the stream is
 * numbered. An erasure by {@code brand_id} waits until the feed has come to its marks.
 */
@Tag("nightly")
class EraseWhileEventsArriveTest {

  @AutoClose private static final World service = World.start(new Setup().inProcess()).numbering();

  private static final String token = service.client().token();

  @ParameterizedTest
  @CsvSource({
    "20, true, '{\"brand_id\":\"$\",\"reason\":\"request 4711\"}'",
    "2, false, '{\"where\":[{\"pointer\":\"/_meta/brand_id\",\"equals\":\"$\"}]}'",
  })
  @Promise("every selected event is erased that was acknowledged before the first call.")
  void what_was_there_before_is_erased_and_what_came_later_stays(
      int brands, boolean waits, String request) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> erasures = new ArrayList<>();
      for (int i = 0; i < brands; i++) {
        erasures.add(threads.submit(() -> new Brand(waits).erase(request)));
      }
      for (Future<?> erasure : erasures) {
        erasure.get();
      }
    }
  }

  /** A brand whose events are erased. */
  private static final class Brand {

    private final String brand = "brand " + UUID.randomUUID();
    private final boolean waits;
    private final Queue<Sent> sent = new ConcurrentLinkedQueue<>();
    private volatile boolean isErased;

    /** A stored event of the brand. */
    private record Sent(String id, Instant createdAt, String payload) {}

    /**
     * @param waits whether the erasure reads the feed
     */
    Brand(boolean waits) {
      this.waits = waits;
    }

    Void erase(String request) throws Exception {
      ObjectNode event = (ObjectNode) new ObjectMapper().readTree(request.replace("$", brand));
      List<JsonNode> answers;
      try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        Future<?> sender = threads.submit(this::sendUntilErased);
        while (sent.size() < 20) {
          Thread.sleep(50);
        }
        answers = service.operator().eraseToTheEnd(event);
        isErased = true;
        sender.get();
      }

      assertThat(answers.getLast().path("complete").booleanValue()).as("" + answers).isTrue();
      requireErasedAsPromised(answers.getLast().path("erasure_id").textValue());
      return null;
    }

    private Void sendUntilErased() throws InterruptedException {
      for (int i = 0; !isErased; i++) {
        String content = i % 20 == 0 ? Payloads.random(700_000) : Payloads.random(100);
        String payload = content.replaceFirst("}$", ",\"_meta\":{\"brand_id\":\"" + brand + "\"}}");
        Answer answer = post("{\"event_type\":\"a.b\",\"payload\":" + payload + "}");
        sent.add(
            new Sent(
                answer.body().path("id").asText(),
                Instant.parse(answer.body().path("created_at").asText()),
                payload));
        Thread.sleep(300);
      }
      return null;
    }

    /**
     * Sends an event until the service has stored it: on a busy machine, the first tries may get
     * 503.
     */
    private static Answer post(String event) {
      String key = "" + UUID.randomUUID();
      Answer answer;
      do {
        answer =
            service
                .client()
                .post(EVENTS, event, "Authorization", "Bearer " + token, "Idempotency-Key", key);
      } while (answer.status() == 503);
      assertThat(answer.status()).as(answer.text()).isEqualTo(201);
      return answer;
    }

    private void requireErasedAsPromised(String erasureId) {
      ObjectNode show = new ObjectMapper().createObjectNode().put("show", erasureId);
      JsonNode proof = service.operator().findEvents(show).path("erasure");
      Instant begun = Instant.parse(proof.path("begun").asText());
      assertThat(proof.has("whole_until")).isEqualTo(waits);
      TableScan tables = new TableScan(service);
      List<String> tombstones = tables.tombstones(erasureId);
      List<List<String>> ledger = tables.ledger(erasureId);

      assertThat(tombstones)
          .hasSizeGreaterThanOrEqualTo(20)
          .containsAll(
              sent.stream()
                  .filter(event -> event.createdAt().isBefore(begun))
                  .map(Sent::id)
                  .toList());
      assertThat(sent)
          .filteredOn(event -> !tombstones.contains(event.id()))
          .allSatisfy(event ->
              assertThat(service.payload(event.id())).isEqualTo(event.payload().getBytes(UTF_8)));
      assertThat(proof.path("count").intValue()).isEqualTo(tombstones.size());
      assertThat(ledger.stream().flatMap(List::stream))
          .containsExactlyInAnyOrderElementsOf(tombstones);
      assertThat(proof.path("chain").textValue()).isEqualTo(TableScan.chain(ledger));
      if (proof.has("salt")) {
        String salted = proof.path("salt").textValue() + brand;
        assertThat(proof.path("brand_sha256").textValue()).isEqualTo(Sha256.hex(salted));
      }
      assertThat(proof.has("salt")).isEqualTo(proof.path("selector").asText().equals("brand_id"));
    }
  }
}
