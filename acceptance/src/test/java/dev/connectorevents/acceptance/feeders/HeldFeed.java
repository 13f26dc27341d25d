package dev.connectorevents.acceptance.feeders;

import dev.connectorevents.SideBySide;
import dev.connectorevents.acceptance.feeders.Feeder.FedEvent;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.dynamodb.feed.DynamoFeed;
import dev.connectorevents.feed.Segment;
import dev.connectorevents.feed.Whole;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/** Judges by the times of acknowledgement whether the feed holds what it says. */
final class HeldFeed {

  /** Clocks differ by so much, and calls under way take so long. */
  private static final Duration MARGIN = Duration.ofMinutes(1);

  private final DynamoFeed feed;
  private final Consumer<String> violations;
  private final Map<FedEvent, Instant> acknowledged = new HashMap<>();
  private Optional<Whole> said = Optional.empty();

  HeldFeed(World world, Consumer<String> violations) {
    this.feed =
        new DynamoFeed(world.dynamoDb(), world.name("FeedTable"), new SideBySide(Runnable::run, 2));
    this.violations = violations;
  }

  /** Whether the feed says something else than when this was last asked. */
  boolean hasChanged() {
    Optional<Whole> before = said;
    said = feed.whole();
    return !said.equals(before);
  }

  /** What the feed says. */
  Optional<Whole> whole() {
    return feed.whole();
  }

  /** Notes when events were acknowledged. */
  void acknowledge(List<FedEvent> there, Instant now) {
    there.forEach(event -> acknowledged.putIfAbsent(event, now));
  }

  /**
   * Judges.
   *
   * @param there the events that are neither erased nor expired
   */
  void judge(List<FedEvent> there) {
    Optional<Whole> whole = feed.known();
    if (whole.isEmpty()) {
      return;
    }
    Set<UUID> numbered = new HashSet<>();
    for (List<Segment> read = feed.forward(1, 100);
        !read.isEmpty();
        read = feed.forward(read.getLast().last() + 1, 100)) {
      read.stream()
          .filter(segment -> segment.first() <= whole.get().head())
          .flatMap(segment -> segment.entries().stream())
          .forEach(entry -> numbered.add(entry.version().id()));
    }
    there.stream()
        .filter(event -> isHeld(acknowledged.getOrDefault(event, Instant.MAX), whole.get()))
        .filter(event -> !numbered.contains(UUID.fromString(event.id())))
        .forEach(event ->
            violations.accept(
                "%s was acknowledged at %s, and is not in %s"
                    .formatted(event, acknowledged.get(event), whole.get())));
  }

  private static boolean isHeld(Instant at, Whole whole) {
    return at.isBefore(whole.until().minus(MARGIN)) && whole.isSince(at.minus(MARGIN));
  }
}
