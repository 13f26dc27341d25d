package dev.connectorevents.dynamodb.erasure;

import dev.connectorevents.dynamodb.Item;
import dev.connectorevents.dynamodb.feed.WholeItem;
import dev.connectorevents.erasure.Erasure;
import dev.connectorevents.erasure.ErasureLedger.Closed;
import dev.connectorevents.erasure.ErasureLedger.Run;
import dev.connectorevents.erasure.ErasureLedger.Step;
import dev.connectorevents.erasure.SaltedHash;
import dev.connectorevents.feed.Awaited;
import dev.connectorevents.feed.Beat;
import dev.connectorevents.feed.Whole;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The items of {@link DynamoErasureLedger}. */
final class ErasureItem {

  static final String BEGUN = "begun";

  /** Of erasures alone: neither steps nor runs have it. */
  static final String SELECTOR = "selector";

  static final String ENDED = "ended";
  static final String NOT_JUDGED = "not_judged";

  /** Of an erasure that has read the feed: what it rests on. */
  static final String WHOLE = "whole";

  /** Of a step that is closed, and of an erasure that has ended. */
  static final String CHAIN = "chain";

  private static final String COUNT = "count";
  private static final String REASON = "reason";

  /** Of a run: the number of its next step. */
  static final String STEP = "step";

  private static final String KIND = "kind";
  private static final String PLACE = "place";
  private static final String BACKUPS_UNTIL = "backups_until";
  private static final String MARKS = "marks";
  private static final String BEAT = "beat";
  private static final String BEAT_AT = "beat_at";
  private static final String FEED = "feed";
  private static final String STREAM = "stream";
  private static final String NARROWED = "narrowed";
  private static final String TO = "to";
  private static final String SCAN = "scan";
  private static final String IDS = "ids";
  private static final String NAMED = "named";
  private static final String STOPPED = "stopped";
  private static final String SALT = "salt";
  private static final String REQUEST = "request_sha256";
  private static final String BRAND = "brand_sha256";
  private static final String NEXT = "next";

  private static final AttributeValue NONE = AttributeValue.builder().build();

  private ErasureItem() {}

  /** The item of an erasure that begins. */
  static Item of(Erasure erasure) {
    Item item =
        new Item()
            .put("id", erasure.id())
            .put(REASON, erasure.reason().orElse(null))
            .put(SELECTOR, erasure.selectorKind())
            .put(SALT, erasure.request().salt())
            .put(REQUEST, erasure.request().sha256())
            .put(BRAND, erasure.brand().map(SaltedHash::sha256).orElse(null))
            .put(NARROWED, erasure.isNarrowed())
            .put(TO, erasure.to().orElse(null))
            .put(SCAN, erasure.isScan())
            .put(BEGUN, erasure.begun());
    erasure.awaited().ifPresent(it -> item.attributes().putAll(of(it).attributes()));
    return item;
  }

  static Erasure erasure(Item item) {
    return new Erasure(
        UUID.fromString(item.text("id")),
        Optional.ofNullable(item.optional(REASON, text -> text)),
        item.text(SELECTOR),
        new SaltedHash(item.text(SALT), item.text(REQUEST)),
        Optional.ofNullable(item.optional(BRAND, text -> new SaltedHash(item.text(SALT), text))),
        item.isTrue(NARROWED),
        Optional.ofNullable(item.optional(TO, Instant::parse)),
        item.isTrue(SCAN),
        Instant.parse(item.text(BEGUN)),
        item.has(BEAT) ? Optional.of(awaited(item)) : Optional.empty(),
        Optional.ofNullable(item.attributes().get(WHOLE))
            .map(whole -> WholeItem.whole(new Item(whole.m()))),
        set(item, NOT_JUDGED),
        item.has(ENDED) ? Optional.of(proof(item)) : Optional.empty());
  }

  static Item of(Awaited awaited) {
    return new Item()
        .put(BEAT, awaited.beat().number())
        .put(BEAT_AT, awaited.beat().at())
        .put(MARKS, awaited.beat().marks())
        .put(FEED, awaited.feed().orElse(null))
        .put(STREAM, awaited.stream().orElse(null));
  }

  private static Awaited awaited(Item item) {
    return new Awaited(
        new Beat(item.number(BEAT, 0), Instant.parse(item.text(BEAT_AT)), number(item, MARKS)),
        Optional.ofNullable(item.optional(FEED, text -> text)),
        Optional.ofNullable(item.optional(STREAM, text -> text)));
  }

  static Item of(Whole whole) {
    Item item = new Item();
    item.attributes().put(WHOLE, AttributeValue.fromM(WholeItem.of(whole).attributes()));
    return item;
  }

  static Item of(Erasure.Proof proof) {
    return new Item()
        .put(ENDED, proof.ended())
        .put(COUNT, proof.erased().count())
        .put(CHAIN, proof.erased().chain())
        .put(BACKUPS_UNTIL, proof.backupsUntil())
        .put(STOPPED, proof.isStopped());
  }

  private static Erasure.Proof proof(Item item) {
    return new Erasure.Proof(
        Instant.parse(item.text(ENDED)),
        closed(item),
        Instant.parse(item.text(BACKUPS_UNTIL)),
        item.isTrue(STOPPED));
  }

  /** The item of a step. */
  static Item of(String id, Step step) {
    Item item =
        ids(step.ids())
            .put("id", id)
            .put(NEXT, step.next().orElse(null))
            .put(STOPPED, step.isStop());
    putSet(item, NOT_JUDGED, step.notJudged());
    return putSet(item, NAMED, step.named());
  }

  /** What is set in the item of a step that is closed. */
  static Item of(Set<UUID> erased, Closed closed) {
    return ids(erased).put(COUNT, closed.count()).put(CHAIN, closed.chain());
  }

  static Item notJudged(Set<UUID> ids) {
    return putSet(new Item(), NOT_JUDGED, ids);
  }

  /** DynamoDB has no empty sets. */
  private static Item putSet(Item item, String name, Set<UUID> ids) {
    if (!ids.isEmpty()) {
      item.attributes().put(name, setOf(ids));
    }
    return item;
  }

  static Item of(Run run) {
    return new Item()
        .put("id", runId(run.id()))
        .put(KIND, run.kind())
        .put(SALT, run.request().salt())
        .put(REQUEST, run.request().sha256())
        .put(BEGUN, run.begun())
        .put(STEP, run.step())
        .put(PLACE, run.place().orElse(null));
  }

  static Run run(UUID id, Item item) {
    return new Run(
        id,
        item.text(KIND),
        new SaltedHash(item.text(SALT), item.text(REQUEST)),
        Instant.parse(item.text(BEGUN)),
        number(item, STEP),
        Optional.ofNullable(item.optional(PLACE, text -> text)));
  }

  static String runId(UUID id) {
    return "run#" + id;
  }

  private static Item ids(Set<UUID> ids) {
    Item item = new Item();
    item.attributes()
        .put(IDS, AttributeValue.fromL(texts(ids).map(AttributeValue::fromS).toList()));
    return item;
  }

  static Step step(Item item) {
    return new Step(
        item.attributes().getOrDefault(IDS, NONE).l().stream()
            .map(id -> UUID.fromString(id.s()))
            .collect(Collectors.toSet()),
        Set.copyOf(set(item, NOT_JUDGED)),
        Set.copyOf(set(item, NAMED)),
        Optional.ofNullable(item.optional(NEXT, text -> text)),
        item.isTrue(STOPPED),
        item.has(CHAIN) ? Optional.of(closed(item)) : Optional.empty());
  }

  private static Closed closed(Item item) {
    return new Closed(number(item, COUNT), item.text(CHAIN));
  }

  private static int number(Item item, String name) {
    return Math.toIntExact(item.number(name, 0));
  }

  private static List<UUID> set(Item item, String name) {
    return item.attributes().getOrDefault(name, NONE).ss().stream()
        .sorted()
        .map(UUID::fromString)
        .toList();
  }

  static AttributeValue setOf(Set<UUID> ids) {
    return AttributeValue.fromSs(texts(ids).toList());
  }

  private static Stream<String> texts(Set<UUID> ids) {
    return ids.stream().map(UUID::toString).sorted();
  }
}
