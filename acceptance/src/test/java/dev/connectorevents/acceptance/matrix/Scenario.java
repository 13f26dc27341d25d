package dev.connectorevents.acceptance.matrix;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.acceptance.service.RestoredTable;
import dev.connectorevents.acceptance.service.Texts;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.user.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * An event for a function. If no call to AWS fails, the function answers it without a 5xx.
 *
 * @param event makes a new event for each run, because most events work only once
 */
record Scenario(String function, Function<Stage, ObjectNode> event) {

  private static final Scenario RESTORE = new Scenario("RestoreEventsFunction", Scenario::restore);
  private static final Scenario FIRST_BEAT = new Scenario("BeatFeedFunction", Scenario::firstBeat);
  private static final Scenario FILL = new Scenario("RestoreEventsFunction", Scenario::fill);

  /** A payload that needs two items in DynamoDB, even when it is compressed. */
  static final String LARGE_PAYLOAD = "{\"text\":\"" + Texts.noise(600_000) + "\"}";

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final List<Scenario> WITHOUT_TOKEN =
      List.of(
          new Scenario(
              "LoginFunction", stage -> login(stage.newUser(Role.CONNECTOR), World.PASSWORD)),
          new Scenario("LoginFunction", stage -> login(stage.newUser(Role.CONNECTOR), "wrong")),
          new Scenario("ManageUsersFunction", stage -> manage("create", Stage.newAddress())),
          managing("show"),
          managing("disable"),
          managing("issue-static-token"),
          managing("delete"),
          new Scenario("ManageUsersFunction", stage -> read("manage-users.list.json")),
          new Scenario("EraseEventsFunction", stage -> erasure(stage.largeEvent())),
          new Scenario(
              "EraseEventsFunction", stage -> begun(erasure(stage.newLargeEvent()), stage)),
          new Scenario("EraseEventsFunction", stage -> read("erase-events.user.json")),
          new Scenario(
              "EraseEventsFunction", stage -> begun(read("erase-events.brand.json"), stage)),
          new Scenario(
              "EraseEventsFunction", stage -> begun(read("erase-events.user.json"), stage)),
          new Scenario(
              "EraseEventsFunction",
              stage -> begun(read("erase-events.brand.json").put("scan", true), stage)),
          new Scenario("FindEventsFunction", stage -> read("find-events.brand.json")),
          new Scenario("FindEventsFunction", stage -> read("find-events.user.json")),
          new Scenario(
              "FindEventsFunction", stage -> read("find-events.brand.json").without("brand_id")),
          new Scenario("FindEventsFunction", stage -> read("find-events.show.json")),
          new Scenario("FindEventsFunction", stage -> JSON.createObjectNode().put("list", true)),
          RESTORE,
          FILL,
          new Scenario("BeatFeedFunction", _ -> read("beat-feed.json")),
          FIRST_BEAT,
          new Scenario("NumberEventsFunction", stage -> numbering()),
          new Scenario("RotateSigningKeyFunction", stage -> rotation("createSecret", stage)),
          new Scenario("RotateSigningKeyFunction", stage -> rotation("testSecret", stage)),
          new Scenario("RotateSigningKeyFunction", stage -> rotation("finishSecret", stage)));

  private static final List<Scenario> WITH_TOKEN =
      List.of(
          new Scenario("RefreshFunction", stage -> byConnector("refresh.json", stage)),
          new Scenario("MeFunction", stage -> byConnector("me.json", stage)),
          new Scenario("CreateEventFunction", stage -> create("{}", stage)),
          new Scenario("CreateEventFunction", stage -> create(LARGE_PAYLOAD, stage)),
          new Scenario("CreateBatchFunction", stage -> batch("{}", stage)),
          new Scenario("CreateBatchFunction", stage -> batch(LARGE_PAYLOAD, stage)),
          new Scenario(
              "FindMissingFunction",
              stage -> byConnector("find-missing-webhook-events.json", stage)),
          new Scenario("ReadEventFunction", Scenario::read),
          new Scenario("ListEventsFunction", stage -> list("event_type", stage)),
          new Scenario("ListEventsFunction", stage -> list("brand_id", stage)));

  /** Scenarios that together make every call to AWS for which a function has a right. */
  static final List<Scenario> ALL =
      Stream.of(
              WITHOUT_TOKEN,
              WITH_TOKEN,
              withTokens(Stage::oldTokens),
              withTokens(stage -> stage.tokens().withUnknownKey()))
          .flatMap(List::stream)
          .toList();

  private static List<Scenario> withTokens(Function<Stage, Stage.UserTokens> tokens) {
    return WITH_TOKEN.stream()
        .map(each ->
            new Scenario(
                each.function, stage -> each.event.apply(stage.withTokens(tokens.apply(stage)))))
        .toList();
  }

  /**
   * Two restores would do each other's work, a fill begins without a part of the feed that lists
   * read, and erasures ask what is known of it.
   */
  boolean isAlone() {
    return equals(RESTORE) || equals(FILL) || equals(FIRST_BEAT);
  }

  static ObjectNode login(String address, String password) {
    return read("login.json")
        .put("body", "{\"email\":\"%s\",\"password\":\"%s\"}".formatted(address, password));
  }

  static ObjectNode post(String body, String token) {
    ObjectNode event = authorized("create-webhook-event.github.json", token).put("body", body);
    ((ObjectNode) event.get("headers")).remove("idempotency-key");
    return event;
  }

  static String event(String payload) {
    return "{\"event_type\":\"shopify.orders/create\",\"payload\":" + payload + "}";
  }

  private static ObjectNode create(String payload, Stage stage) {
    return post(event(payload), stage.tokens().connector());
  }

  private static ObjectNode batch(String payload, Stage stage) {
    return byConnector("create-webhook-event-batch.json", stage)
        .put("body", "{\"events\":[" + event(payload) + "]}");
  }

  private static ObjectNode read(Stage stage) {
    String id = stage.largeEvent();
    ObjectNode event = byConsumer("read-webhook-event-payload.json", stage);
    ((ObjectNode) event.get("pathParameters")).put("id", id);
    return event.put("rawPath", "/api/webhook-events/" + id + "/payload");
  }

  private static ObjectNode list(String index, Stage stage) {
    stage.world().store(); // of the type a.b
    stage.world().number();
    return byConsumer("list-webhook-events.json", stage).put("rawQueryString", index + "=a.b");
  }

  private static Scenario managing(String action) {
    return new Scenario(
        "ManageUsersFunction", stage -> manage(action, stage.newUser(Role.CONNECTOR)));
  }

  private static ObjectNode manage(String action, String address) {
    return read("manage-users." + action + ".json").put("email", address);
  }

  /**
   * The function's event that begins the erasure of a stored event. This first call erases nothing.
   */
  private static ObjectNode erasure(String eventId) {
    ObjectNode event = read("erase-events.ids.json");
    event.putArray("ids").add(eventId);
    return event;
  }

  /** The second call of an erasure. */
  private static ObjectNode begun(ObjectNode event, Stage stage) {
    return event.set("next", stage.invoke("EraseEventsFunction", event).get("next"));
  }

  /** The function's event after the loss of a tombstone, which the ledger names. */
  private static ObjectNode restore(Stage stage) {
    ObjectNode keyed = post(event("{}"), stage.tokens().connector());
    ((ObjectNode) keyed.get("headers")).put("idempotency-key", UUID.randomUUID().toString());
    String id = stage.answer("CreateEventFunction", keyed).get("id").textValue();
    stage.world().operator().eraseToTheEnd(erasure(id));
    stage.delete(id);
    stage.moveToRestored(stage.newLargeEvent());
    return JSON.createObjectNode()
        .put("restore_from", RestoredTable.name(stage.world(), "EventsTable"));
  }

  /** Gives a new event, which the feed lacks, a new position. */
  private static ObjectNode fill(Stage stage) {
    Instant old = Instant.now().minusSeconds(120).truncatedTo(ChronoUnit.MILLIS);
    stage.setCreatedAt(stage.world().store(), old); // what is young, the stream still has
    if (stage.isFeedKnown()) {
      stage.world().number();
    } else { // a first beat that failed has left nobody who knows
      stage.world().beat();
    }
    stage.world().loseLastSegment();
    stage.world().knowOfTheFeed(true);
    ObjectNode event = read("restore-events.fill.json");
    ObjectNode times = (ObjectNode) event.get("fill");
    times.put("from", old.toString());
    times.put("to", Instant.now().toString());
    JsonNode marked = stage.invoke("RestoreEventsFunction", event);
    stage.world().number();
    return event.set("next", marked.get("next"));
  }

  /** A beat of a feed of which nobody knows anything. */
  private static ObjectNode firstBeat(Stage stage) {
    stage.world().knowOfTheFeed(false);
    return read("beat-feed.json");
  }

  /** A batch of a shard of its own. */
  private static ObjectNode numbering() {
    return read("number-events.json").put("shardId", UUID.randomUUID().toString());
  }

  private static ObjectNode rotation(String step, Stage stage) {
    return read("rotate-signing-key.json")
        .put("Step", step)
        .put("SecretId", stage.secretArn())
        .put("ClientRequestToken", stage.pendingVersion(!step.equals("createSecret")));
  }

  private static ObjectNode byConnector(String file, Stage stage) {
    return authorized(file, stage.tokens().connector());
  }

  private static ObjectNode byConsumer(String file, Stage stage) {
    return authorized(file, stage.tokens().consumer());
  }

  private static ObjectNode authorized(String file, String token) {
    ObjectNode event = read(file);
    ((ObjectNode) event.get("headers")).put("authorization", "Bearer " + token);
    return event;
  }

  private static ObjectNode read(String file) {
    try {
      return (ObjectNode) JSON.readTree(Path.of("../events", file).toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
