package dev.connectorevents.acceptance.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.emulator.CommandOnPath;
import dev.connectorevents.user.Role;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A service with a consumer, whose scope is the events of one provider: those that a test stores
 * here.
 */
final class ConsumedFeed {

  /** So much random data that no page can have it. */
  static final int BIG = 450_000;

  record Stored(String brand, String type, String id, String createdAt) {}

  final World service;

  /** The provider. */
  final String own = "t" + UUID.randomUUID();

  /** The consumer's address. */
  final String reader = own + "@example.com";

  /** The consumer's token. */
  final String token;

  private final Path folder;
  private String connector = "";

  /** Creates the consumer. Skips the test on a machine without Python. */
  ConsumedFeed(World service, Path folder) throws Exception {
    CommandOnPath.assumeWorks("python3", "--version");
    this.service = service;
    this.folder = folder;
    logIn();
    service.createUser(reader, World.PASSWORD, Role.CONSUMER);
    setScope(own + ".*");
    token = service.operator().staticToken(reader);
  }

  void logIn() {
    connector = service.client().token();
  }

  Consumer consumer(String file) {
    return consumer(file, service.baseUrl().resolve("/"), token + "\n");
  }

  Consumer consumer(String file, URI api, String itsToken) {
    return new Consumer(
        folder.resolve(file),
        Map.of("API_URL", api.toString(), "CONSUMER_TOKEN", itsToken, "PAUSE", "0.05"));
  }

  Stored store(String brand, String topic, String text) {
    return store(brand, topic, text, "null");
  }

  Stored store(String brand, String topic, String text, String key) {
    String type = own + "." + topic;
    JsonNode stored =
        post(
            """
            {"event_type":"%s","idempotency_key":%s,"payload":{"text":"%s","_meta":{"brand_id":"%s"}}}\
            """
                .formatted(type, key, text, brand));
    return new Stored(brand, type, stored.path("id").asText(), stored.path("created_at").asText());
  }

  JsonNode post(String event) {
    Answer answer = service.client().post(UnreliableGateway.EVENTS, event, connector);
    assertThat(answer.status()).isEqualTo(201);
    return answer.body();
  }

  void erase(Stored... events) {
    service.operator().erase(Stream.of(events).map(Stored::id).toArray(String[]::new));
  }

  void setScope(String... patterns) {
    service.operator().setScope(reader, patterns);
  }

  /** The positions of all events, by their ids. */
  Map<String, Long> positions() {
    Map<String, Long> positions = new HashMap<>();
    String cursor = "";
    JsonNode page;
    do {
      page =
          service
              .client()
              .get(UnreliableGateway.EVENTS + "?order=asc&limit=100" + cursor, token)
              .body();
      page.path("events")
          .forEach(each -> positions.put(each.path("id").asText(), each.path("position").asLong()));
      cursor = "&cursor=" + page.path("next").asText();
    } while (page.path("more").booleanValue());
    return positions;
  }

  /** The signals that these events make, as {@link Consumer#signals} has them. */
  static List<String> signals(Stored... events) {
    return Arrays.stream(events)
        .collect(Collectors.groupingBy(each -> each.brand() + " " + each.type()))
        .entrySet()
        .stream()
        .map(signal -> signal.getKey() + " " + summary(signal.getValue()))
        .sorted()
        .toList();
  }

  private static String summary(List<Stored> events) {
    List<String> times = events.stream().map(Stored::createdAt).sorted().toList();
    String ids = events.stream().map(Stored::id).sorted().collect(Collectors.joining(","));
    return events.size() + " " + times.getFirst() + " " + times.getLast() + " " + ids;
  }
}
