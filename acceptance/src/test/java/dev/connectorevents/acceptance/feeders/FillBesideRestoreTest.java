package dev.connectorevents.acceptance.feeders;

import static org.assertj.core.api.Assertions.assertThat;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.Nightly;
import dev.connectorevents.acceptance.service.RestoredTable;
import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.acceptance.service.WorldClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A fill leaves to the stream what a restore brings back meanwhile. */
class FillBesideRestoreTest {

  private static final String FUNCTION = "RestoreEventsFunction";

  /** A clock that stands: only the test lets time pass. */
  @AutoClose
  private static final World world =
      World.start(new Setup().inProcess().clock(WorldClock.standing()));

  private static final String RESTORED = RestoredTable.create(world, "EventsTable", "id");
  private static final String CONSUMER = world.operator().consumerToken();

  private final ObjectNode fill = new ObjectMapper().createObjectNode();
  private int filled;

  static Stream<String> orders() {
    return Stream.of("BNRFN", "RMBNFN", "BNMRFN", "BNRNF", "BRNFN").limit(Nightly.choose(2, 5));
  }

  /**
   * B: the fill begins; F: a call of the fill; R: the restore; N: the stream is numbered; M: more
   * than the minute passes that a fill leaves alone.
   */
  @ParameterizedTest
  @Promise("or was renumbered since then, is left to the stream.")
  @MethodSource("orders")
  void what_is_restored_beside_a_fill_shows_once_more_and_only_once(String steps) {
    List<String> ids = Stream.generate(world::store).limit(3).toList();
    world.number();
    assertThat(shown()).containsAll(ids);
    ids.forEach(FillBesideRestoreTest::lose);
    world.clock().pass(Duration.ofHours(1));
    long before = head();

    steps.chars().forEach(this::step);

    assertThat(filled).isZero();
    assertThat(head()).as("positions").isEqualTo(before + ids.size());
    assertThat(shown().stream().filter(ids::contains)).containsExactlyInAnyOrderElementsOf(ids);
  }

  @Test
  void a_page_says_from_when_on_the_feed_has_all() {
    world.store();
    world.beat();
    world.clock().pass(Duration.ofHours(25));
    world.beat();

    Instant since = Instant.parse(feed().get("whole_since").asText());

    assertThat(since)
        .isBetween(
            world.clock().now().minus(Duration.ofHours(24)),
            world.clock().now().minus(Duration.ofHours(22)));
  }

  private void step(int step) {
    switch (step) {
      case 'B' -> {
        fill.putObject("fill").put("from", "2020-01-01T00:00Z").put("to", "2999-01-01T00:00Z");
        fill.set("next", world.operator().invoke(FUNCTION, fill.toString()).get("next"));
      }
      case 'F' -> {
        JsonNode answer = world.operator().invoke(FUNCTION, fill.toString());
        assertThat(answer.has("code")).as(answer.toString()).isFalse();
        filled += answer.get("renumbered").intValue();
      }
      case 'R' -> {
        String event = "{\"restore_from\":\"" + RESTORED + "\"}";
        assertThat(world.operator().invoke(FUNCTION, event).get("restored").intValue())
            .isEqualTo(3);
      }
      case 'N' -> world.number();
      default -> world.clock().pass(Duration.ofSeconds(61));
    }
  }

  /** Moves an event to the table that AWS restores of a backup. */
  private static void lose(String id) {
    Map<String, AttributeValue> key = Map.of("id", fromS(id));
    String table = world.name("EventsTable");
    Map<String, AttributeValue> item =
        world.dynamoDb().getItem(get -> get.tableName(table).key(key)).item();
    world.dynamoDb().putItem(put -> put.tableName(RESTORED).item(item));
    world.dynamoDb().deleteItem(delete -> delete.tableName(table).key(key));
  }

  private static List<String> shown() {
    return feed().findValuesAsText("id");
  }

  private static long head() {
    return feed().get("head").longValue();
  }

  private static JsonNode feed() {
    return world.client().get("/api/webhook-events?order=asc&limit=1000", CONSUMER).body();
  }
}
