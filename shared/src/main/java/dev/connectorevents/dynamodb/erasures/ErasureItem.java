package dev.connectorevents.dynamodb.erasures;

import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.event.Erasure;
import dev.connectorevents.event.ErasureLedger.Digests;
import dev.connectorevents.event.ErasureLedger.Entry;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The items of {@link DynamoErasureLedger}. */
final class ErasureItem {

  static final String BEGUN = "begun";
  static final String ENDED = "ended";
  static final String COUNT = "count";
  static final String IDS_SHA256 = "ids_sha256";
  static final String BACKUPS_UNTIL = "backups_until";
  static final String NOT_JUDGED = "not_judged";

  /** Of a page that has been checked. */
  static final String SHA256 = "sha256";

  private static final String NARROWED = "narrowed";
  private static final String IDS = "ids";
  private static final String END = "end";
  private static final String LINES = "lines";

  private ErasureItem() {}

  /** The item of an erasure that begins. */
  static Item of(Erasure erasure) {
    Item item =
        new Item()
            .put("id", erasure.id())
            .put("reason", erasure.reason().orElse(null))
            .put("selector", erasure.selectorKind())
            .put(NARROWED, erasure.isNarrowed())
            .put(BEGUN, erasure.begun())
            .put("lag_seconds", erasure.lagAssumed().toSeconds());
    erasure
        .brand()
        .ifPresent(brand -> item.put("salt", brand.salt()).put("brand_sha256", brand.sha256()));
    return item;
  }

  static Erasure erasure(Item item) {
    return new Erasure(
        UUID.fromString(item.text("id")),
        Optional.ofNullable(item.optional("reason", text -> text)),
        item.text("selector"),
        item.has("salt")
            ? Optional.of(new Erasure.SaltedBrand(item.text("salt"), item.text("brand_sha256")))
            : Optional.empty(),
        item.isTrue(NARROWED),
        Instant.parse(item.text(BEGUN)),
        Duration.ofSeconds(item.number("lag_seconds", 0)),
        notJudged(item),
        item.has(ENDED) ? Optional.of(proof(item)) : Optional.empty());
  }

  private static List<UUID> notJudged(Item item) {
    AttributeValue ids = item.attributes().get(NOT_JUDGED);
    return ids == null ? List.of() : ids.ss().stream().sorted().map(UUID::fromString).toList();
  }

  static AttributeValue setOf(Collection<UUID> ids) {
    return AttributeValue.fromSs(ids.stream().map(UUID::toString).toList());
  }

  private static Erasure.Proof proof(Item item) {
    return new Erasure.Proof(
        Instant.parse(item.text(ENDED)),
        Math.toIntExact(item.number(COUNT, 0)),
        item.text(IDS_SHA256),
        Instant.parse(item.text(BACKUPS_UNTIL)));
  }

  /** The item of a page, or of the end of the pages. */
  static Item of(String id, Entry entry) {
    Item item = new Item().put("id", id);
    List<AttributeValue> ids = entry.ids().stream().map(it -> fromS(it.toString())).toList();
    item.attributes().put(IDS, AttributeValue.fromL(ids));
    return switch (entry) {
      case Entry.Selected _ -> item;
      case Entry.Checked checked -> item.put(SHA256, checked.sha256());
      case Entry.End() -> item.put(END, true);
    };
  }

  static Entry entry(Item item) {
    if (item.has(END)) {
      return new Entry.End();
    }
    return item.has(SHA256) ? checked(item) : new Entry.Selected(ids(item));
  }

  static Entry.Checked checked(Item item) {
    return new Entry.Checked(ids(item), item.text(SHA256));
  }

  private static Set<UUID> ids(Item item) {
    return item.attributes().getOrDefault(IDS, AttributeValue.fromL(List.of())).l().stream()
        .map(id -> UUID.fromString(id.s()))
        .collect(Collectors.toSet());
  }

  /** The item of a block of digests. */
  static Item of(String id, Digests digests) {
    return new Item().put("id", id).put(COUNT, digests.count()).put(LINES, digests.lines());
  }

  static Digests digests(Item item) {
    return new Digests(Math.toIntExact(item.number(COUNT, 0)), item.text(LINES));
  }
}
