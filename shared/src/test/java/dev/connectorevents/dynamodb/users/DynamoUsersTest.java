package dev.connectorevents.dynamodb.users;

import static java.util.stream.Collectors.toUnmodifiableSet;
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
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.Select;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

class DynamoUsersTest {

  private static final PasswordHash HASH = PasswordHash.of("secret", 4);
  private static final Scope SCOPE = Scope.parse("shopify.*,github.push").orElseThrow();
  private static final Scope WIDER = Scope.parse("*").orElseThrow();
  private static final SeenCalls SEEN = new SeenCalls();

  @AutoClose private static final Stores service = Endpoint.stores(Path.of("../template.yaml"));

  @AutoClose
  private static final DynamoDbClient dynamoDb =
      service.settings().dynamoDbClient(client -> client.addExecutionInterceptor(SEEN));

  private static final DynamoUsers users = new DynamoUsers(dynamoDb, service.name("UsersTable"));

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
  void only_a_read_with_the_hash_transports_the_hash() {
    User user = scoped("read@example.com", SCOPE);
    users.create(user, HASH);

    users.find(user.email());
    assertThat(SEEN.takeNames())
        .containsExactlyInAnyOrder(
            "email",
            "id",
            "name",
            "state",
            "role",
            "event_types",
            "created_at",
            "tokens_valid_from");
    users.findWithHash(user.email());
    assertThat(SEEN.takeNames())
        .containsExactlyInAnyOrder(
            "email",
            "id",
            "name",
            "state",
            "role",
            "event_types",
            "created_at",
            "tokens_valid_from",
            "password_hash");
  }

  @Test
  void all_users_are_listed_page_by_page_each_once_and_without_hashes() {
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
      assertThat(SEEN.takeNames()).doesNotContain("password_hash");
      listed.addAll(page.users());
      after = page.continueAfter();
    } while (after.isPresent());

    assertThat(listed).containsAll(created).doesNotHaveDuplicates();
  }

  @Test
  void a_list_names_the_attributes_that_it_reads_and_the_hash_is_not_among_them() {
    users.list(Optional.empty(), 3);

    assertThat(SEEN.lastScan().select()).isEqualTo(Select.SPECIFIC_ATTRIBUTES);
    assertThat(SEEN.lastScan().projectionExpression())
        .isEqualTo("email, id, #name, #state, #role, event_types, created_at, tokens_valid_from");
    assertThat(SEEN.lastScan().expressionAttributeNames())
        .containsOnly(
            Map.entry("#name", "name"), Map.entry("#state", "state"), Map.entry("#role", "role"));
    assertThat(SEEN.lastScan().consistentRead()).isTrue();
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
    UpdateItemRequest widening = SEEN.lastUpdate();
    users.update(user.email(), new UserChange.SetScope(SCOPE));

    assertThatExceptionOfType(ConditionalCheckFailedException.class)
        .isThrownBy(() -> dynamoDb.updateItem(widening));
    assertThat(users.find(user.email()).orElseThrow().scope()).isEqualTo(SCOPE);
  }

  @Test
  void a_scope_is_set_though_another_is_set_and_sessions_end_at_the_same_time() {
    User user = user("scoped-meanwhile@example.com", null);
    users.create(user, HASH);
    Instant from = user.tokensValidFrom().plusSeconds(60);
    SEEN.beforeNextUpdate(() -> {
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
                .tableName(service.name("UsersTable"))
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
    assertThat(users.create(user("taken@example.com", "second"), HASH)).isFalse();

    assertThat(users.find(first.email())).hasValue(first);
  }

  @Test
  void a_second_try_of_a_creation_whose_answer_was_lost_finds_the_first_one() {
    User user = user("twice@example.com", null);

    assertThat(users.create(user, HASH)).isTrue();
    assertThat(users.create(user, HASH)).isTrue();
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
    UpdateItemRequest enabling = SEEN.lastUpdate();
    users.update(user.email(), new UserChange.Disable(from(from.plusSeconds(1))));

    assertThatExceptionOfType(ConditionalCheckFailedException.class)
        .isThrownBy(() -> dynamoDb.updateItem(enabling));
    assertThat(users.find(user.email()).orElseThrow().isActive()).isFalse();
  }

  @Test
  void a_user_is_enabled_though_its_sessions_end_at_the_same_time() {
    User user = user("revoked-meanwhile@example.com", null);
    users.create(user, HASH);
    Instant from = user.tokensValidFrom().plusSeconds(60);
    users.update(user.email(), new UserChange.Disable(from(from)));
    SEEN.beforeNextUpdate(
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
    UpdateItemRequest late = SEEN.lastUpdate();

    users.delete(user);

    assertThat(users.findWithHash(user.email())).isEmpty();
    assertThatExceptionOfType(ConditionalCheckFailedException.class)
        .isThrownBy(() -> dynamoDb.updateItem(late));
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

    assertThat(users.find(user.email())).hasValue(next);
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
   * Records the last update, the last scan, and the names of the attributes that the last read
   * returned. Can run an action before an update.
   */
  private static final class SeenCalls implements ExecutionInterceptor {

    private Set<String> names = Set.of();
    private Optional<UpdateItemRequest> lastUpdate = Optional.empty();
    private Optional<ScanRequest> lastScan = Optional.empty();
    private Runnable beforeUpdate = () -> {};

    /** Returns and forgets the names of the attributes that the last read returned. */
    Set<String> takeNames() {
      Set<String> taken = names;
      names = Set.of();
      return taken;
    }

    UpdateItemRequest lastUpdate() {
      return lastUpdate.orElseThrow();
    }

    ScanRequest lastScan() {
      return lastScan.orElseThrow();
    }

    void beforeNextUpdate(Runnable action) {
      beforeUpdate = action;
    }

    @Override
    public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
      if (context.request() instanceof ScanRequest scan) {
        lastScan = Optional.of(scan);
      }
      if (context.request() instanceof UpdateItemRequest update) {
        lastUpdate = Optional.of(update);
        Runnable action = beforeUpdate;
        beforeUpdate = () -> {};
        action.run();
      }
    }

    @Override
    public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
      if (context.response() instanceof GetItemResponse read) {
        names = read.item().keySet();
      }
      if (context.response() instanceof ScanResponse read) {
        names =
            read.items().stream()
                .flatMap(item -> item.keySet().stream())
                .collect(toUnmodifiableSet());
      }
    }
  }
}
