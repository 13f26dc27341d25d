package dev.connectorevents.dynamodb.events;

import static dev.connectorevents.dynamodb.events.EventAttributes.ERASURE_ID;
import static dev.connectorevents.dynamodb.events.EventAttributes.REQUEST;

import dev.connectorevents.SideBySide;
import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.dynamodb.events.EventCopies.Copy;
import dev.connectorevents.event.EventIds;
import dev.connectorevents.event.TakenBackEvents;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;

/** Stores the events of an erasure anew, from a restored table. */
public final class DynamoTakenBackEvents implements TakenBackEvents {

  private static final String NOT_IN_TABLE =
      "the restored table does not have it: it is from before the event was stored";

  private final SideBySide sideBySide;
  private final EventCopies copies;

  /**
   * @param sideBySide runs the writes of one call
   * @param pause waits for the given time between two reads of the same items
   */
  public DynamoTakenBackEvents(
      DynamoDbClient dynamoDb,
      String table,
      InstantSource clock,
      SideBySide sideBySide,
      Consumer<Duration> pause) {
    this.sideBySide = sideBySide;
    this.copies = new EventCopies(dynamoDb, table, clock, pause);
  }

  /**
   * An event that was erased.
   *
   * @param newId under which it comes back
   */
  private record Erased(String id, String newId) {}

  @Override
  public Optional<Page> takeBack(
      String table, UUID erasureId, List<UUID> ids, OtherErasures others) {
    List<Erased> unnamed =
        ids.stream()
            .filter(id -> !others.name(id) && !others.name(EventIds.takenBack(erasureId, id)))
            .map(id -> new Erased(id.toString(), EventIds.takenBack(erasureId, id).toString()))
            .toList();
    Map<String, Item> there =
        unnamed.isEmpty() ? Map.of() : copies.there(unnamed.stream().map(Erased::newId).toList());
    List<Erased> absent =
        unnamed.stream().filter(event -> !there.containsKey(event.newId())).toList();
    BatchReads restored = copies.readsOf(table);
    Map<String, Item> heads =
        absent.isEmpty()
            ? Map.of()
            : restored.get(absent.stream().map(Erased::id).toList(), KeysAndAttributes.builder());
    if (heads.values().stream().anyMatch(head -> isErasedBy(erasureId, head))) {
      return Optional.empty();
    }
    List<Copy> tried =
        sideBySide.run(
            absent,
            event ->
                Optional.ofNullable(heads.get(event.id()))
                    .map(head -> tryCopy(restored, head, event.newId(), others))
                    .orElseGet(() -> Copy.impossible(event.id(), NOT_IN_TABLE)));
    int tombstones = (int) there.values().stream().filter(Tombstone::isOne).count();
    return Optional.of(
        new Page(
            there.size() - tombstones + Collections.frequency(tried, new Copy.Restored()),
            ids.size()
                - unnamed.size()
                + tombstones
                + Collections.frequency(tried, new Copy.Kept()),
            Collections.frequency(tried, new Copy.Expired()),
            Copy.impossible(tried)));
  }

  private static boolean isErasedBy(UUID erasureId, Item head) {
    return erasureId.toString().equals(head.<String>optional(ERASURE_ID, text -> text));
  }

  private Copy tryCopy(BatchReads restored, Item head, String newId, OtherErasures others) {
    return copies.tryCopy(
        head, () -> staysErased(head, others) ? new Copy.Kept() : copy(restored, head, newId));
  }

  private static boolean staysErased(Item head, OtherErasures others) {
    return Tombstone.isOne(head)
        || BrandIndex.brand(head)
            .filter(brand -> others.wouldHaveErased(brand, EventItem.createdAt(head)))
            .isPresent();
  }

  private Copy copy(BatchReads restored, Item head, String newId) {
    Copy copy = copies.copy(restored, head, other -> other.put("id", newId).without(REQUEST));
    // A call at the same time, or this one whose answer was lost, may have stored it.
    return copy instanceof Copy.Kept ? Copy.of(isEvent(newId)) : copy;
  }

  private boolean isEvent(String id) {
    return copies.there(List.of(id)).values().stream().anyMatch(item -> !Tombstone.isOne(item));
  }
}
