package dev.connectorevents.acceptance.defects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.acceptance.service.Product;
import dev.connectorevents.functions.wiring.Wiring;
import dev.connectorevents.token.Tokens;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javax.tools.ToolProvider;

/** A mistake that a developer could make: a small change to one source file of the product. */
enum PlantedDefect {
  SWALLOWED_EXCEPTION(
      "shared/src/main/java/dev/connectorevents/dynamodb/events/DynamoEvents.java",
      "    } catch (ConditionalCheckFailedException e) {\n",
      """
          } catch (dev.connectorevents.DependencyUnavailableException e) {
            return new StoreOutcome.Stored(event);
          } catch (ConditionalCheckFailedException e) {
      """),
  NEW_ID_FOR_A_RETRY(
      "functions/src/main/java/dev/connectorevents/functions/createevent/NewEvents.java",
      "idempotencyKey.map(key -> EventIds.of(userId, key)).orElseGet(ids::next)",
      "ids.next()"),
  WRITE_WITHOUT_CONDITION(
      "shared/src/main/java/dev/connectorevents/dynamodb/events/DynamoEvents.java",
      "\"attribute_not_exists(id) OR \"",
      "\"attribute_not_exists(id) OR attribute_exists(id) OR \""),
  FINGERPRINT_COMPARES_NOTHING(
      "shared/src/main/java/dev/connectorevents/dynamodb/events/DynamoEvents.java",
      "!mark.get().fingerprint().equals(first.fingerprint())",
      "first == null"),
  FINGERPRINT_COMPARES_META(
      "shared/src/main/java/dev/connectorevents/event/Fingerprint.java",
      "payload.withoutMeta()",
      "payload.text()"),
  FINGERPRINT_WITHOUT_THE_TYPE(
      "shared/src/main/java/dev/connectorevents/event/Fingerprint.java",
      "type.value(), installation, payload",
      "installation, payload"),
  PART_OUTSIDE_THE_TRANSACTION(
      "shared/src/main/java/dev/connectorevents/dynamodb/events/DynamoEvents.java",
      "() -> dynamoDb.transactWriteItems(write -> write.transactItems(writes)));",
      """
      () -> {
        put(items.getFirst(), now);
        items.stream()
            .skip(1)
            .forEach(item -> dynamoDb.putItem(put -> put.tableName(table).item(item.attributes())));
        return items;
      });
      """),
  USER_CACHE_WITHOUT_END(
      "shared/src/main/java/dev/connectorevents/user/RememberedUsers.java",
      "known.isYoungerThan(age, now)",
      "true"),
  GUARD_OPENS_WITHOUT_USERS(
      "shared/src/main/java/dev/connectorevents/access/Guard.java",
      """
          Optional<User> live =
              users
                  .find(claims.email(), cached -> isLive(claims, cached) && hasRole(cached, required))
                  .filter(user -> isLive(claims, user));
      """,
      """
          Optional<User> found;
          try {
            found = users.find(claims.email(), user -> isLive(claims, user));
          } catch (dev.connectorevents.DependencyUnavailableException e) {
            java.time.Instant never = java.time.Instant.EPOCH;
            found =
                Optional.of(
                    new User(
                        claims.userId(),
                        claims.email(),
                        null,
                        dev.connectorevents.user.UserState.ACTIVE,
                        Role.CONNECTOR, null,
                        never,
                        never));
          }
          Optional<User> live = found.filter(user -> isLive(claims, user));
      """),
  SCOPE_REMEMBERED_FOR_EVER(
      "shared/src/main/java/dev/connectorevents/user/RememberedUsers.java",
      "    Optional<User> user = users.find(email);\n",
      """
          Optional<User> user =
              users
                  .find(email)
                  .map(it ->
                      new User(
                          it.id(),
                          it.email(),
                          it.name(),
                          it.state(),
                          it.role(),
                          known == null ? it.scope() : known.value().scope(),
                          it.createdAt(),
                          it.tokensValidFrom()));
      """),
  SCOPE_OF_THE_TOKEN(
      "shared/src/main/java/dev/connectorevents/access/Guard.java",
      """
          User user = live.get();
          Response response =
              hasRole(user, required)
                  ? handler.handle(request, new Caller(user, claims, () -> current(claims, required)))
                  : forbidden(request, required.orElseThrow(), user);
          return response.noting(notes(claims));
        }
      """,
      """
          User stored = live.get();
          User first = scopes.computeIfAbsent(claims.id(), token -> stored);
          User user =
              new User(
                  stored.id(),
                  stored.email(),
                  stored.name(),
                  stored.state(),
                  stored.role(),
                  first.scope(),
                  stored.createdAt(),
                  stored.tokensValidFrom());
          Response response =
              hasRole(user, required)
                  ? handler.handle(request, new Caller(user, claims, () -> current(claims, required)))
                  : forbidden(request, required.orElseThrow(), user);
          return response.noting(notes(claims));
        }

        /**
         * Simulates a scope claim in the token: each token keeps the scope that its user had at the
         * token's first use.
         */
        private static final java.util.Map<String, User> scopes =
            new java.util.concurrent.ConcurrentHashMap<>();
      """),
  LOGIN_WHILE_DISABLED(
      "functions/src/main/java/dev/connectorevents/functions/login/Login.java",
      "matches && there.user().isActive()",
      "matches"),
  ROLE_IGNORED(
      "shared/src/main/java/dev/connectorevents/access/Guard.java",
      "required.get() == user.role()",
      "user.role() != null"),
  KEY_NEVER_DIES(
      "shared/src/main/java/dev/connectorevents/token/KeyRing.java",
      "    return known.isPresent() ? known : readAndFind(id);\n  }\n",
      """
          known.ifPresent(key -> seen.put(id, key));
          return seen.containsKey(id) ? Optional.of(seen.get(id)) : readAndFind(id);
        }

        private final java.util.Map<String, SigningKey> seen = new java.util.HashMap<>();
      """),
  GZIP_CUT_AT_A_BUFFER(
      "shared/src/main/java/dev/connectorevents/Gzip.java",
      "gzip.write(bytes);",
      "gzip.write(bytes, 0, Math.min(bytes.length, 8192));"),
  RETURN_IN_FINALLY(
      "shared/src/main/java/dev/connectorevents/dynamodb/events/DynamoEvents.java",
      "() -> dynamoDb.transactWriteItems(write -> write.transactItems(writes)));",
      """
      () -> {
        try {
          return dynamoDb.transactWriteItems(write -> write.transactItems(writes));
        } finally {
          return null;
        }
      });
      """),
  RESULT_OF_THE_NEIGHBOUR(
      "functions/src/main/java/dev/connectorevents/functions/createevent/CreateBatch.java",
      "results = new TreeMap<>()",
      "results = new java.util.LinkedHashMap<>()"),
  LAST_OF_A_KEY_STORED_FIRST(
      "functions/src/main/java/dev/connectorevents/functions/createevent/CreateBatch.java",
      "IndexedEvent each : ofOneKey",
      "IndexedEvent each : ofOneKey.reversed()"),
  MISSING_FOR_NOBODY(
      "functions/src/main/java/dev/connectorevents/functions/findmissing/FindMissingFunction.java",
      "EventIds.of(userId, key)",
      "EventIds.of(new UUID(0, 0), key)"),
  LIST_OUTSIDE_THE_SCOPE(
      "shared/src/main/java/dev/connectorevents/feed/FeedFilter.java",
      "&& scope.map(types -> types.contains(event.type())).orElse(true)",
      ""),
  LANE_LEFT_OUT(
      "shared/src/main/java/dev/connectorevents/dynamodb/events/BrandLane.java",
      "      QueryResponse read = call(\"Query on events\", () -> dynamoDb.query(next.build()));\n",
      """
            QueryResponse read;
            try {
              read = call("Query on events", () -> dynamoDb.query(next.build()));
            } catch (dev.connectorevents.DependencyUnavailableException e) {
              return new BrandLane(found, Optional.empty());
            }
      """),
  ERASED_KEY_FREED(
      "shared/src/main/java/dev/connectorevents/dynamodb/erasure/DynamoErasableEvents.java",
      "isExpired\n            ? deletion(",
      "head.has(\"request\") ? deletion("),
  PARTS_LEFT_BEHIND(
      "shared/src/main/java/dev/connectorevents/dynamodb/erasure/DynamoErasableEvents.java",
      "StoredPayload.erasablePartIds(head).forEach(id -> writes.add(deletion(id, Condition.NONE)));",
      ""),
  ERASED_EVENT_REMEMBERED(
      "shared/src/main/java/dev/connectorevents/dynamodb/events/DynamoEventLookup.java",
      """
        private LookupOutcome whole(UUID id, Predicate<EventType> isReadable) {
          Item head = head(id);
      """,
      """
        private final Map<UUID, Item> heads = new java.util.concurrent.ConcurrentHashMap<>();

        private LookupOutcome whole(UUID id, Predicate<EventType> isReadable) {
          Item head = heads.computeIfAbsent(id, this::head);
      """),
  TOMBSTONE_WITHOUT_CONDITION(
      "shared/src/main/java/dev/connectorevents/dynamodb/erasure/DynamoErasableEvents.java",
      "replacement(Tombstone.of(head, erasureId, now), isStill(head))",
      "replacement(Tombstone.of(head, erasureId, now), Condition.NONE)"),
  NO_LOOK_AT_THE_PROGRESS(
      Finder.FEED,
      "functions/src/main/java/dev/connectorevents/functions/numberevents/NumberEvents.java",
      "left = after(tail.progress(), left);",
      ""),
  PROGRESS_WRITTEN_UNCONDITIONALLY(
      Finder.FEED,
      "shared/src/main/java/dev/connectorevents/dynamodb/feed/DynamoFeed.java",
      "PROGRESS + \" = :read\"",
      "PROGRESS + \" = :read OR attribute_exists(\" + FEED + \")\""),
  SEGMENT_WRITTEN_UNCONDITIONALLY(
      Finder.FEED,
      "shared/src/main/java/dev/connectorevents/dynamodb/feed/DynamoFeed.java",
      "put(SegmentItem.of(segment)).conditionExpression(IS_FREE)",
      "put(SegmentItem.of(segment))"),
  CONFLICT_TAKEN_FOR_SUCCESS(
      Finder.FEED,
      "shared/src/main/java/dev/connectorevents/dynamodb/feed/DynamoFeed.java",
      "// only for a condition\n      return false;",
      "// only for a condition\n      return true;"),
  TWO_WRITES_FOR_THE_TRANSACTION(
      Finder.FEED,
      "shared/src/main/java/dev/connectorevents/dynamodb/feed/DynamoFeed.java",
      "      write(writes);\n",
      """
            call(
                "PutItem on feed",
                () -> {
                  for (Put.Builder each : List.of(append, move)) {
                    Put put = each.build();
                    dynamoDb.putItem(it -> {
                      it.tableName(table)
                          .item(put.item())
                          .conditionExpression(put.conditionExpression());
                      if (put.hasExpressionAttributeValues()) {
                        it.expressionAttributeValues(put.expressionAttributeValues());
                      }
                    });
                  }
                  return writes;
                });
      """),
  READER_PAST_THE_HEAD(
      Finder.FEED,
      "shared/src/main/java/dev/connectorevents/feed/FeedPages.java",
      "new FeedCursor(Optional.of(last.feed()), judged())",
      "new FeedCursor(Optional.of(last.feed()), judged() + (shown.entries().isEmpty() ? 1 : 0))"),
  NUMBER_SKIPPED(
      Finder.FEED,
      "functions/src/main/java/dev/connectorevents/functions/numberevents/NumberEvents.java",
      "last.map(Segment::last).orElse(0L) + 1,",
      "last.map(Segment::last).orElse(0L) + (last.isPresent() && next.size() == 2 ? 2 : 1),"),
  NEXT_IS_THE_LAST_SHOWN(
      Finder.FEED,
      "shared/src/main/java/dev/connectorevents/feed/FeedPages.java",
      "? found.judged()",
      "? found.entries().isEmpty() ? found.judged() : found.entries().getLast().position() + 1"),
  WINDOW_OF_ONE_MORE(
      Finder.FEED,
      "shared/src/main/java/dev/connectorevents/feed/FeedSearch.java",
      "next > bounds.until()",
      "next - 1 > bounds.until()"),
  MORE_AFTER_A_WINDOW(
      Finder.FEED,
      "shared/src/main/java/dev/connectorevents/feed/FeedPages.java",
      "judged() < Math.min(window.end(), found.head())",
      "judged() < found.head()"),
  SHARE_BY_POSITION(
      Finder.FEED,
      "shared/src/main/java/dev/connectorevents/feed/FeedFilter.java",
      "share.has(number(event))",
      "share.has(event.brand().isPresent() ? number(event) : placed.position())"),
  PAGE_STOPS_AT_A_HEAVY_HEAD(
      Finder.FEED,
      "shared/src/main/java/dev/connectorevents/event/ListEntry.java",
      "return whole.size() <= PageRoom.BYTES ? whole : this;",
      "return whole;"),
  A_BEAT_ALWAYS_COMPLETES(
      Finder.FEED, Sources.BEATS, "whole.filter(it -> it.beat() >= beat.number())", "whole"),
  ONE_MARK_ONLY(
      Finder.FEED,
      Sources.BEATS,
      """
        private static final int FEWEST = 64;

        /** The fewest marks of each shard that notes name. */
        private static final int OF_A_SHARD = 16;
      """,
      """
        private static final int FEWEST = 1;

        private static final int OF_A_SHARD = 1;
      """),
  UNTIL_IS_THE_NEWEST_NOTE(
      Finder.COURSE,
      Sources.BEATS,
      "min(Comparator.comparing(MarkNote::at))",
      "max(Comparator.comparing(MarkNote::at))"),
  HEAD_READ_BEFORE_THE_NOTES(
      Finder.COURSE,
      Sources.BEATS,
      """
          Optional<Whole> read = feed.whole();
          Map<Integer, MarkNote> notes =
              feed.notes().stream().collect(Collectors.toMap(MarkNote::mark, Function.identity()));
          Optional<Segment> last = feed.last(); // has all that the notes promise
      """,
      """
          Optional<Segment> last = feed.last();
          Optional<Whole> read = feed.whole();
          Map<Integer, MarkNote> notes =
              feed.notes().stream().collect(Collectors.toMap(MarkNote::mark, Function.identity()));
      """),
  NOTE_BEFORE_THE_NUMBERING(
      Finder.COURSE,
      "functions/src/main/java/dev/connectorevents/functions/numberevents/NumberEventsFunction.java",
      "    Numbered numbered = numberEvents.number(batch.shard(), all);\n",
      "    numberEvents.note(List.copyOf(marks.values()));\n    Numbered numbered = numberEvents.number(batch.shard(), all);\n"),
  READY_BY_CLOCKS(
      Finder.COURSE,
      Sources.BEATS,
      "it.beat() >= beat.number()",
      "!it.until().isBefore(beat.at())"),
  FIRST_BEAT_TAKEN_AS_23_HOURS_AGO(
      Finder.COURSE,
      Sources.WHOLE,
      "new Gap(BEGINNING, since))",
      "new Gap(BEGINNING, since.minus(KEPT)))"),
  STREAM_IGNORED(Finder.COURSE, Sources.WHOLE, "!stream.equals(before.stream)", "stream.isEmpty()"),
  SINCE_FOR_EVER(
      Finder.COURSE, Sources.WHOLE, "before.until.isBefore(oldest)", "oldest.isBefore(BEGINNING)"),
  FILL_ENDS_WITH_ITS_SCAN(
      Finder.COURSE,
      "functions/src/main/java/dev/connectorevents/functions/operators/restore/FillFeed.java",
      "Optional<Whole> whole = look.of(place.get().beat());",
      """
      boolean isAfter = place.get().phase() == FillPlace.Phase.AFTER;
      Optional<Whole> whole = isAfter ? look.whole() : look.of(place.get().beat());
      """),
  RENUMBERED_LEFT_OUT_OF_A_FILL(
      Finder.COURSE,
      "shared/src/main/java/dev/connectorevents/dynamodb/erasure/DynamoRenumberedEvents.java",
      " OR #renumbered_at >= :from AND #renumbered_at < :to",
      " OR #renumbered_at = :from AND #renumbered_at = :to");

  private static final class Sources {
    static final String BEATS = "shared/src/main/java/dev/connectorevents/feed/FeedBeats.java";
    static final String WHOLE = "shared/src/main/java/dev/connectorevents/feed/Whole.java";
  }

  /** What finds a defect. */
  enum Finder {
    WALK,
    FEED,
    COURSE
  }

  final Finder finder;

  private final Path source;
  private final String sound;
  private final String defect;

  PlantedDefect(String source, String sound, String defect) {
    this(Finder.WALK, source, sound, defect);
  }

  PlantedDefect(Finder finder, String source, String sound, String defect) {
    this.finder = finder;
    this.source = Path.of("..", source);
    this.sound = sound;
    this.defect = defect;
  }

  /** The text of the source file with this defect. */
  String changedSource() throws IOException {
    String text = Files.readString(source);
    assertThat(text).as("the line that %s changes", this).containsOnlyOnce(sound);
    return text.replace(sound, defect);
  }

  /**
   * Compiles the changed source file, and returns the product with this defect.
   *
   * @param folder where the changed source file and its classes are written
   */
  Product product(Path folder) throws IOException {
    Path changed = folder.resolve(source.getFileName());
    Files.writeString(changed, changedSource());
    int exit =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-nowarn",
                "-proc:none",
                "-classpath",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                "-d",
                folder.toString(),
                changed.toString());
    assertThat(exit).isZero();
    return new Product(
        new ChangedClasses(
            List.of(folder.toUri().toURL(), home(Wiring.class), home(Tokens.class))));
  }

  private static URL home(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation();
  }

  /** A class loader that loads all product classes anew, so that they use the changed class. */
  private static final class ChangedClasses extends URLClassLoader {

    ChangedClasses(List<URL> product) {
      super(product.toArray(URL[]::new), PlantedDefect.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        return own(name).isPresent() ? own(name).get() : super.loadClass(name, resolve);
      }
    }

    private Optional<Class<?>> own(String name) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded != null || !name.startsWith("dev.connectorevents.")) {
        return Optional.ofNullable(loaded);
      }
      try {
        return Optional.of(findClass(name));
      } catch (ClassNotFoundException e) {
        return Optional.empty();
      }
    }
  }
}
