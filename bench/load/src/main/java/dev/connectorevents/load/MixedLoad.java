package dev.connectorevents.load;

import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.listFeeder;
import static io.gatling.javaapi.core.CoreDsl.rampUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

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
import java.util.UUID;

/**
 * Requests arrive at their own rate, however slow the answers are (an open workload). Single events
 * of all payloads, batches, lists and reads; and beside them a storm of logins, most of which the
 * gateway refuses: with 429, or with 503 while all instances of the login are busy.
 */
public final class MixedLoad extends Simulation {

  private static final String EVENTS = "/api/webhook-events";
  private static final int BATCH = 20;
  private static final Duration WARMING = Duration.ofSeconds(15);

  private final Duration length = Duration.ofSeconds(Integer.getInteger("load.seconds", 60));
  private final double rate = Integer.getInteger("load.rate", 60);
  private final String connector = required("load.connector");
  private final String consumer = required("load.consumer");
  private final String email = required("load.email");
  private final String password = required("load.password");
  private final List<Map<String, Object>> events = events(Path.of(required("load.payloads")));

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
              .get(EVENTS + "?event_type=load.test&limit=20")
              .header("Authorization", "Bearer " + consumer)
              .check(status().is(200)));

  private final ChainBuilder batch =
      exec(
          http("batch")
              .post(EVENTS + "/batch")
              .header("Authorization", "Bearer " + connector)
              .body(
                  StringBody(
                      session -> "{\"events\":[" + ("," + SMALL).repeat(BATCH).substring(1) + "]}"))
              .check(status().is(200), jsonPath("$.results[?(@.status != 201)]").notExists()));

  private final ChainBuilder login =
      exec(
          http("login of a storm")
              .post("/api/auth/login")
              .body(StringBody("{\"email\":\"" + email + "\",\"password\":\"" + password + "\"}"))
              .check(status().in(200, 429, 503)));

  private static final String SMALL = "{\"event_type\":\"load.test\",\"payload\":{\"a\":1.0}}";

  /** Runs for {@code load.seconds}, with {@code load.rate} single events a second. */
  public MixedLoad() {
    HttpProtocolBuilder service =
        http.baseUrl(required("load.url")).contentTypeHeader("application/json").shareConnections();
    ScenarioBuilder single = scenario("single").feed(listFeeder(events).circular()).exec(event);
    ScenarioBuilder reader =
        scenario("reader").feed(listFeeder(events).circular()).exec(event, read, list);
    setUp(
            single.injectOpen(steadily(rate)),
            reader.injectOpen(steadily(rate / 10)),
            scenario("batches").exec(batch).injectOpen(steadily(rate / 30)),
            scenario("storm").exec(login).injectOpen(steadily(rate / 3)))
        .protocols(service)
        .assertions(global().failedRequests().count().is(0L));
  }

  /** After a start that lets a new JVM get warm. */
  private OpenInjectionStep[] steadily(double perSecond) {
    return new OpenInjectionStep[] {
      rampUsersPerSec(perSecond / 10).to(perSecond).during(WARMING),
      constantUsersPerSec(perSecond).during(length)
    };
  }

  private static List<Map<String, Object>> events(Path folder) {
    List<Map<String, Object>> events = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.json")) {
      for (Path file : files) {
        String body = "{\"event_type\":\"load.test\",\"payload\":" + Files.readString(file) + "}";
        events.add(Map.of("event", body));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return events;
  }

  private static String required(String property) {
    String value = System.getProperty(property, "");
    if (value.isEmpty()) {
      throw new IllegalArgumentException("-D" + property + " is missing");
    }
    return value;
  }
}
