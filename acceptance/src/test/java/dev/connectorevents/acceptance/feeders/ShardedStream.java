package dev.connectorevents.acceptance.feeders;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.emulator.stream.StreamEvent;
import dev.connectorevents.emulator.stream.TableStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The stream of the events table, spread over shards of our own, which split. It hands its records
 * over as Lambda may: some of them twice, some calls long after others of the same shard, and again
 * what a call that has failed may have numbered. The records of one item stay in their order.
 */
final class ShardedStream {

  private static final Duration WINDOW = Duration.ofMinutes(15);
  private static final int LARGEST_BATCH = 120;
  private static final Duration A_DAY = Duration.ofDays(1);
  private static final int MOST_SHARDS = 8;
  private static final int MOST_CATCHING_UP = 20;

  private final TableStream stream;
  private final Order order;
  private final Random random;
  private final Supplier<Instant> clock;

  /** How often the stream was made anew. */
  private int streams;

  private final List<Shard> shards = new ArrayList<>();

  /**
   * What was read. DynamoDB Local returns some records twice while others are written side by side;
   * a shard may have one twice, but a split must not bring it to two.
   */
  private final Set<String> read = new HashSet<>();

  /** When each record that no call has received came to its shard. */
  private final IdentityHashMap<ObjectNode, Instant> came = new IdentityHashMap<>();

  /** Batches that were handed over: each may come once more. */
  private final List<ObjectNode> old = new ArrayList<>();

  /** Begins the names of the shards that stand; empty if none does. */
  private Optional<String> standing = Optional.empty();

  /** When the children of a shard that has split are read. */
  enum Order {
    PARENTS_FIRST,

    /** AWS promises nowhere that Lambda waits for the parent. */
    CHILDREN_FIRST
  }

  /** A shard. After it has split, its children get what comes. */
  private record Shard(String id, Deque<ObjectNode> records, List<Shard> children) {
    Shard(String id) {
      this(id, new ArrayDeque<>(), new ArrayList<>());
    }

    /** The shard that gets a record with this hash. A child waits until its parent is read. */
    Shard of(int hash) {
      return children.isEmpty()
          ? this
          : children.get(Math.floorMod(hash, 2)).of(Math.floorDiv(hash, 2));
    }

    boolean isRead() {
      return records.isEmpty();
    }

    Stream<Shard> andChildren() {
      return Stream.concat(Stream.of(this), children.stream().flatMap(Shard::andChildren));
    }
  }

  /**
   * @param clock tells when a record comes
   */
  ShardedStream(
      TableStream stream, int count, Order order, Random random, Supplier<Instant> clock) {
    this.stream = stream;
    this.order = order;
    this.random = random;
    this.clock = clock;
    for (int i = 0; i < count; i++) {
      shards.add(new Shard("shard-" + i));
    }
  }

  /** Splits a shard in two. Its children are read after it. */
  void split() {
    read();
    List<Shard> leaves = leaves();
    if (leaves.size() < MOST_SHARDS) {
      Shard shard = leaves.get(random.nextInt(leaves.size()));
      shard.children().add(new Shard(shard.id() + "0"));
      shard.children().add(new Shard(shard.id() + "1"));
    }
  }

  private List<Shard> leaves() {
    return all().filter(shard -> shard.children().isEmpty()).toList();
  }

  private Stream<Shard> all() {
    return shards.stream().flatMap(Shard::andChildren);
  }

  private List<Shard> readable() {
    List<Shard> readable = new ArrayList<>();
    shards.forEach(shard -> addReadable(shard, readable));
    return readable;
  }

  private void addReadable(Shard shard, List<Shard> readable) {
    int before = readable.size();
    if (shard.isRead() || order == Order.CHILDREN_FIRST) {
      shard.children().forEach(child -> addReadable(child, readable));
    }
    if (!shard.isRead() && readable.size() == before) {
      readable.add(shard);
    }
  }

  /**
   * All shards stand, or one of those that it began with, or none does any more.
   *
   * @return whether any does
   */
  boolean stand() {
    standing =
        standing.isPresent()
            ? Optional.empty()
            : Optional.of(
                random.nextBoolean() ? "" : shards.get(random.nextInt(shards.size())).id());
    return standing.isPresent();
  }

  /** Drops the records that no call has received for a day. */
  void lose() {
    Instant yesterday = clock.get().minus(A_DAY);
    lose(record -> came.getOrDefault(record, yesterday).isBefore(yesterday));
  }

  /** Another stream takes the place of this one, of which nothing more is read. */
  void makeAnew() {
    read();
    lose(_ -> true);
    streams++;
  }

  private void lose(Predicate<ObjectNode> isLost) {
    Set<ObjectNode> lost = Collections.newSetFromMap(new IdentityHashMap<>());
    all().flatMap(shard -> shard.records().stream()).filter(isLost).forEach(lost::add);
    old.removeIf(batch -> isOfAny(batch, lost));
    all().forEach(shard -> shard.records().removeIf(lost::contains));
  }

  private String arn() {
    return stream.arn() + "-" + streams;
  }

  private static boolean isOfAny(JsonNode batch, Set<ObjectNode> records) {
    for (JsonNode record : batch.path("Records")) {
      if (records.contains(record)) {
        return true;
      }
    }
    return false;
  }

  /** Brings what was written to its shard. */
  void read() {
    for (List<software.amazon.awssdk.services.dynamodb.model.Record> records = next();
        !records.isEmpty();
        records = next()) {
      for (software.amazon.awssdk.services.dynamodb.model.Record record : records) {
        if (!read.add(record.dynamodb().sequenceNumber() + record.dynamodb().keys())) {
          continue;
        }
        int hash = hash(requireNonNull(record.dynamodb().keys().get("id")).s());
        ObjectNode event = StreamEvent.record(arn(), record);
        came.put(event, clock.get());
        shards
            .get(Math.floorMod(hash, shards.size()))
            .of(Math.floorDiv(hash, shards.size()))
            .records()
            .add(event);
      }
    }
  }

  /** A part comes after its head; each mark is an item of its own. */
  private static int hash(String id) {
    return (id.startsWith("mark#") ? id : id.replaceFirst("#.*", "")).hashCode();
  }

  private List<software.amazon.awssdk.services.dynamodb.model.Record> next() {
    return stream.read().values().stream().flatMap(List::stream).toList();
  }

  /**
   * Hands over a batch of some shard.
   *
   * @param call calls the function; returns whether it has succeeded
   */
  void handOver(Predicate<JsonNode> call) {
    read();
    List<Shard> readable = moving();
    if (!old.isEmpty() && random.nextInt(6) == 0) {
      boolean _ =
          call.test(old.get(random.nextInt(old.size()))); // one that comes once more, or comes late
    } else if (!readable.isEmpty()) {
      handOver(readable.get(random.nextInt(readable.size())), call);
    }
  }

  private List<Shard> moving() {
    return readable().stream()
        .filter(shard -> standing.filter(shard.id()::startsWith).isEmpty())
        .toList();
  }

  private List<Shard> movingBut(String id) {
    return moving().stream().filter(shard -> !shard.id().equals(id)).toList();
  }

  /** Hands over what the shards have that do not stand, but for one of them. */
  void catchUp(String but, Predicate<JsonNode> call) {
    read();
    List<Shard> left = movingBut(but);
    for (int i = 0; i < MOST_CATCHING_UP && !left.isEmpty(); i++) {
      handOver(left.getFirst(), call);
      left = movingBut(but);
    }
  }

  /** Hands over the marks with which this shard begins. */
  void handOverMarks(String id, Predicate<JsonNode> call) {
    Shard shard = all().filter(each -> each.id().equals(id)).findFirst().orElseThrow();
    List<ObjectNode> marks = shard.records().stream().takeWhile(ShardedStream::isMark).toList();
    handOver(shard, marks, call);
  }

  private static boolean isMark(JsonNode record) {
    return record.at("/dynamodb/NewImage").has("mark");
  }

  private void handOver(Shard shard, Predicate<JsonNode> call) {
    int most = 1 + random.nextInt(LARGEST_BATCH);
    handOver(shard, shard.records().stream().limit(most).toList(), call);
  }

  private void handOver(Shard shard, List<ObjectNode> batch, Predicate<JsonNode> call) {
    ObjectNode event =
        StreamEvent.of(
            arn(), shard.id(), batch, Instant.EPOCH, WINDOW, JsonNodeFactory.instance.objectNode());
    // Chosen before the call: meanwhile, others may hand the same batch over.
    boolean isAnswerLost = random.nextInt(8) == 0;
    boolean isDone = call.test(event);
    old.add(event);
    if (isDone && !isAnswerLost) {
      shard.records().removeAll(batch);
    }
  }

  /** Hands over all that is left, each batch until a call with it succeeds. */
  void finish(Predicate<JsonNode> call) {
    standing = Optional.empty();
    read();
    while (!readable().isEmpty()) {
      handOver(readable().getFirst(), call);
    }
  }
}
