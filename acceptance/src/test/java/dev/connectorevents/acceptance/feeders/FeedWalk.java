package dev.connectorevents.acceptance.feeders;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.AwsFault;
import dev.connectorevents.acceptance.service.CallsUnderWay;
import dev.connectorevents.acceptance.service.Nightly;
import dev.connectorevents.acceptance.service.Product;
import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.acceptance.service.WorldClock;
import dev.connectorevents.event.EventTypes;
import dev.connectorevents.feed.Whole;
import dev.connectorevents.local.CheapHashes;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.PasswordHash;
import dev.connectorevents.user.Role;
import dev.connectorevents.user.User;
import dev.connectorevents.user.UserState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Steps of writers, an eraser, the stream and feeders, drawn from a seed. One step is made at a
 * time: while a call is on its way to a table, others are made, and time passes. Of real time,
 * nothing depends on it.
 */
public final class FeedWalk {

  private static final int STEPS = Nightly.choose(30, 100);
  private static final int MOST_DEPTH = 4;
  private static final int MOST_ROUNDS = 500;
  private static final int MOST_SHARES = 4;
  private static final Duration LONGER_THAN_A_SEARCH = Duration.ofMillis(2_100);

  /** How wrong the clock of an instance may be. The feed rests on no clock. */
  private static final Duration MOST_SKEW = Duration.ofSeconds(20);

  /** How long a write may be under way before the marks of a fill: with the skew, a minute. */
  private static final Duration OLDEST_WRITE = Duration.ofSeconds(30);

  /** A stream keeps its records for 24 hours. */
  private static final List<Duration> SPANS =
      Stream.of(5, 11, 22, 25, 70).map(Duration::ofHours).toList();

  /** Of a fill of a feed that has lost something just now. */
  private static final Duration LONGER_THAN_A_FILL_WAITS = Duration.ofMinutes(3);

  private static final Duration LONGER_THAN_A_FILL_PASSES_OVER = Duration.ofSeconds(100);

  private static final Instant BEFORE = Instant.parse("2026-01-01T00:00:00Z");

  private static final int[] LIMITS = {1, 1, 2, 5, 100};

  /** Of the pages at the end, when nothing happens any more. */
  private static final int LAST_LIMIT = 20;

  /** The calls of {@code NumberEventsFunction}, and those that a mistake could make of them. */
  private static final List<String> NUMBERING =
      List.of(
          "Query FeedTable",
          "TransactWriteItems FeedTable",
          "TransactWriteItems FeedTable",
          "PutItem FeedTable");

  private final Random random;
  private final World world;
  private final WorldClock clock;
  private final ShardedStream stream;
  private final Queue<String> violations = new ConcurrentLinkedQueue<>();
  private final CallsUnderWay underWay;
  private final Map<Long, String> sequence = new HashMap<>();
  private final List<Feeder> feeders = new ArrayList<>();
  private final Set<Feeder> reading = new HashSet<>();
  private final WrittenEvents events;
  private final Fills fills;
  private final SenderErasures bySender;
  private final HeldFeed held;

  /** Whether the feed was whole before the first event. */
  private boolean hasBegunWhole;

  private boolean isOver;

  /** Returns the first violation of this seed's steps. */
  public static Optional<String> violationOf(long seed, Product product) {
    Setup setup =
        new Setup()
            .inProcess()
            .logged(line -> {})
            .unrecorded()
            .clock(WorldClock.standing())
            .product(product);
    try (World world = World.start(setup)) {
      FeedWalk walk = new FeedWalk(seed, world);
      world.fail(walk.underWay::meet);
      walk.run();
      return Optional.ofNullable(walk.violations.peek());
    }
  }

  private FeedWalk(long seed, World world) {
    this.world = world;
    random = new Random(seed);
    clock = world.clock();
    hasBegunWhole = seed % 4 > 0;
    int shards = 1 + (int) (seed % 4);
    stream =
        new ShardedStream(
            world.stream(), shards, ShardedStream.Order.PARENTS_FIRST, random, clock::now);
    underWay = new CallsUnderWay(clock, this::skew, violations::add);
    String connector = token("writer", Role.CONNECTOR, null);
    events =
        new WrittenEvents(
            random, world, connector, underWay, this::write, this::tombstones, violations::add);
    fills =
        new Fills(
            random,
            request ->
                underWay.during(
                    fillCall(),
                    () -> world.operator().invoke("RestoreEventsFunction", request.toString())),
            violations::add);
    bySender =
        new SenderErasures(
            UUID.nameUUIDFromBytes("writer".getBytes(UTF_8)),
            random,
            request -> underWay.during(erasure(), () -> world.operator().eraseEvents(request)),
            this::tombstones,
            () -> !hasBegunWhole || fills.losses() > 0,
            violations::add);
    held = new HeldFeed(world, violations::add);
    add("all", "include=payload,erasures", null, type -> true);
    add("rare", "include=erasures&event_type=rare.*", null, type -> type.startsWith("rare."));
    add("scoped", "include=erasures", "shop.*", type -> type.startsWith("shop."));
    add("shared", "include=erasures", null, type -> true);
  }

  private Duration skew() {
    return Duration.ofMillis(random.nextInt((int) MOST_SKEW.toMillis() + 1));
  }

  private void add(String name, String query, @Nullable String scope, Predicate<String> sees) {
    String token = token(name, Role.CONSUMER, scope);
    feeders.add(new Feeder(name, token, query, sees, sequence, violations::add));
  }

  /** Creates a user, always with the same id: the ids of its events follow from it. */
  private String token(String name, Role role, @Nullable String scope) {
    String address = name + "@example.com";
    world
        .users()
        .create(
            new User(
                UUID.nameUUIDFromBytes(name.getBytes(UTF_8)),
                new Email(address),
                null,
                UserState.ACTIVE,
                role,
                scope == null ? null : EventTypes.parse(scope).orElseThrow(),
                BEFORE,
                BEFORE),
            PasswordHash.of(World.PASSWORD, CheapHashes.COST));
    return world
        .operator()
        .manageUsers("issue-static-token", address) // a session ends before a day
        .at("/token/access_token")
        .asText();
  }

  private void run() {
    if (hasBegunWhole) {
      beat();
      stream.finish(event -> number(event, AwsFault.NONE));
      beat();
      hasBegunWhole = held.whole().isPresent(); // else a shard had too few marks
    }
    for (int i = 0; i < STEPS && violations.isEmpty(); i++) {
      if (random.nextInt(60) == 0) {
        world.kill();
      }
      step();
      judgeHeld();
    }
    isOver = true;
    stream.finish(event -> number(event, AwsFault.NONE));
    int rounds = 0;
    while (violations.isEmpty()
        && (fills.lacksRecords() || !fills.isEmpty() || !bySender.isEmpty())) {
      if (rounds++ == MOST_ROUNDS) {
        violations.add("it never ends, though the stream is read: " + held.whole());
      }
      if (rounds % 10 == 1) {
        clock.pass(LONGER_THAN_A_FILL_WAITS);
        beat();
      }
      goOn();
      stream.finish(event -> number(event, AwsFault.NONE));
      judgeHeld();
    }
    beat();
    stream.finish(event -> number(event, AwsFault.NONE));
    beat();
    judgeHeld();
    if (held.whole().flatMap(Whole::gap).isPresent()) {
      violations.add("all is filled, and the feed holds only " + held.whole());
    }
    events.lookForErased();
    for (Feeder feeder : feeders) {
      while (violations.isEmpty() && read(feeder, random.nextInt(10) > 0)) {
        // until it has no more
      }
    }
    if (violations.isEmpty()) {
      feeders.forEach(feeder -> feeder.judgeAll(events.there(), events.erased()));
      feeders.forEach(this::list);
      new JudgedTables(world, violations::add).judge();
    }
  }

  private void step() {
    int die = random.nextInt(100);
    if (isOver || !violations.isEmpty()) {
      return;
    }
    if (die < 30) {
      ifNotDeep(events::write);
    } else if (die < 58) {
      ifNotDeep(() -> stream.handOver(event -> number(event, fault())));
    } else if (die < 82) {
      Feeder feeder = feeders.get(random.nextInt(feeders.size()));
      if (!reading.contains(feeder)) {
        read(feeder, random.nextInt(10) > 0);
      }
    } else if (die < 85) {
      ifNotDeep(events::erase);
    } else if (die < 86) {
      events.expire().ifPresent(bySender::forget);
    } else if (die < 93) {
      ifNotDeep(this::operate);
    } else if (die < 95) {
      stream.split();
    } else if (die < 96) {
      divide();
    } else if (die < 97) {
      stand();
    } else if (die < 98 && underWay.depth() == 0) {
      passHours();
    } else {
      clock.pass(Duration.ofMillis(random.nextInt(5_000)));
    }
  }

  private void ifNotDeep(Runnable step) {
    if (underWay.depth() < MOST_DEPTH) {
      step.run();
    }
  }

  /** Makes some further steps. */
  private Runnable steps(int most) {
    int count = random.nextInt(most + 1);
    return () -> IntStream.range(0, count).forEach(_ -> step());
  }

  /** Shards stand, or go on. A fill passes over what is stored in the minute before it. */
  private void stand() {
    if (stream.stand() && underWay.depth() == 0) {
      clock.pass(LONGER_THAN_A_FILL_PASSES_OVER);
    }
  }

  private void judgeHeld() {
    held.acknowledge(events.there(), clock.now());
    if (underWay.depth() == 0 && violations.isEmpty() && held.hasChanged()) {
      Set<String> gone = tombstones();
      held.judge(events.there().stream().filter(event -> !gone.contains(event.id())).toList());
    }
  }

  /** The schedule calls its function, which waits for the stream. No call of that may succeed. */
  private void beat() {
    CallsUnderWay.Call numbering =
        new CallsUnderWay.Call(
            List.of("TransactWriteItems FeedTable"),
            0,
            () -> {},
            Duration.ZERO,
            random.nextInt(3) == 0 && !isOver ? AwsFault.ACCESS_DENIED : AwsFault.NONE);
    CallsUnderWay.Call beat =
        new CallsUnderWay.Call(
            List.of("Query FeedTable"),
            1 + random.nextInt(3), // after the marks are written
            isOver ? () -> {} : () -> stream.catchUp("", event -> number(event, numbering.again())),
            Duration.ofMillis(random.nextInt(10_000)),
            AwsFault.NONE);
    underWay.during(beat, () -> world.operator().invoke("BeatFeedFunction", "{}"));
    underWay.trace("a beat: " + held.whole());
  }

  /** Begins an erasure of what a user has sent, or a fill, or makes a further call of one. */
  private void operate() {
    if (random.nextInt(3) == 0) {
      beat();
    } else if (random.nextInt(2) > 0 && !(fills.isEmpty() && bySender.isEmpty())) {
      goOn();
    } else if (random.nextBoolean()) {
      bySender.begin(
          WrittenEvents.TYPES.get(random.nextInt(WrittenEvents.TYPES.size())), events.there());
    } else {
      beginFill();
    }
  }

  private void beginFill() {
    if (underWay.longest().compareTo(OLDEST_WRITE) < 0) {
      fills.begin();
    }
  }

  private void goOn() {
    if (!fills.isEmpty() && (bySender.isEmpty() || random.nextBoolean())) {
      fills.goOn();
    } else if (!bySender.isEmpty()) {
      bySender.goOn();
    } else {
      fills.begin();
    }
  }

  /** Hours pass, in which the schedule is off. What the stream has kept for a day is lost. */
  private void passHours() {
    stream.read();
    Duration span = SPANS.get(random.nextInt(SPANS.size()));
    clock.pass(span);
    if (random.nextInt(6) == 0) {
      stream.makeAnew();
    } else {
      stream.lose();
    }
    fills.recordsAreLost();
    if (random.nextBoolean()) { // two operators fill the feed, each without a word to the other
      fills.begin();
      fills.begin();
    }
    underWay.trace("hours have passed: " + span);
  }

  /** Two feeders go on in the place of one. */
  private void divide() {
    feeders.stream()
        .filter(feeder -> feeder.name().startsWith("shared"))
        .filter(feeder -> feeder.parts() < MOST_SHARES && !reading.contains(feeder))
        .findFirst()
        .ifPresent(feeder -> feeders.add(feeder.divide()));
  }

  private AwsFault fault() {
    return random.nextInt(8) > 0
        ? AwsFault.NONE
        : List.of(AwsFault.LOST_ANSWER, AwsFault.LOST_REQUEST, AwsFault.ACCESS_DENIED)
            .get(random.nextInt(3));
  }

  /** Lets the function number some records; others may go on before one of its calls. */
  private boolean number(JsonNode event, AwsFault fault) {
    return random.nextInt(6) == 0
        ? number(event, slow(lookAtTheFeedOfTheOthers(event), "TransactWriteItems FeedTable"))
        : number(
            event,
            new CallsUnderWay.Call(
                List.of(NUMBERING.get(random.nextInt(NUMBERING.size()))),
                random.nextInt(4) == 0 ? 1 : 0,
                steps(3),
                Duration.ofMillis(random.nextInt(2_000)),
                fault));
  }

  private boolean number(JsonNode event, CallsUnderWay.Call call) {
    JsonNode answer =
        underWay.during(call, () -> world.operator().invoke("NumberEventsFunction", "" + event));
    underWay.trace("number %s: %s".formatted(event.path("shardId"), answer));
    return answer.path("state").isObject();
  }

  /** All shards but this one are read to their ends, and then whoever waits for marks asks. */
  private Runnable lookAtTheFeedOfTheOthers(JsonNode event) {
    return () -> {
      if (underWay.depth() < MOST_DEPTH && !isOver && !(fills.isEmpty() && bySender.isEmpty())) {
        catchUp(event.path("shardId").asText());
        goOn();
        goOn();
      }
    };
  }

  private void catchUp(String butShard) {
    stream.catchUp(butShard, event -> number(event, CallsUnderWay.Call.NONE));
  }

  /** An answer was lost too late: the same call goes on. */
  static boolean isUnavailable(JsonNode answer) {
    return answer.path("code").asText().equals("temporarily_unavailable");
  }

  private Set<String> tombstones() {
    return JudgedTables.tombstones(world).keySet();
  }

  /** A write that takes long, and whose answer may be lost. A fill may begin meanwhile. */
  private CallsUnderWay.Call write() {
    boolean isBesideAFill = random.nextInt(12) == 0 && underWay.depth() < MOST_DEPTH;
    return new CallsUnderWay.Call(
        List.of("PutItem EventsTable", "TransactWriteItems EventsTable"),
        0,
        isBesideAFill ? this::beginFill : steps(random.nextInt(2) * 3),
        Duration.ofMillis(random.nextInt(10_000)),
        random.nextInt(20) == 0 ? AwsFault.LOST_ANSWER : AwsFault.NONE);
  }

  /** A call of an erasure, in which another caller may take the same step. */
  private CallsUnderWay.Call erasure() {
    return slowOrBesideTheStream(
        "TransactWriteItems EventsTable",
        "PutItem ErasuresTable",
        "UpdateItem ErasuresTable",
        "Query FeedTable",
        "BatchGetItem EventsTable");
  }

  private CallsUnderWay.Call fillCall() {
    return slowOrBesideTheStream(
        "TransactWriteItems EventsTable",
        "Scan EventsTable",
        "UpdateItem EventsTable",
        "Query FeedTable");
  }

  /** A slow call, or one that reads the feed while its end moves by all that the stream has. */
  private CallsUnderWay.Call slowOrBesideTheStream(String... calls) {
    return random.nextInt(3) == 0
        ? slow(() -> catchUp(""), "Query FeedTable")
        : slow(steps(3), calls[random.nextInt(calls.length)]);
  }

  /** This call takes long, and its answer may be lost. */
  private CallsUnderWay.Call slow(Runnable others, String call) {
    return new CallsUnderWay.Call(
        List.of(call),
        random.nextInt(2),
        others,
        Duration.ofMillis(random.nextInt(10_000)),
        random.nextInt(20) == 0 ? AwsFault.LOST_ANSWER : AwsFault.NONE);
  }

  /** Reads a page, during which a search may end early, or events may come and go. */
  private boolean read(Feeder feeder, boolean isKept) {
    boolean isSlow = random.nextInt(3) == 0;
    CallsUnderWay.Call call =
        new CallsUnderWay.Call(
            List.of(isSlow ? "Query FeedTable" : "BatchGetItem EventsTable"),
            random.nextInt(2),
            steps(1),
            isSlow ? LONGER_THAN_A_SEARCH : Duration.ZERO,
            AwsFault.NONE);
    if (random.nextInt(4) == 0) {
      feeder.openWindow(random);
    }
    String path = feeder.path(isOver ? LAST_LIMIT : LIMITS[random.nextInt(LIMITS.length)]);
    reading.add(feeder);
    Answer answer = underWay.during(call, () -> world.client().get(path, feeder.token()));
    reading.remove(feeder);
    underWay.trace("read " + path + " kept " + isKept + " slow " + isSlow + " " + answer.text());
    return feeder.take(answer, isKept) || !isKept;
  }

  /** Reads all pages of a list, newest first. Nothing else happens meanwhile. */
  private void list(Feeder reader) {
    int limit = 20 + random.nextInt(80);
    List<JsonNode> entries = new ArrayList<>();
    Optional<String> next = Optional.empty();
    JsonNode page;
    do {
      page = world.client().get(reader.listPath(limit, next), reader.token()).body();
      page.path("events").forEach(entries::add);
      next = Optional.ofNullable(page.get("next")).map(JsonNode::asText);
    } while (next.isPresent());
    reader.judgeList(entries, events.there(), events.erased());
  }
}
