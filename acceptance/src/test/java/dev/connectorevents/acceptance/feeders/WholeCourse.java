package dev.connectorevents.acceptance.feeders;

import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.acceptance.feeders.Feeder.FedEvent;
import dev.connectorevents.acceptance.service.AwsFault;
import dev.connectorevents.acceptance.service.Nightly;
import dev.connectorevents.acceptance.service.Product;
import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.acceptance.service.WorldClock;
import dev.connectorevents.event.Timestamp;
import dev.connectorevents.feed.Whole;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A course of things, after which the feed says what it holds, and what an erasure by user makes of
 * it.
 *
 * <p>E: an event is stored; N: the stream is read; B: a beat, whose marks are read; b: only one of
 * two shards reads them; M: the other reads the marks with which it begins; X: a beat, while no
 * position can be written; H: 10 hours pass; D: 25 hours pass, and the stream loses what nobody has
 * read for a day; J: the clocks jump back by ten minutes; L: the feed is lost; S: the stream is
 * made anew; C: a restored copy comes; F: all is filled; P: the last three hours that are lost are
 * filled; U: an erasure by user begins; u: it goes on. What has a * is for the day: these find what
 * more of them would find of the planted defects.
 */
public final class WholeCourse {

  /** Each with what is said then: whole since, lost from, in hours after its beginning. */
  private static final String ALL =
      """
      BENB            -  -     -
      ENB             -  -     - the first event comes before the first beat
      BEHB*           -  -     - it comes to the feed while the beat looks
      BbEEEEEEEEMb*   -  -     - a shard stands, and comes to an old mark
      BEHX            -  -     - a mark is read, and what came before it is not numbered
      BENBHHB         -  -     -
      BENBHHBHHB      -  -     - a beat every twenty hours
      BEHHNB          -  -     - the stream stands for twenty hours
      BENBDB          2  0     - the schedule is off for a day: nobody knows
      BEDNB           2  0     - an event is lost
      BEDNBF          -  -     -
      BEDEDNB         27 0     - of two losses, the first
      BHEDNBP         9  0     -
      BHEDNBPF        -  -     -
      BHCDNB          12 0     - a copy is lost, which was created long before
      BHCDNBP*        9  0     -
      BHCDNBF         -  -     -
      BENHLBE         10 begin - the feed is made anew
      BENLBF          -  -     -
      BENBESB*        0  0     - the stream is made anew
      BENBESBF        -  -     -
      BEUu            -  -     wait the command comes to a feed that is behind
      BEUuNu*         -  -     complete
      BJEUuNHB        -  -     wait by clocks, the beat before has answered
      BEUuHHBHHBHHBu  -  -     complete after days
      BEDNBUNu        2  0     feed_not_whole
      BEDNBFUNu       -  -     complete
      EHNLUNu         -  -     feed_not_whole the feed was made anew before
      BENHLBUNu*      10 begin feed_not_whole
      BENUHLBNu       10 begin feed_not_whole in between
      BENBULBFNu      -  -     feed_not_whole
      BENULBFNu       -  -     complete nobody knew the name of the feed, of which nothing was read
      BENUSBFNu       -  -     feed_not_whole
      """;

  private static final int MOST_CALLS = 30;

  private final World world;
  private final List<String> violations = new ArrayList<>();
  private final HeldFeed held;
  private final ShardedStream stream;
  private final Instant begin;
  private final List<FedEvent> stored = new ArrayList<>();
  private Optional<ObjectNode> erasure = Optional.empty();
  private String outcome = "-";

  private WholeCourse(World world) {
    this.world = world;
    held = new HeldFeed(world, violations::add);
    stream =
        new ShardedStream(
            world.stream(),
            2,
            ShardedStream.Order.PARENTS_FIRST,
            new Random(1),
            world.clock()::now);
    begin = world.clock().now();
  }

  /** All courses; by day, some of them. */
  public static Stream<String> all() {
    boolean isNight = Nightly.choose(0, 1) > 0;
    return ALL.lines().filter(course -> isNight || course.contains("*"));
  }

  /** Returns what is said wrongly after a course. */
  public static Optional<String> violationOf(String course, Product product) {
    Setup setup =
        new Setup()
            .inProcess()
            .logged(line -> {})
            .unrecorded()
            .clock(WorldClock.standing())
            .product(product);
    String[] parts = course.split(" +", 5);
    try (World world = World.start(setup)) {
      WholeCourse it = new WholeCourse(world);
      parts[0].replace("*", "").chars().forEach(it::step);
      String expected = String.join(" ", parts[1], parts[2], parts[3]);
      if (!it.said().equals(expected)) {
        it.violations.add(course + " says " + it.said());
      }
      it.held.judge(it.outcome.equals("complete") ? List.of() : it.stored);
      return it.violations.stream().findFirst();
    }
  }

  private String said() {
    Optional<Whole> whole = held.whole();
    return String.join(
        " ",
        hours(whole.flatMap(Whole::since)),
        hours(whole.flatMap(Whole::gap).map(Whole.Gap::from)),
        outcome);
  }

  private String hours(Optional<Instant> time) {
    return time.map(at ->
            at.equals(Instant.EPOCH)
                ? "begin"
                : "" + Math.round(Duration.between(begin, at).toMinutes() / 60.0))
        .orElse("-");
  }

  private void step(int step) {
    switch (step) {
      case 'E' -> store();
      case 'N' -> finish();
      case 'B' -> beat(this::finish);
      case 'b' -> beat(() -> stream.catchUp("shard-0", this::number));
      case 'X' -> beat(this::failToNumber);
      case 'M' -> stream.handOverMarks("shard-0", this::number);
      case 'H' -> pass(Duration.ofHours(10));
      case 'D' -> pass(Duration.ofHours(25));
      case 'J' -> world.clock().jump(Duration.ofMinutes(-10));
      case 'L' -> world.loseFeed();
      case 'S' -> stream.makeAnew();
      case 'C' -> copy();
      case 'F' -> fill(Instant.EPOCH);
      case 'P' -> fill(held.whole().flatMap(Whole::since).orElseThrow().minus(Duration.ofHours(3)));
      case 'U' -> beginErasure();
      default -> goOn();
    }
  }

  private void store() {
    String id = world.store();
    JsonNode event =
        world.client().get("/api/webhook-events/" + id, world.operator().consumerToken()).body();
    stored.add(FedEvent.of(event));
    world.clock().pass(Duration.ofMinutes(1));
    held.acknowledge(stored, world.clock().now());
  }

  /** The stream goes on when the marks are written, before the function looks. */
  private void beat(Runnable handOver) {
    AtomicInteger queries = new AtomicInteger();
    world.fail(call -> {
      if (call.name().equals("Query FeedTable") && queries.incrementAndGet() == 3) {
        handOver.run();
      }
      return AwsFault.NONE;
    });
    world.operator().invoke("BeatFeedFunction", "{}");
    world.fail(_ -> AwsFault.NONE);
  }

  private void finish() {
    stream.finish(this::number);
  }

  private void failToNumber() {
    world.fail(call ->
        call.name().equals("TransactWriteItems FeedTable")
            ? AwsFault.ACCESS_DENIED
            : AwsFault.NONE);
    stream.catchUp("shard-0", this::number);
    stream.catchUp("shard-1", this::number);
    world.fail(_ -> AwsFault.NONE);
  }

  private boolean number(JsonNode event) {
    return world.operator().invoke("NumberEventsFunction", "" + event).has("state");
  }

  private void pass(Duration time) {
    stream.read();
    world.clock().pass(time);
    stream.lose();
  }

  /** As a restore copies an event: with its old time, and as renumbered now. */
  private void copy() {
    store();
    String now = Timestamp.of(world.clock().now());
    String id = stored.getLast().id();
    world
        .dynamoDb()
        .updateItem(update ->
            update
                .tableName(world.name("EventsTable"))
                .key(Map.of("id", fromS(id)))
                .updateExpression("SET created_at = :old, renumbered_at = :now")
                .expressionAttributeValues(
                    Map.of(":old", fromS("2026-01-01T00:00:00.000Z"), ":now", fromS(now))));
  }

  private void fill(Instant from) {
    ObjectNode request = new ObjectMapper().createObjectNode();
    request.putObject("fill").put("from", from.toString()).put("to", "2999-01-01T00:00:00Z");
    JsonNode answer = world.operator().invoke("RestoreEventsFunction", request.toString());
    for (int i = 0; i < MOST_CALLS && answer.has("next"); i++) {
      world.clock().pass(Duration.ofMinutes(1));
      if (i % 2 == 0) { // at first, the feed has not come to what it has written
        finish();
      }
      request.set("next", answer.get("next"));
      answer = world.operator().invoke("RestoreEventsFunction", request.toString());
    }
    if (answer.has("next") || !answer.has("searched")) {
      violations.add("a fill answers " + answer);
    }
  }

  private void beginErasure() {
    String me =
        world.client().get("/api/auth/me", world.client().token()).body().get("id").asText();
    ObjectNode request = SenderErasures.request(UUID.fromString(me));
    request.set("next", world.operator().eraseEvents(request).get("next"));
    erasure = Optional.of(request);
  }

  private void goOn() {
    ObjectNode request = erasure.orElseThrow();
    JsonNode answer = world.operator().eraseEvents(request);
    for (int i = 0; i < MOST_CALLS && answer.has("next") && !answer.has("wait_seconds"); i++) {
      request.set("next", answer.get("next"));
      answer = world.operator().eraseEvents(request);
    }
    outcome =
        answer.has("code")
            ? answer.get("code").asText()
            : answer.has("wait_seconds") ? "wait" : "complete";
    if (answer.path("complete").asBoolean() != outcome.equals("complete")) {
      violations.add("an erasure answers " + answer);
    }
  }
}
