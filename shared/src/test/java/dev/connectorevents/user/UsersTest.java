package dev.connectorevents.user;

import static dev.connectorevents.user.TestUsers.HASH;
import static dev.connectorevents.user.TestUsers.revocation;
import static dev.connectorevents.user.TestUsers.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import dev.connectorevents.event.EventTypes;
import dev.connectorevents.user.ChangeOutcome.Changed;
import dev.connectorevents.user.ChangeOutcome.NoSuchUser;
import dev.connectorevents.user.ChangeOutcome.RevokedTooOften;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The sentences that each store of {@link Users} holds: the service's, and that of its tests. */
public abstract class UsersTest {

  private static final EventTypes SCOPE = EventTypes.parse("shopify.*,github.push").orElseThrow();
  private static final EventTypes WIDER = EventTypes.parse("*").orElseThrow();
  private static final PasswordHash ANOTHER = PasswordHash.of("another", TestUsers.COST);

  /** The store under test. */
  protected abstract Users users();

  @Test
  void a_user_is_read_as_it_was_created() {
    User named = user("named@example.com", "Shop connector");
    User nameless = user("nameless@example.com", null, SCOPE);

    assertThat(users().create(named, HASH)).isTrue();
    assertThat(users().create(nameless, HASH)).isTrue();

    assertThat(users().find(named.email())).hasValue(named);
    assertThat(users().find(nameless.email())).hasValue(nameless);
    assertThat(users().findWithHash(named.email())).hasValue(new UserWithHash(named, HASH));
    assertThat(users().findWithHash(nameless.email())).hasValue(new UserWithHash(nameless, HASH));
  }

  @Test
  void an_unknown_address_belongs_to_nobody() {
    assertThat(users().find(new Email("nobody@example.com"))).isEmpty();
  }

  @Test
  @Promise("The pages together contain each user once.")
  void all_users_are_listed_page_by_page_each_once() {
    Set<User> created = new HashSet<>();
    for (int i = 0; i < 7; i++) {
      User user = user("listed-" + i + "@example.com", i % 2 == 0 ? "Shop " + i : null);
      users().create(user, HASH);
      created.add(user);
    }

    List<User> listed = new ArrayList<>();
    Optional<Email> after = Optional.empty();
    do {
      UserPage page = users().list(after, 3);
      assertThat(page.users()).hasSizeLessThanOrEqualTo(3);
      listed.addAll(page.users());
      after = page.continueAfter();
    } while (after.isPresent());

    assertThat(listed).containsAll(created).doesNotHaveDuplicates();
  }

  @Test
  void an_address_belongs_to_one_user() {
    User first = user("taken@example.com", "first");

    assertThat(users().create(first, HASH)).isTrue();
    assertThat(users().create(user("taken@example.com", "second"), ANOTHER)).isFalse();

    assertThat(users().findWithHash(first.email())).hasValue(new UserWithHash(first, HASH));
  }

  @Test
  void a_second_try_of_a_creation_whose_answer_was_lost_finds_the_first_one() {
    User user = user("twice@example.com");

    assertThat(users().create(user, HASH)).isTrue();
    assertThat(users().create(user, HASH)).isTrue();
  }

  @Test
  void a_change_leaves_everything_else_as_it_is() {
    User user = user("changed@example.com", "Shop connector");
    users().create(user, HASH);
    Instant later = user.tokensValidFrom().plusSeconds(60);

    assertThat(users().update(user.email(), new UserChange.Disable(revocation(later))))
        .isEqualTo(changed(user, UserState.DISABLED, later));
    assertThat(users().update(user.email(), new UserChange.Enable()))
        .isEqualTo(changed(user, UserState.ACTIVE, later));
    later = later.plusSeconds(1);
    assertThat(users().update(user.email(), new UserChange.SetPassword(ANOTHER, revocation(later))))
        .isEqualTo(changed(user, UserState.ACTIVE, later));
    later = later.plusSeconds(1);
    assertThat(users().update(user.email(), new UserChange.RevokeTokens(revocation(later))))
        .isEqualTo(changed(user, UserState.ACTIVE, later))
        .isEqualTo(new Changed(users().find(user.email()).orElseThrow()));
    assertThat(hash(user)).isEqualTo(ANOTHER);
  }

  @Test
  @Promise("Sets the role and ends the user's tokens")
  void a_new_role_ends_sessions_and_leaves_everything_else_as_it_is() {
    User user = user("role@example.com", "name", SCOPE);
    users().create(user, HASH);
    Instant from = Instant.parse("2026-03-01T00:00:00Z");

    users().update(user.email(), new UserChange.SetRole(Role.CONSUMER, revocation(from)));

    User changed = users().find(user.email()).orElseThrow();
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
    users().create(user, HASH);

    for (EventTypes scope : Arrays.asList(SCOPE, WIDER, null, null, SCOPE)) {
      ChangeOutcome outcome = users().update(user.email(), new UserChange.SetScope(scope));

      assertThat(outcome).isEqualTo(new Changed(users().find(user.email()).orElseThrow()));
      assertThat(users().find(user.email()))
          .hasValueSatisfying(changed -> {
            assertThat(changed.scope()).isEqualTo(scope);
            assertThat(changed).usingRecursiveComparison().ignoringFields("scope").isEqualTo(user);
          });
    }
    assertThat(hash(user)).isEqualTo(HASH);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, -3_600})
  void a_revocation_that_is_not_later_than_the_last_one_ends_the_sessions_since(long seconds) {
    User user = user("revoked" + seconds + "@example.com");
    users().create(user, HASH);
    Instant next = user.tokensValidFrom().plusSeconds(1);
    Revocation revocation = new Revocation(user.tokensValidFrom().plusSeconds(seconds), next);

    assertThat(users().update(user.email(), new UserChange.SetPassword(ANOTHER, revocation)))
        .isEqualTo(changed(user, user.state(), next));
    assertThat(hash(user)).isEqualTo(ANOTHER);
  }

  @Test
  void of_many_revocations_at_once_each_is_later_than_the_one_before_up_to_the_latest()
      throws Exception {
    User user = user("busy@example.com");
    users().create(user, HASH);
    Instant from = user.tokensValidFrom().plusSeconds(60);
    UserChange revoke = new UserChange.RevokeTokens(new Revocation(from, from.plusSeconds(5)));
    List<Callable<ChangeOutcome>> revocations =
        Collections.nCopies(8, () -> users().update(user.email(), revoke));

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
    assertThat(users().find(user.email()).orElseThrow().tokensValidFrom())
        .isEqualTo(from.plusSeconds(5));
  }

  @Test
  @Promise("The user's tokens were revoked several times within seconds.")
  void a_password_stays_if_its_reset_would_revoke_too_often() {
    User user = user("too-often@example.com");
    users().create(user, HASH);
    Instant latest = user.tokensValidFrom();
    UserChange reset = new UserChange.SetPassword(ANOTHER, new Revocation(latest, latest));

    assertThat(users().update(user.email(), reset)).isEqualTo(new RevokedTooOften());
    assertThat(users().findWithHash(user.email())).hasValue(new UserWithHash(user, HASH));
  }

  @Test
  void nobody_is_changed_and_nobody_comes_into_being_under_an_unknown_address() {
    Email nobody = new Email("nobody@example.com");

    assertThat(users().update(nobody, new UserChange.Enable())).isEqualTo(new NoSuchUser());
    assertThat(users().update(nobody, new UserChange.SetScope(SCOPE))).isEqualTo(new NoSuchUser());
    assertThat(users().update(nobody, new UserChange.RevokeTokens(revocation(Instant.EPOCH))))
        .isEqualTo(new NoSuchUser());
    assertThat(users().find(nobody)).isEmpty();
  }

  @Test
  void a_hash_gives_way_to_another_one_of_the_same_password_only() {
    User user = user("rehashed@example.com");
    users().create(user, HASH);
    PasswordHash dearer = PasswordHash.of("the same", 5);
    UserWithHash rehashed = new UserWithHash(user, dearer);

    users().rehash(user.email(), HASH, dearer);
    assertThat(users().findWithHash(user.email())).hasValue(rehashed);

    users().rehash(user.email(), HASH, ANOTHER);
    assertThat(users().findWithHash(user.email())).hasValue(rehashed);
  }

  @Test
  @Promise("A new user of that address has a new id and shares no keys with the deleted user")
  void a_second_try_of_a_deletion_whose_answer_was_lost_spares_a_new_user_of_the_address() {
    User user = user("free@example.com");
    users().create(user, HASH);
    users().delete(user);
    users().delete(user);
    User next = user("free@example.com", "new");
    users().create(next, HASH);

    users().delete(user);

    assertThat(users().findWithHash(user.email())).hasValue(new UserWithHash(next, HASH));
  }

  @Test
  void a_deleted_user_stays_gone_whatever_change_comes_late() {
    User user = user("deleted@example.com");
    users().create(user, HASH);

    users().delete(user);
    users().rehash(user.email(), HASH, ANOTHER);
    ChangeOutcome late = users().update(user.email(), new UserChange.Enable());

    assertThat(late).isEqualTo(new NoSuchUser());
    assertThat(users().find(user.email())).isEmpty();
    assertThat(users().findWithHash(user.email())).isEmpty();
  }

  private PasswordHash hash(User user) {
    return users().findWithHash(user.email()).orElseThrow().passwordHash();
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
}
