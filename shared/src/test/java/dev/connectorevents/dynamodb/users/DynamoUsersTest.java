package dev.connectorevents.dynamodb.users;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.user.ChangeOutcome;
import dev.connectorevents.user.ChangeOutcome.Changed;
import dev.connectorevents.user.ChangeOutcome.NoSuchUser;
import dev.connectorevents.user.ChangeOutcome.RevokedTooOften;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.PasswordHash;
import dev.connectorevents.user.Revocation;
import dev.connectorevents.user.Role;
import dev.connectorevents.user.Scope;
import dev.connectorevents.user.User;
import dev.connectorevents.user.UserChange;
import dev.connectorevents.user.UserPage;
import dev.connectorevents.user.UserState;
import dev.connectorevents.user.UserWithHash;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

class DynamoUsersTest {

  private static final PasswordHash HASH = PasswordHash.of("secret", 4);
  private static final Scope SCOPE = Scope.parse("shopify.*,github.push").orElseThrow();
  private static final Scope WIDER = Scope.parse("*").orElseThrow();
  private static final SeenCalls SEEN = new SeenCalls();

  @AutoClose private static final Stores service = Endpoint.stores(Path.of("../template.yaml"));

  @AutoClose
  private static final DynamoDbClient dynamoDb =
      service.settings().dynamoDbClient(client -> client.addExecutionInterceptor(SEEN));

  private static final String USERS = service.name("UsersTable");
  private static final String HASHES = service.name("PasswordHashesTable");
  private static final DynamoUsers users = new DynamoUsers(dynamoDb, USERS, HASHES);

  @Test
  void a_user_is_read_as_it_was_created() {
    User named = user("named@example.com", "Shop connector");
    User nameless = user("nameless@example.com", null, SCOPE);

    assertThat(users.create(named, HASH)).isTrue();
    assertThat(users.create(nameless, HASH)).isTrue();

    assertThat(users.find(named.email())).hasValue(named);
    assertThat(users.find(nameless.email())).hasValue(nameless);
    assertThat(users.findWithHash(named.email())).hasValue(new UserWithHash(named, HASH));
    assertThat(users.findWithHash(nameless.email())).hasValue(new UserWithHash(nameless, HASH));
  }

  @Test
  void the_table_of_users_holds_no_hash_and_the_table_of_hashes_nothing_else() {
    User user = scoped("apart@example.com", SCOPE);

    users.create(user, HASH);

    assertThat(item(USERS, user).toString()).doesNotContain(HASH.value());
    assertThat(item(HASHES, user))
        .isEqualTo(
            Map.of(
                "email", AttributeValue.fromS(user.email().value()),
                "id", AttributeValue.fromS(user.id().toString()),
                "password_hash", AttributeValue.fromS(HASH.value())));
  }

  @Test
  void a_change_of_both_tables_that_fails_in_one_leaves_the_other_as_it_is() {
    DynamoUsers broken = new DynamoUsers(dynamoDb, USERS, "no-such-table");
    User user = user("both@example.com", null);
    UserChange reset =
        new UserChange.SetPassword(
            PasswordHash.of("another", 4), from(user.tokensValidFrom().plusSeconds(60)));

    assertUnavailable(() -> broken.create(user, HASH));
    assertThat(users.find(user.email())).isEmpty();
    users.create(user, HASH);
    assertUnavailable(() -> broken.update(user.email(), reset));
    assertUnavailable(() -> broken.delete(user));

    assertThat(users.findWithHash(user.email())).hasValue(new UserWithHash(user, HASH));
  }

  @Test
  void the_hash_of_another_user_of_the_address_opens_no_account_and_gives_way() {
    User earlier = user("restored@example.com", null);
    users.create(earlier, HASH);
    Map<String, AttributeValue> restored = item(HASHES, earlier);
    users.delete(earlier);
    User user = user("restored@example.com", "new");
    PasswordHash own = PasswordHash.of("another", 4);
    Instant later = user.tokensValidFrom().plusSeconds(60);

    restore(restored);
    assertThat(users.create(user, own)).isTrue();
    assertThat(users.findWithHash(user.email())).hasValue(new UserWithHash(user, own));

    restore(restored);
    assertThat(users.findWithHash(user.email())).isEmpty();
    users.update(user.email(), new UserChange.SetPassword(own, from(later)));
    assertThat(hash(user)).isEqualTo(own);

    restore(restored);
    users.delete(user);
    assertThat(item(HASHES, user)).isEmpty();
  }

  private static void restore(Map<String, AttributeValue> hash) {
    dynamoDb.putItem(put -> put.tableName(HASHES).item(hash));
  }

  private static User recreated(User user, long second) {
    Instant from = Instant.ofEpochSecond(second);
    return new User(
        UUID.randomUUID(), user.email(), null, user.state(), user.role(), null, from, from);
  }

  private static Map<String, AttributeValue> item(String table, User user) {
    return dynamoDb
        .getItem(get -> get.tableName(table).key(DynamoUserLookup.key(user.email())))
        .item();
  }

  private static void assertUnavailable(ThrowingCallable call) {
    assertThatExceptionOfType(DependencyUnavailableException.class).isThrownBy(call);
  }

  /**
   * A user's states, one a second of {@code tokens_valid_from}: created, reset, revoked, deleted,
   * and so on. A login that reads a hash of another state than the user's would begin a session
   * that no order of it and the change allows.
   */
  @Test
  void a_login_reads_the_user_and_the_hash_as_they_were_at_one_moment() throws Exception {
    User user = user("raced@example.com", null);
    AtomicBoolean isOver = new AtomicBoolean();
    Callable<Set<Long>> logins =
        () -> {
          Set<Long> seen = new HashSet<>();
          while (!isOver.get()) {
            users
                .findWithHash(user.email())
                .ifPresent(read -> {
                  long second = read.user().tokensValidFrom().getEpochSecond();
                  assertThat(read.passwordHash()).as("at %s s", second).isEqualTo(hashAt(second));
                  seen.add(second);
                });
          }
          return seen;
        };

    Set<Long> seen = new HashSet<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Set<Long>>> readers =
          List.of(threads.submit(logins), threads.submit(logins), threads.submit(logins));
      for (long second = 1; second <= 400; second += 4) {
        User next = recreated(user, second);
        users.create(next, hashAt(second));
        Revocation reset = from(Instant.ofEpochSecond(second + 1));
        users.update(next.email(), new UserChange.SetPassword(hashAt(second + 1), reset));
        Revocation revocation = from(Instant.ofEpochSecond(second + 2));
        users.update(next.email(), new UserChange.RevokeTokens(revocation));
        users.delete(next);
      }
      isOver.set(true);
      for (Future<Set<Long>> reader : readers) {
        seen.addAll(reader.get());
      }
    }

    assertThat(seen).as("seconds that a login saw").hasSizeGreaterThan(20);
  }

  /** The hash in this second. A revocation, two seconds after each creation, changes none. */
  private static PasswordHash hashAt(long second) {
    long set = second % 4 == 3 ? second - 1 : second;
    return new PasswordHash("$2a$04$%053d".formatted(set));
  }

  @Test
  void all_users_are_listed_page_by_page_each_once() {
    Set<User> created = new HashSet<>();
    for (int i = 0; i < 7; i++) {
      User user = user("listed-" + i + "@example.com", i % 2 == 0 ? "Shop " + i : null);
      users.create(user, HASH);
      created.add(user);
    }

    List<User> listed = new ArrayList<>();
    Optional<Email> after = Optional.empty();
    do {
      UserPage page = users.list(after, 3);
      assertThat(page.users()).hasSizeLessThanOrEqualTo(3);
      listed.addAll(page.users());
      after = page.continueAfter();
    } while (after.isPresent());

    assertThat(listed).containsAll(created).doesNotHaveDuplicates();
  }

  @Test
  void a_new_role_ends_sessions_and_leaves_everything_else_as_it_is() {
    User user = scoped("role@example.com", SCOPE);
    users.create(user, HASH);
    Instant from = Instant.parse("2026-03-01T00:00:00Z");

    users.update(user.email(), new UserChange.SetRole(Role.CONSUMER, from(from)));

    User changed = users.find(user.email()).orElseThrow();
    assertThat(changed)
        .usingRecursiveComparison()
        .ignoringFields("role", "tokensValidFrom")
        .isEqualTo(user);
    assertThat(changed.role()).isEqualTo(Role.CONSUMER);
    assertThat(changed.tokensValidFrom()).isEqualTo(from);
    assertThat(hash(user)).isEqualTo(HASH);
  }

  @Test
  void a_scope_is_given_replaced_and_lifted_and_leaves_everything_else_as_it_is() {
    User user = user("scope@example.com", "name");
    users.create(user, HASH);

    for (Scope scope : Arrays.asList(SCOPE, WIDER, null, null, SCOPE)) {
      ChangeOutcome outcome = users.update(user.email(), new UserChange.SetScope(scope));

      assertThat(outcome).isEqualTo(new Changed(users.find(user.email()).orElseThrow()));
      assertThat(users.find(user.email()))
          .hasValueSatisfying(changed -> {
            assertThat(changed.scope()).isEqualTo(scope);
            assertThat(changed).usingRecursiveComparison().ignoringFields("scope").isEqualTo(user);
          });
    }
    assertThat(hash(user)).isEqualTo(HASH);
  }

  @Test
  void a_try_to_widen_a_scope_that_arrives_late_does_not_undo_a_later_narrowing() {
    User user = user("widened-late@example.com", null);
    users.create(user, HASH);
    users.update(user.email(), new UserChange.SetScope(WIDER));
    PutItemRequest widening = SEEN.lastPut();
    users.update(user.email(), new UserChange.SetScope(SCOPE));

    assertThatExceptionOfType(ConditionalCheckFailedException.class)
        .isThrownBy(() -> dynamoDb.putItem(widening));
    assertThat(users.find(user.email()).orElseThrow().scope()).isEqualTo(SCOPE);
  }

  @Test
  void a_scope_is_set_though_another_is_set_and_sessions_end_at_the_same_time() {
    User user = user("scoped-meanwhile@example.com", null);
    users.create(user, HASH);
    Instant from = user.tokensValidFrom().plusSeconds(60);
    SEEN.beforeNextPut(() -> {
      users.update(user.email(), new UserChange.SetScope(WIDER));
      users.update(user.email(), new UserChange.Disable(from(from)));
    });

    users.update(user.email(), new UserChange.SetScope(SCOPE));

    User changed = users.find(user.email()).orElseThrow();
    assertThat(changed.scope()).isEqualTo(SCOPE);
    assertThat(changed.state()).isEqualTo(UserState.DISABLED);
    assertThat(changed.tokensValidFrom()).isEqualTo(from);
  }

  static List<AttributeValue> unreadableScopes() {
    return List.of(
        AttributeValue.fromS(""),
        AttributeValue.fromS("shopify"),
        AttributeValue.fromS("shopify.*,"),
        AttributeValue.fromS("shopify.*,shopify.*"),
        AttributeValue.fromS("shopify.*, github.*"),
        AttributeValue.fromN("1"),
        AttributeValue.fromNul(true),
        AttributeValue.fromSs(List.of("shopify.*")),
        AttributeValue.fromL(List.of(AttributeValue.fromS("shopify.*"))));
  }

  @ParameterizedTest
  @MethodSource("unreadableScopes")
  void a_scope_that_cannot_be_read_allows_nothing_until_it_is_replaced(AttributeValue stored) {
    User user = user("unreadable-" + stored.hashCode() + "@example.com", null);
    users.create(user, HASH);
    service
        .dynamoDb()
        .updateItem(update ->
            update
                .tableName(USERS)
                .key(Map.of("email", AttributeValue.fromS(user.email().value())))
                .updateExpression("SET event_types = :stored")
                .expressionAttributeValues(Map.of(":stored", stored)));

    List<ThrowingCallable> reads =
        List.of(() -> users.find(user.email()), () -> users.findWithHash(user.email()));
    assertThat(reads)
        .allSatisfy(read ->
            assertThatExceptionOfType(DependencyUnavailableException.class)
                .isThrownBy(read)
                .withMessage("the event_types of the user " + user.id() + " are no scope"));
    users.update(user.email(), new UserChange.SetScope(SCOPE));
    assertThat(users.find(user.email()).orElseThrow().scope()).isEqualTo(SCOPE);
  }

  @Test
  void an_address_belongs_to_one_user() {
    User first = user("taken@example.com", "first");

    assertThat(users.create(first, HASH)).isTrue();
    assertThat(users.create(user("taken@example.com", "second"), PasswordHash.of("other", 4)))
        .isFalse();

    assertThat(users.findWithHash(first.email())).hasValue(new UserWithHash(first, HASH));
  }

  @Test
  void a_second_try_of_a_creation_whose_answer_was_lost_finds_the_first_one() {
    User user = user("twice@example.com", null);

    assertThat(users.create(user, HASH)).isTrue();
    assertThat(users.create(user, HASH)).isTrue();
  }

  /** Otherwise the time of a login would tell who is a user. */
  @Test
  void a_login_of_an_unknown_address_makes_the_same_reads() {
    User user = user("known@example.com", null);
    users.create(user, HASH);
    SEEN.takeReads();

    users.findWithHash(user.email());
    assertThat(SEEN.takeReads()).containsExactly(USERS, HASHES);
    assertThat(users.findWithHash(new Email("nobody@example.com"))).isEmpty();
    assertThat(SEEN.takeReads()).containsExactly(USERS, HASHES);
  }

  @Test
  void an_unknown_address_belongs_to_nobody() {
    assertThat(users.find(new Email("nobody@example.com"))).isEmpty();
  }

  @Test
  void a_change_leaves_everything_else_as_it_is() {
    User user = user("changed@example.com", "Shop connector");
    users.create(user, HASH);
    Instant later = user.tokensValidFrom().plusSeconds(60);
    PasswordHash hash = PasswordHash.of("another", 4);

    assertThat(users.update(user.email(), new UserChange.Disable(from(later))))
        .isEqualTo(changed(user, UserState.DISABLED, later));
    assertThat(users.update(user.email(), new UserChange.Enable()))
        .isEqualTo(changed(user, UserState.ACTIVE, later));
    later = later.plusSeconds(1);
    assertThat(users.update(user.email(), new UserChange.SetPassword(hash, from(later))))
        .isEqualTo(changed(user, UserState.ACTIVE, later));
    later = later.plusSeconds(1);
    assertThat(users.update(user.email(), new UserChange.RevokeTokens(from(later))))
        .isEqualTo(changed(user, UserState.ACTIVE, later))
        .isEqualTo(new Changed(users.find(user.email()).orElseThrow()));
    assertThat(hash(user)).isEqualTo(hash);
  }

  @Test
  void a_try_to_enable_that_arrives_late_does_not_undo_a_later_disabling() {
    User user = user("late@example.com", null);
    users.create(user, HASH);
    Instant from = user.tokensValidFrom().plusSeconds(60);
    users.update(user.email(), new UserChange.Disable(from(from)));
    users.update(user.email(), new UserChange.Enable());
    PutItemRequest enabling = SEEN.lastPut();
    users.update(user.email(), new UserChange.Disable(from(from.plusSeconds(1))));

    assertThatExceptionOfType(ConditionalCheckFailedException.class)
        .isThrownBy(() -> dynamoDb.putItem(enabling));
    assertThat(users.find(user.email()).orElseThrow().isActive()).isFalse();
  }

  @Test
  void a_user_is_enabled_though_its_sessions_end_at_the_same_time() {
    User user = user("revoked-meanwhile@example.com", null);
    users.create(user, HASH);
    Instant from = user.tokensValidFrom().plusSeconds(60);
    users.update(user.email(), new UserChange.Disable(from(from)));
    SEEN.beforeNextPut(
        () -> users.update(user.email(), new UserChange.RevokeTokens(from(from.plusSeconds(1)))));

    assertThat(users.update(user.email(), new UserChange.Enable()))
        .isEqualTo(changed(user, UserState.ACTIVE, from.plusSeconds(1)));
  }

  @Test
  void a_hash_gives_way_to_another_one_of_the_same_password_only() {
    User user = user("rehashed@example.com", null);
    users.create(user, HASH);
    PasswordHash dearer = PasswordHash.of("the same", 5);
    UserWithHash rehashed = new UserWithHash(user, dearer);

    users.rehash(user.email(), HASH, dearer);
    assertThat(users.findWithHash(user.email())).hasValue(rehashed);

    users.rehash(user.email(), HASH, PasswordHash.of("late", 4));
    assertThat(users.findWithHash(user.email())).hasValue(rehashed);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, -3_600})
  void a_revocation_that_is_not_later_than_the_last_one_ends_the_sessions_since(long seconds) {
    User user = user("revoked" + seconds + "@example.com", null);
    users.create(user, HASH);
    Instant next = user.tokensValidFrom().plusSeconds(1);
    Revocation revocation = new Revocation(user.tokensValidFrom().plusSeconds(seconds), next);
    PasswordHash hash = PasswordHash.of("another", 4);

    assertThat(users.update(user.email(), new UserChange.SetPassword(hash, revocation)))
        .isEqualTo(changed(user, user.state(), next));
    assertThat(hash(user)).isEqualTo(hash);
  }

  @Test
  void of_many_revocations_at_once_each_is_later_than_the_one_before_up_to_the_latest()
      throws Exception {
    User user = user("busy@example.com", null);
    users.create(user, HASH);
    Instant from = user.tokensValidFrom().plusSeconds(60);
    UserChange revoke = new UserChange.RevokeTokens(new Revocation(from, from.plusSeconds(5)));
    List<Callable<ChangeOutcome>> revocations =
        Collections.nCopies(8, () -> users.update(user.email(), revoke));

    Set<ChangeOutcome> seen = new HashSet<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<ChangeOutcome> each : threads.invokeAll(revocations)) {
        seen.add(each.get());
      }
    }

    assertThat(seen)
        .hasSize(7)
        .contains(
            changed(user, user.state(), from),
            changed(user, user.state(), from.plusSeconds(5)),
            new RevokedTooOften());
    assertThat(users.find(user.email()).orElseThrow().tokensValidFrom())
        .isEqualTo(from.plusSeconds(5));
  }

  @Test
  void nobody_is_changed_and_nobody_comes_into_being_under_an_unknown_address() {
    Email nobody = new Email("nobody@example.com");

    assertThat(users.update(nobody, new UserChange.Enable())).isEqualTo(new NoSuchUser());
    assertThat(users.update(nobody, new UserChange.SetScope(SCOPE))).isEqualTo(new NoSuchUser());
    assertThat(users.update(nobody, new UserChange.RevokeTokens(from(Instant.EPOCH))))
        .isEqualTo(new NoSuchUser());
    assertThat(users.find(nobody)).isEmpty();
  }

  @Test
  void a_deleted_user_leaves_nothing_and_no_late_change_brings_it_back() {
    User user = scoped("deleted@example.com", SCOPE);
    users.create(user, HASH);
    users.update(user.email(), new UserChange.SetScope(WIDER));
    PutItemRequest late = SEEN.lastPut();

    users.delete(user);

    assertThat(users.findWithHash(user.email())).isEmpty();
    assertThatExceptionOfType(ConditionalCheckFailedException.class)
        .isThrownBy(() -> dynamoDb.putItem(late));
    users.rehash(user.email(), HASH, HASH);
    assertThat(users.findWithHash(user.email())).isEmpty();
  }

  @Test
  void a_second_try_of_a_deletion_whose_answer_was_lost_spares_a_new_user_of_the_address() {
    User user = user("free@example.com", null);
    users.create(user, HASH);
    users.delete(user);
    users.delete(user);
    User next = user("free@example.com", "new");
    users.create(next, HASH);

    users.delete(user);

    assertThat(users.findWithHash(user.email())).hasValue(new UserWithHash(next, HASH));
  }

  @Test
  void a_password_stays_if_its_reset_would_revoke_too_often() {
    User user = user("too-often@example.com", null);
    users.create(user, HASH);
    Instant latest = user.tokensValidFrom();
    UserChange reset =
        new UserChange.SetPassword(PasswordHash.of("another", 4), new Revocation(latest, latest));

    assertThat(users.update(user.email(), reset)).isEqualTo(new RevokedTooOften());
    assertThat(users.findWithHash(user.email())).hasValue(new UserWithHash(user, HASH));
  }

  @Test
  void a_reset_of_a_user_who_is_deleted_meanwhile_leaves_no_hash() {
    User user = user("gone@example.com", null);
    users.create(user, HASH);
    Revocation revocation = from(user.tokensValidFrom().plusSeconds(60));
    SEEN.beforeNextTransaction(() -> users.delete(user));

    assertThat(users.update(user.email(), new UserChange.SetPassword(HASH, revocation)))
        .isEqualTo(new NoSuchUser());
    assertThat(item(HASHES, user)).isEmpty();
  }

  @Test
  void a_reset_keeps_a_scope_that_is_set_meanwhile() {
    User user = user("reset-meanwhile@example.com", null);
    users.create(user, HASH);
    Revocation revocation = from(user.tokensValidFrom().plusSeconds(60));
    PasswordHash hash = PasswordHash.of("another", 4);
    SEEN.beforeNextTransaction(() -> users.update(user.email(), new UserChange.SetScope(SCOPE)));

    ChangeOutcome outcome =
        users.update(user.email(), new UserChange.SetPassword(hash, revocation));

    User changed = users.find(user.email()).orElseThrow();
    assertThat(outcome).isEqualTo(new Changed(changed));
    assertThat(changed.scope()).isEqualTo(SCOPE);
    assertThat(hash(user)).isEqualTo(hash);
  }

  private static Revocation from(Instant from) {
    return new Revocation(from, from);
  }

  private static PasswordHash hash(User user) {
    return users.findWithHash(user.email()).orElseThrow().passwordHash();
  }

  private static Changed changed(User user, UserState state, Instant from) {
    return new Changed(
        new User(
            user.id(),
            user.email(),
            user.name(),
            state,
            user.role(),
            null,
            user.createdAt(),
            from));
  }

  private static User user(String email, @Nullable String name) {
    return user(email, name, null);
  }

  private static User scoped(String email, Scope scope) {
    return user(email, "name", scope);
  }

  private static User user(String email, @Nullable String name, @Nullable Scope scope) {
    return new User(
        UUID.randomUUID(),
        new Email(email),
        name,
        UserState.ACTIVE,
        Role.CONNECTOR,
        scope,
        Instant.parse("2026-01-01T00:00:00.123Z"),
        Instant.parse("2026-01-02T00:00:00Z"));
  }

  /**
   * Records the last put and the tables of transactions that read. Can run an action before a put,
   * or before a transaction.
   */
  private static final class SeenCalls implements ExecutionInterceptor {

    private Optional<PutItemRequest> lastPut = Optional.empty();
    private List<String> reads = Collections.synchronizedList(new ArrayList<>());
    private Runnable beforePut = () -> {};
    private Runnable beforeTransaction = () -> {};

    /** Returns and forgets the tables that transactions have read. */
    List<String> takeReads() {
      List<String> taken = reads;
      reads = Collections.synchronizedList(new ArrayList<>());
      return taken;
    }

    PutItemRequest lastPut() {
      return lastPut.orElseThrow();
    }

    void beforeNextPut(Runnable action) {
      beforePut = action;
    }

    void beforeNextTransaction(Runnable action) {
      beforeTransaction = action;
    }

    @Override
    public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
      if (context.request() instanceof PutItemRequest put) {
        lastPut = Optional.of(put);
        Runnable action = beforePut;
        beforePut = () -> {};
        action.run();
      }
      if (context.request() instanceof TransactGetItemsRequest read) {
        read.transactItems().forEach(item -> reads.add(item.get().tableName()));
      }
      if (context.request() instanceof TransactWriteItemsRequest) {
        Runnable action = beforeTransaction;
        beforeTransaction = () -> {};
        action.run();
      }
    }
  }
}
