package dev.connectorevents.acceptance.journeys;

import static dev.connectorevents.acceptance.service.Connector.EVENTS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.AwsFault;
import dev.connectorevents.acceptance.service.Batches;
import dev.connectorevents.acceptance.service.CapturedLog;
import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.acceptance.service.WorldClock;
import dev.connectorevents.dynamodb.events.Tombstones;
import dev.connectorevents.event.Payloads;
import dev.connectorevents.event.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A write is not tried again once another try could end more than 8 s after its beginning. The
 * client's retry finds what became of it.
 */
class SlowWritesTest {

  /** A try needs up to 3 s: after this time, no other can end within 8 s. */
  private static final Duration TOO_LONG = Duration.ofMillis(5_001);

  private final CapturedLog log = new CapturedLog();

  @AutoClose
  private final World world =
      World.start(new Setup().inProcess().clock(WorldClock.standing()).logged(log));

  private final String token = world.client().token();

  @ParameterizedTest
  @CsvSource({
    "PutItem, 100, LOST_ANSWER",
    "PutItem, 100, LOST_REQUEST",
    "TransactWriteItems, 1000000, LOST_ANSWER",
    "TransactWriteItems, 1000000, LOST_REQUEST"
  })
  void an_event_gets_503_after_one_try_and_its_retry_finds_out(
      String call, int bytes, AwsFault fault) {
    String event = "{\"event_type\":\"a.b\",\"payload\":" + Payloads.random(bytes) + "}";
    Instant begun = world.clock().now();
    AtomicInteger tries = slow(call, TOO_LONG, fault);

    Answer first = post(event);

    assertThat(first.code()).isEqualTo("temporarily_unavailable");
    assertThat(tries).hasValue(1);
    assertFoundBy(post(event), begun, fault);
  }

  private void assertFoundBy(Answer retry, Instant begun, AwsFault fault) {
    boolean wasStored = fault == AwsFault.LOST_ANSWER;
    assertThat(retry.status()).isEqualTo(201);
    assertThat(retry.header("Idempotency-Replayed").equals("true")).isEqualTo(wasStored);
    assertThat(retry.body().path("created_at").asText())
        .isEqualTo(Timestamp.of(wasStored ? begun : begun.plus(TOO_LONG)));
    assertThat(world.countEvents()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(names = {"LOST_ANSWER", "LOST_REQUEST"})
  void each_event_of_a_batch_gets_503_after_one_try_and_its_retry_finds_out(AwsFault fault) {
    List<String> events = List.of(Batches.event("a", "{}"), Batches.event("b", "{}"));
    Instant begun = world.clock().now();
    AtomicInteger tries = slow("BatchExecuteStatement", TOO_LONG, fault);

    assertThat(Batches.results(Batches.send(world, token, events)))
        .allMatch(result -> result.path("status").intValue() == 503);

    assertThat(tries).hasValue(1);
    boolean wasStored = fault == AwsFault.LOST_ANSWER;
    assertThat(Batches.results(Batches.send(world, token, events)))
        .hasSize(2)
        .allSatisfy(result -> {
          assertThat(result.path("status").intValue()).isEqualTo(201);
          assertThat(result.path("replayed").booleanValue()).isEqualTo(wasStored);
          assertThat(result.at("/event/created_at").asText())
              .isEqualTo(Timestamp.of(wasStored ? begun : begun.plus(TOO_LONG)));
        });
    assertThat(world.countEvents()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource(names = {"LOST_ANSWER", "LOST_REQUEST"})
  void an_erasure_is_unavailable_after_one_try_and_the_same_call_again_ends_it(AwsFault fault) {
    String id = world.store();
    world.clock().pass(Duration.ofSeconds(1));
    Instant begun = world.clock().now();
    ObjectNode request = JsonNodeFactory.instance.objectNode().put("reason", "test");
    request.putArray("ids").add(id);
    AtomicInteger tries = slow("TransactWriteItems", TOO_LONG, fault);
    JsonNode first = world.operator().eraseEvents(request);
    ObjectNode next = request.deepCopy();
    next.set("next", first.get("next"));

    JsonNode slow = world.operator().eraseEvents(next);

    assertThat(slow.path("code").asText()).isEqualTo("temporarily_unavailable");
    assertThat(tries).hasValue(1);
    assertThat(world.operator().eraseEvents(next).path("complete").booleanValue()).isTrue();
    Instant erased = fault == AwsFault.LOST_ANSWER ? begun : begun.plus(TOO_LONG);
    assertThat(
            new Tombstones(world.dynamoDb(), world.name("EventsTable")).item(UUID.fromString(id)))
        .containsEntry("erased_at", AttributeValue.fromS(Timestamp.of(erased)))
        .containsEntry("created_at", AttributeValue.fromS(Timestamp.of(erased)));
  }

  @Test
  void a_write_that_ends_too_late_is_in_the_log() {
    slow("PutItem", Duration.ofSeconds(10), AwsFault.NONE);

    assertThat(post("{\"event_type\":\"a.b\",\"payload\":{}}").status()).isEqualTo(201);

    assertThat(log.lines().getLast())
        .contains("\"status\":201", "\"late_write_ms\":10000")
        .doesNotContain("clock_skew_ms");
  }

  /** Lets time pass in the next such call, which then has this fault. Counts such calls. */
  private AtomicInteger slow(String call, Duration time, AwsFault fault) {
    AtomicInteger tries = new AtomicInteger();
    world.fail(made -> {
      if (!made.name().equals(call + " EventsTable") || tries.getAndIncrement() > 0) {
        return AwsFault.NONE;
      }
      world.clock().pass(time);
      return fault;
    });
    return tries;
  }

  private Answer post(String event) {
    return world
        .client()
        .post(EVENTS, event, "Authorization", "Bearer " + token, "Idempotency-Key", "key");
  }
}
