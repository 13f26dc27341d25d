package dev.connectorevents.acceptance.journeys;

import static dev.connectorevents.acceptance.service.ApiClient.EVENTS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.Batches;
import dev.connectorevents.acceptance.service.Nightly;
import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.acceptance.service.WorldClock;
import dev.connectorevents.event.EventType;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Event types that providers really send. Each line of the table has a type and, after a tab, the
 * page of the provider or of a public repository that names it. All are stored; by day, each fourth
 * one is listed and read.
 */
class ProvidersEventTypesTest {

  private static final Path TABLE =
      Path.of("src/test/resources/dev/connectorevents/acceptance/journeys/event-types.tsv");

  @AutoClose
  private static final World service = World.start(new Setup().clock(WorldClock.standing()));

  private static List<EventType> types = List.of();

  @BeforeAll
  static void readTable() throws IOException {
    types =
        Files.readAllLines(TABLE).stream()
            .peek(line -> assertThat(line).matches("[^\t]+\thttps://\\S+"))
            .map(line -> new EventType(line.split("\t", -1)[0]))
            .toList();
    assertThat(types).hasSizeGreaterThanOrEqualTo(100).doesNotHaveDuplicates();
  }

  @Test
  @Promise("So `stripe.v2.core.account[requirements].updated`, `wise.transfers#state-change`")
  void each_type_is_stored_listed_and_read_as_the_provider_writes_it() {
    List<String> ids = stored(service.client().token());
    service.number();
    String consumer = service.operator().consumerToken();

    for (int i = 0; i < types.size(); i += Nightly.choose(4, 1)) {
      EventType type = types.get(i);
      String query = "?event_type=" + URLEncoder.encode(type.value(), UTF_8);
      JsonNode listed = service.client().get(EVENTS + query, consumer).body();
      JsonNode read = service.client().get(EVENTS + "/" + ids.get(i), consumer).body();

      assertThat(listed.path("events").findValuesAsText("id"))
          .as(type.value())
          .containsExactly(ids.get(i));
      assertThat(List.of(listed.at("/events/0/event_type"), read.path("event_type")))
          .extracting(JsonNode::asText)
          .containsOnly(type.value());
      assertThat(read.at("/payload/_meta/source").asText()).isEqualTo(type.provider());
      assertThat(read.at("/payload/_meta/topic").asText()).isEqualTo(type.topic());
    }
  }

  /** The ids of the stored events, in the order of the types. */
  private static List<String> stored(String token) {
    List<String> ids = new ArrayList<>();
    for (int from = 0; from < types.size(); from += 100) {
      List<String> events =
          types.subList(from, Math.min(from + 100, types.size())).stream()
              .map(type -> "{\"event_type\":\"" + type.value() + "\",\"payload\":{}}")
              .toList();
      for (JsonNode result : Batches.results(Batches.send(service, token, events))) {
        assertThat(result.path("status").asInt()).as(result.toString()).isEqualTo(201);
        ids.add(result.at("/event/id").asText());
      }
    }
    return ids;
  }
}
