package dev.connectorevents.acceptance.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.TableScan;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.event.Payloads;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** An operator erases events, and proves it. */
class EraseEventsTest {

  /**
   * The size of a large payload, in bytes. Smaller on moto, which limits the base64 of a binary
   * attribute.
   */
  private static final int LARGE = Endpoint.isMoto() ? 200_000 : 1_000_000;

  @AutoClose private final World service = World.start();

  @Test
  @Promise({
    "the chain of the last step",
    "when the last step was closed, and how many ids have a tombstone"
  })
  void the_proof_is_what_a_scan_of_the_tombstones_counts() {
    ObjectNode request = new ObjectMapper().createObjectNode().put("reason", "request 4711");
    for (String payload : List.of("{}", Payloads.random(LARGE), "{}")) {
      request.withArray("ids").add(service.store(payload));
      service.store(payload);
    }

    List<JsonNode> answers = service.operator().eraseToTheEnd(request);

    String id = answers.getLast().path("erasure_id").textValue();
    ObjectNode show = new ObjectMapper().createObjectNode().put("show", id);
    JsonNode proof = service.operator().findEvents(show).path("erasure");
    assertThat(answers.getLast().get("proof")).isEqualTo(proof);
    TableScan tables = new TableScan(service);
    List<String> tombstones = tables.tombstones(id);
    assertThat(proof.path("count").intValue()).isEqualTo(tombstones.size()).isEqualTo(3);
    assertThat(tables.ledger(id).stream().flatMap(List::stream))
        .containsExactlyInAnyOrderElementsOf(tombstones);
    assertThat(proof.path("chain").textValue()).isEqualTo(TableScan.chain(tables.ledger(id)));
    assertThat(proof.path("narrowed").isBoolean()).isTrue();
    assertThat(proof.path("narrowed").booleanValue()).isFalse();
    assertThat(proof.path("reason").textValue()).isEqualTo("request 4711");
    assertThat(proof.path("selector").textValue()).isEqualTo("ids");
    assertThat(time(proof, "begun")).isBefore(time(proof, "ended"));
    assertThat(time(proof, "backups_until"))
        .isEqualTo(time(proof, "ended").plus(Duration.ofDays(35 + 7)));
    assertThat(listed()).contains(id);
  }

  private List<String> listed() {
    JsonNode page =
        service.operator().findEvents(new ObjectMapper().createObjectNode().put("list", true));
    return page.path("erasures").findValuesAsText("erasure_id");
  }

  private static Instant time(JsonNode object, String name) {
    return Instant.parse(object.path(name).asText());
  }
}
