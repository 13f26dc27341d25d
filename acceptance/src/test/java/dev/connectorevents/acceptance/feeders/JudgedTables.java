package dev.connectorevents.acceptance.feeders;

import static java.util.Objects.requireNonNull;

import dev.connectorevents.SideBySide;
import dev.connectorevents.acceptance.service.TableScan;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.dynamodb.feed.DynamoFeed;
import dev.connectorevents.feed.Segment;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The feed and the ledger of erasures at the end of a walk, as their tables have them. */
final class JudgedTables {

  private final World world;
  private final Consumer<String> violations;

  JudgedTables(World world, Consumer<String> violations) {
    this.world = world;
    this.violations = violations;
  }

  void judge() {
    judgeLog();
    judgeProofs();
  }

  /** The positions have no gap, and no item has two. */
  private void judgeLog() {
    DynamoFeed log =
        new DynamoFeed(world.dynamoDb(), world.name("FeedTable"), new SideBySide(Runnable::run, 2));
    long next = 1;
    Set<Object> versions = new HashSet<>();
    for (List<Segment> read = log.forward(1, 100); !read.isEmpty(); read = log.forward(next, 100)) {
      for (Segment segment : read) {
        if (segment.first() != next) {
          violations.accept("position %d is not there, but %s".formatted(next, segment));
        }
        next = segment.last() + 1;
        segment.entries().stream()
            .filter(entry -> !versions.add(entry.version()))
            .forEach(entry -> violations.accept("two positions of " + entry));
      }
    }
  }

  /** The ledger has each event that was erased, and a proof has no others. */
  private void judgeProofs() {
    Map<String, Map<String, AttributeValue>> ledger = new TableScan(world).items("ErasuresTable");
    Map<String, String> erasures = tombstones(world);
    erasures.forEach((id, erasure) -> {
      if (TableScan.steps(ledger, erasure).stream().noneMatch(step -> step.contains(id))) {
        violations.accept("the ledger lacks %s, which %s has erased".formatted(id, erasure));
      }
    });
    ledger.forEach((id, item) -> {
      if (item.containsKey("ended")) {
        judgeProof(item, TableScan.steps(ledger, id), erasures.keySet());
      }
    });
  }

  /** The ids of all tombstones, each with that of its erasure. */
  static Map<String, String> tombstones(World world) {
    Map<String, String> erasures = new HashMap<>();
    world
        .dynamoDb()
        .scanPaginator(scan ->
            scan.tableName(world.name("EventsTable"))
                .filterExpression("attribute_exists(erasure_id)"))
        .items()
        .forEach(item -> erasures.put(text(item, "id"), text(item, "erasure_id")));
    return erasures;
  }

  private void judgeProof(
      Map<String, AttributeValue> proof, List<List<String>> steps, Set<String> tombstones) {
    List<String> ids = steps.stream().flatMap(List::stream).toList();
    if (!tombstones.containsAll(ids)
        || !requireNonNull(proof.get("count")).n().equals("" + ids.size())
        || !text(proof, "chain").equals(TableScan.chain(steps))) {
      violations.accept("the proof %s is not that of %s".formatted(proof, steps));
    }
  }

  private static String text(Map<String, AttributeValue> item, String name) {
    return requireNonNull(item.get(name)).s();
  }
}
