package dev.connectorevents.dynamodb.users;

import static dev.connectorevents.user.TestUsers.HASH;
import static dev.connectorevents.user.TestUsers.revocation;
import static dev.connectorevents.user.TestUsers.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.connectorevents.Promise;
import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.event.EventTypes;
import dev.connectorevents.user.ChangeOutcome;
import dev.connectorevents.user.ChangeOutcome.Changed;
import dev.connectorevents.user.ChangeOutcome.NoSuchUser;
import dev.connectorevents.user.PasswordHash;
import dev.connectorevents.user.Revocation;
import dev.connectorevents.user.User;
import dev.connectorevents.user.UserChange;
import dev.connectorevents.user.UserState;
import dev.connectorevents.user.UserWithHash;
import java.nio.file.Path;
import java.time.Instant;
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
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** Changes of one user that meet: at the same time, or because a try of one arrives late. */
class DynamoUserRacesTest {

  private static final EventTypes SCOPE = EventTypes.parse("shopify.*,github.push").orElseThrow();
  private static final EventTypes WIDER = EventTypes.parse("*").orElseThrow();
  private static final SeenWrites SEEN = new SeenWrites();

  @AutoClose private static final Stores service = Endpoint.stores(Path.of("../template.yaml"));

  @AutoClose
  private static final DynamoDbClient dynamoDb =
      service.settings().dynamoDbClient(client -> client.addExecutionInterceptor(SEEN));

  private static final String HASHES = service.name("PasswordHashesTable");
  private static final DynamoUsers users =
      new DynamoUsers(dynamoDb, service.name("UsersTable"), HASHES);

  /**
   * A user's states, one a second of {@code tokens_valid_from}: created, reset, revoked, deleted,
   * and so on. A login that reads a hash of another state than the user's would begin a session
   * that no order of it and the change allows.
   */
  @Test
  void a_login_reads_the_user_and_the_hash_as_they_were_at_one_moment() throws Exception {
    User user = user("raced@example.com");
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
      for (long second = 1; second <= 100; second += 4) {
        User next = recreated(user, second);
        users.create(next, hashAt(second));
        Revocation reset = revocation(Instant.ofEpochSecond(second + 1));
        users.update(next.email(), new UserChange.SetPassword(hashAt(second + 1), reset));
        Revocation revocation = revocation(Instant.ofEpochSecond(second + 2));
        users.update(next.email(), new UserChange.RevokeTokens(revocation));
        users.delete(next);
      }
      isOver.set(true);
      for (Future<Set<Long>> reader : readers) {
        seen.addAll(reader.get());
      }
    }

    assertThat(seen).as("seconds that a login saw").hasSizeGreaterThan(10);
  }

  private static User recreated(User user, long second) {
    Instant from = Instant.ofEpochSecond(second);
    return new User(
        UUID.randomUUID(), user.email(), null, user.state(), user.role(), null, from, from);
  }

  /** The hash in this second. A revocation, two seconds after each creation, changes none. */
  private static PasswordHash hashAt(long second) {
    long set = second % 4 == 3 ? second - 1 : second;
    return new PasswordHash("$2a$04$%053d".formatted(set));
  }

  @Test
  void a_try_to_enable_that_arrives_late_does_not_undo_a_later_disabling() {
    User user = user("late@example.com");
    users.create(user, HASH);
    Instant from = user.tokensValidFrom().plusSeconds(60);
    users.update(user.email(), new UserChange.Disable(revocation(from)));
    users.update(user.email(), new UserChange.Enable());
    PutItemRequest enabling = SEEN.lastPut();
    users.update(user.email(), new UserChange.Disable(revocation(from.plusSeconds(1))));

    assertThatExceptionOfType(ConditionalCheckFailedException.class)
        .isThrownBy(() -> dynamoDb.putItem(enabling));
    assertThat(users.find(user.email()).orElseThrow().isActive()).isFalse();
  }

  @Test
  void a_deleted_user_leaves_nothing_and_no_late_change_brings_it_back() {
    User user = user("deleted-late@example.com");
    users.create(user, HASH);
    users.update(user.email(), new UserChange.SetScope(WIDER));
    PutItemRequest late = SEEN.lastPut();

    users.delete(user);

    assertThatExceptionOfType(ConditionalCheckFailedException.class)
        .isThrownBy(() -> dynamoDb.putItem(late));
    users.rehash(user.email(), HASH, HASH);
    assertThat(users.find(user.email())).isEmpty();
    assertThat(hash(user)).isEmpty();
  }

  @Test
  void a_scope_is_set_though_another_is_set_and_sessions_end_at_the_same_time() {
    User user = user("scoped-meanwhile@example.com");
    users.create(user, HASH);
    Instant from = user.tokensValidFrom().plusSeconds(60);
    SEEN.beforeNextPut(() -> {
      users.update(user.email(), new UserChange.SetScope(WIDER));
      users.update(user.email(), new UserChange.Disable(revocation(from)));
    });

    users.update(user.email(), new UserChange.SetScope(SCOPE));

    User changed = users.find(user.email()).orElseThrow();
    assertThat(changed.scope()).isEqualTo(SCOPE);
    assertThat(changed.state()).isEqualTo(UserState.DISABLED);
    assertThat(changed.tokensValidFrom()).isEqualTo(from);
  }

  @Test
  void a_reset_keeps_a_scope_that_is_set_meanwhile() {
    User user = user("reset-meanwhile@example.com");
    users.create(user, HASH);
    Revocation revocation = revocation(user.tokensValidFrom().plusSeconds(60));
    PasswordHash hash = PasswordHash.of("another", 4);
    SEEN.beforeNextTransaction(() -> users.update(user.email(), new UserChange.SetScope(SCOPE)));

    ChangeOutcome outcome =
        users.update(user.email(), new UserChange.SetPassword(hash, revocation));

    User changed = users.find(user.email()).orElseThrow();
    assertThat(outcome).isEqualTo(new Changed(changed));
    assertThat(changed.scope()).isEqualTo(SCOPE);
    assertThat(users.findWithHash(user.email())).hasValue(new UserWithHash(changed, hash));
  }

  @Test
  @Promise("Deletes the user for ever, with its password.")
  void a_reset_of_a_user_who_is_deleted_meanwhile_leaves_no_hash() {
    User user = user("gone@example.com");
    users.create(user, HASH);
    Revocation revocation = revocation(user.tokensValidFrom().plusSeconds(60));
    SEEN.beforeNextTransaction(() -> users.delete(user));

    assertThat(users.update(user.email(), new UserChange.SetPassword(HASH, revocation)))
        .isEqualTo(new NoSuchUser());
    assertThat(hash(user)).isEmpty();
  }

  private static Map<String, AttributeValue> hash(User user) {
    return dynamoDb
        .getItem(get -> get.tableName(HASHES).key(DynamoUserLookup.key(user.email())))
        .item();
  }

  /** Records the last put. Can run an action before a put, or before a transaction. */
  private static final class SeenWrites implements ExecutionInterceptor {

    private Optional<PutItemRequest> lastPut = Optional.empty();
    private Runnable beforePut = () -> {};
    private Runnable beforeTransaction = () -> {};

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
      if (context.request() instanceof TransactWriteItemsRequest) {
        Runnable action = beforeTransaction;
        beforeTransaction = () -> {};
        action.run();
      }
    }
  }
}
