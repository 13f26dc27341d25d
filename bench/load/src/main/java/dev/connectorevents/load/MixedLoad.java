package dev.connectorevents.load;

import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.doIf;
import static io.gatling.javaapi.core.CoreDsl.during;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.listFeeder;
import static io.gatling.javaapi.core.CoreDsl.pause;
import static io.gatling.javaapi.core.CoreDsl.rampUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;
import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.OpenInjectionStep;
import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Simulation;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Sends single events, batches, reads and lists at a fixed rate, however slow the answers are (an
 * open workload). Two consumers follow the feed. Meanwhile clients log in with the right password,
 * a third as often as they send single events. The gateway refuses most of these logins with 429,
 * or with 503 while all instances of the login function are busy. Its refusals have no {@code
 * code}. An answer with a {@code code} comes from the service itself, and fails the load test.
 */
public final class MixedLoad extends Simulation {

  private static final String EVENTS = "/api/webhook-events";
  private static final String ORDER = "shopify.orders/create";
  private static final String ME = "me of the storm";
  private static final int BATCH = 20;
  private static final int FOLLOWERS = 2;
  private static final Duration WARMING = Duration.ofSeconds(15);

  private final Duration length = Duration.ofSeconds(Integer.getInteger("load.seconds", 60));
  private final double rate = Integer.getInteger("load.rate", 30);
  private final String connector = required("load.connector");
  private final String consumer = required("load.consumer");
  private final String email = required("load.email");
  private final String password = required("load.password");
  private final List<String> examples = examples(Path.of(required("load.events")));
  private final List<Map<String, Object>> events = events(System.getProperty("load.payloads", ""));

  private final ChainBuilder event =
      exec(
          http("event")
              .post(EVENTS)
              .header("Authorization", "Bearer " + connector)
              .header("Idempotency-Key", session -> UUID.randomUUID().toString())
              .body(StringBody("#{event}"))
              .check(status().is(201), jsonPath("$.id").saveAs("id")));

  private final ChainBuilder read =
      exec(
          http("read")
              .get(EVENTS + "/#{id}/payload")
              .header("Authorization", "Bearer " + consumer)
              .check(status().is(200)));

  private final ChainBuilder list =
      exec(
          http("list")
              .get(EVENTS + "?event_type=" + ORDER + "&limit=20")
              .header("Authorization", "Bearer " + consumer)
              .check(status().is(200)));

  private final ChainBuilder batch =
      exec(
          http("batch")
              .post(EVENTS + "/batch")
              .header("Authorization", "Bearer " + connector)
              .body(StringBody(session -> batchBody()))
              .check(status().is(200), jsonPath("$.results[?(@.status != 201)]").notExists()));

  private final ChainBuilder login =
      exec(
          http("login of a storm")
              .post("/api/auth/login")
              .body(StringBody("{\"email\":\"" + email + "\",\"password\":\"" + password + "\"}"))
              .check(
                  status().in(200, 429, 503),
                  jsonPath("$.code").notExists(),
                  jsonPath("$.access_token").optional().saveAs("token")));

  private final ChainBuilder me =
      doIf(session -> session.contains("token"))
          .then(
              http(ME)
                  .get("/api/auth/me")
                  .header("Authorization", "Bearer #{token}")
                  .check(status().is(200)));

  /** Follows the feed from its beginning, and asks again a second after it has come to the head. */
  private final ChainBuilder follow =
      exec(session -> session.set("cursor", "0"))
          .exec(
              during(WARMING.plus(length))
                  .on(
                      exec(http("feed")
                              .get(
                                  EVENTS
                                      + "?order=asc&include=payload,erasures&limit=100"
                                      + "&cursor=#{cursor}")
                              .header("Authorization", "Bearer " + consumer)
                              .check(
                                  status().is(200),
                                  jsonPath("$.next").saveAs("cursor"),
                                  jsonPath("$.more").ofBoolean().saveAs("more")))
                          .doIf(session -> !session.getBoolean("more"))
                          .then(pause(1))));

  /** Sends {@code load.rate} single events a second, for {@code load.seconds}. */
  public MixedLoad() {
    HttpProtocolBuilder service =
        http.baseUrl(required("load.url")).contentTypeHeader("application/json").shareConnections();
    ScenarioBuilder single = scenario("single").feed(listFeeder(events).circular()).exec(event);
    ScenarioBuilder reader =
        scenario("reader").feed(listFeeder(events).circular()).exec(event, read, list);
    setUp(
            single.injectOpen(steadily(rate)),
            reader.injectOpen(steadily(rate / 10)),
            scenario("followers").exec(follow).injectOpen(atOnceUsers(FOLLOWERS)),
            scenario("batches").exec(batch).injectOpen(steadily(rate / 30)),
            scenario("storm").exec(login, me).injectOpen(steadily(rate / 3)))
        .protocols(service)
        .assertions(
            global().failedRequests().count().is(0L), details(ME).allRequests().count().gt(0L));
  }

  /** Sends at this rate, after a ramp-up in which a new JVM warms up. */
  private OpenInjectionStep[] steadily(double perSecond) {
    return new OpenInjectionStep[] {
      rampUsersPerSec(perSecond / 10).to(perSecond).during(WARMING),
      constantUsersPerSec(perSecond).during(length)
    };
  }

  /**
   * One request body for each payload in the folder. Without a folder: the examples, and generated
   * orders of 2, 8 and 64 KB.
   */
  private List<Map<String, Object>> events(String folder) {
    Stream<String> orders = Stream.of(2, 8, 64).map(kb -> body(ORDER, order(kb << 10)));
    Stream<String> bodies =
        folder.isEmpty()
            ? Stream.concat(examples.stream(), orders)
            : files(Path.of(folder), "*.json").map(payload -> body("load.test", payload));
    return bodies.map(body -> Map.<String, Object>of("event", body)).toList();
  }

  /**
   * An order with as many line items as fit. The numbers in them keep gzip from shrinking it away.
   */
  private static String order(int bytes) {
    Random random = new Random(bytes); // every run sends the same orders
    StringBuilder items = new StringBuilder();
    String item = item(random);
    while (items.length() + item.length() < bytes) {
      items.append(items.isEmpty() ? "" : ",").append(item);
      item = item(random);
    }
    return "{\"_meta\":{\"brand_id\":\"brand-7\"},\"line_items\":[" + items + "]}";
  }

  private static String item(Random random) {
    return "{\"id\":%d,\"sku\":\"OAK-%d\",\"title\":\"Oak Chair\",\"quantity\":1,\"price\":\"%d.95\"}"
        .formatted(
            random.nextLong(1_000_000_000_000L), random.nextInt(10_000), random.nextInt(1_000));
  }

  /** The bodies of the Stripe, GitHub and Shopify events in {@code events/}. */
  private static List<String> examples(Path folder) {
    return files(folder, "create-webhook-event.*.json").map(MixedLoad::bodyOf).toList();
  }

  private static String bodyOf(String apiGatewayEvent) {
    try {
      return new ObjectMapper().readTree(apiGatewayEvent).get("body").textValue();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String body(String eventType, String payload) {
    return "{\"event_type\":\"" + eventType + "\",\"payload\":" + payload + "}";
  }

  private String batchBody() {
    return IntStream.range(0, BATCH)
        .mapToObj(event -> examples.get(event % examples.size()))
        .collect(joining(",", "{\"events\":[", "]}"));
  }

  private static Stream<String> files(Path folder, String glob) {
    List<String> texts = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, glob)) {
      for (Path file : files) {
        texts.add(Files.readString(file));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return texts.stream();
  }

  private static String required(String property) {
    String value = System.getProperty(property, "");
    if (value.isEmpty()) {
      throw new IllegalArgumentException("-D" + property + " is missing");
    }
    return value;
  }
}
