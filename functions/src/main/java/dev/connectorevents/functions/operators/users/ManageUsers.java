package dev.connectorevents.functions.operators.users;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.event.EventTypes;
import dev.connectorevents.functions.operators.users.ManageUsersOutcome.AddressTaken;
import dev.connectorevents.functions.operators.users.ManageUsersOutcome.Deleted;
import dev.connectorevents.functions.operators.users.ManageUsersOutcome.Listed;
import dev.connectorevents.functions.operators.users.ManageUsersOutcome.PasswordMadeUp;
import dev.connectorevents.functions.operators.users.ManageUsersOutcome.RevokedTooOften;
import dev.connectorevents.functions.operators.users.ManageUsersOutcome.Shown;
import dev.connectorevents.functions.operators.users.ManageUsersOutcome.TokenIssued;
import dev.connectorevents.functions.operators.users.ManageUsersOutcome.UserDisabled;
import dev.connectorevents.functions.operators.users.ManageUsersOutcome.UserNotFound;
import dev.connectorevents.token.Tokens;
import dev.connectorevents.user.ChangeOutcome;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.PasswordHash;
import dev.connectorevents.user.Revocation;
import dev.connectorevents.user.Role;
import dev.connectorevents.user.User;
import dev.connectorevents.user.UserChange;
import dev.connectorevents.user.UserState;
import dev.connectorevents.user.Users;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/** Carries out an operator's {@link UserAction}. */
final class ManageUsers {

  /**
   * How far in the future a revocation takes effect, so that its write can finish before: see
   * {@link #endSessions}.
   */
  static final Duration REVOCATION_LEAD = Duration.ofSeconds(10);

  /**
   * The limit for revocations that follow each other: each takes effect at least a second after the
   * one before. New sessions begin at that time. A check refuses a token whose session begins more
   * than 30 s in the future, and the clock of that check may be behind this one.
   */
  static final Duration MAX_REVOCATION_LEAD = Duration.ofSeconds(15);

  /** The largest difference between the clocks of two functions. */
  static final Duration MAX_CLOCK_DIFFERENCE = Duration.ofSeconds(2);

  /** The most users in one answer. Together they are far below the 6 MB that Lambda allows. */
  static final int PAGE_SIZE = 100;

  private final Users users;
  private final Tokens tokens;
  private final int bcryptCost;
  private final Clock clock;
  private final RandomGenerator random;

  ManageUsers(Users users, Tokens tokens, int bcryptCost, Clock clock, RandomGenerator random) {
    this.users = users;
    this.tokens = tokens;
    this.bcryptCost = bcryptCost;
    this.clock = clock;
    this.random = random;
  }

  ManageUsersOutcome manage(UserAction action) {
    return switch (action) {
      case UserAction.Create create -> create(create);
      case UserAction.Disable(Email email) ->
          endSessions(email, UserChange.Disable::new, Shown::new);
      case UserAction.Enable(Email email) ->
          outcome(users.update(email, new UserChange.Enable()), Shown::new);
      case UserAction.ResetPassword(Email email, Optional<Password> password) ->
          resetPassword(email, password);
      case UserAction.RevokeTokens(Email email) ->
          endSessions(email, UserChange.RevokeTokens::new, Shown::new);
      case UserAction.SetRole(Email email, Role role) ->
          endSessions(email, revocation -> new UserChange.SetRole(role, revocation), Shown::new);
      case UserAction.SetScope(Email email, EventTypes scope) ->
          outcome(users.update(email, new UserChange.SetScope(scope)), Shown::new);
      case UserAction.IssueStaticToken(Email email, Duration lifetime) ->
          issueStaticToken(email, lifetime);
      case UserAction.Delete(Email email) -> delete(email);
      case UserAction.Show(Email email) ->
          users.find(email).<ManageUsersOutcome>map(Shown::new).orElseGet(UserNotFound::new);
      case UserAction.ListPage(Optional<Email> after) -> new Listed(users.list(after, PAGE_SIZE));
    };
  }

  private ManageUsersOutcome create(UserAction.Create create) {
    Password password = create.password().orElseGet(() -> Password.random(random));
    Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    User user =
        new User(
            UUID.randomUUID(),
            create.email(),
            create.name(),
            UserState.ACTIVE,
            create.role(),
            create.scope(),
            now,
            now);
    return users.create(user, PasswordHash.of(password.text(), bcryptCost))
        ? withPassword(user, password, create.password())
        : new AddressTaken();
  }

  private ManageUsersOutcome resetPassword(Email email, Optional<Password> chosen) {
    Password password = chosen.orElseGet(() -> Password.random(random));
    PasswordHash hash = PasswordHash.of(password.text(), bcryptCost);
    return endSessions(
        email,
        revocation -> new UserChange.SetPassword(hash, revocation),
        user -> withPassword(user, password, chosen));
  }

  private ManageUsersOutcome issueStaticToken(Email email, Duration lifetime) {
    // Taken before the user is read, so that a revocation after the read ends this token.
    Instant now = clock.instant();
    Optional<User> user = users.find(email);
    if (user.isEmpty()) {
      return new UserNotFound();
    }
    return user.get().isActive()
        ? new TokenIssued(user.get(), tokens.issueStatic(user.get(), now, lifetime))
        : new UserDisabled();
  }

  /** Tokens of the user end too: they name its id, which nobody has again. */
  private ManageUsersOutcome delete(Email email) {
    Optional<User> user = users.find(email);
    user.ifPresent(users::delete);
    return user.<ManageUsersOutcome>map(Deleted::new).orElseGet(UserNotFound::new);
  }

  /**
   * Ends every session that began before this method returns. A session that begins during the
   * write takes its time from a clock that may be ahead of this one. So the write must finish
   * {@link #MAX_CLOCK_DIFFERENCE} before the revocation's time; otherwise it is repeated with a
   * later time. If the request's deadline or other revocations prevent that, the call fails.
   */
  private ManageUsersOutcome endSessions(
      Email email,
      Function<Revocation, UserChange> change,
      Function<User, ManageUsersOutcome> done) {
    ChangeOutcome outcome = users.update(email, change.apply(revocation()));
    while (outcome instanceof ChangeOutcome.Changed(User user) && !endsAllSessions(user)) {
      outcome = users.update(email, change.apply(revocation()));
      if (outcome instanceof ChangeOutcome.RevokedTooOften) {
        // RevokedTooOften would tell the operator that nothing was changed, but something was.
        throw new DependencyUnavailableException("the write to users was too slow");
      }
    }
    return outcome(outcome, done);
  }

  private Revocation revocation() {
    Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    return new Revocation(now.plus(REVOCATION_LEAD), now.plus(MAX_REVOCATION_LEAD));
  }

  private boolean endsAllSessions(User user) {
    return clock.instant().plus(MAX_CLOCK_DIFFERENCE).isBefore(user.tokensValidFrom());
  }

  private static ManageUsersOutcome outcome(
      ChangeOutcome outcome, Function<User, ManageUsersOutcome> done) {
    return switch (outcome) {
      case ChangeOutcome.Changed(User user) -> done.apply(user);
      case ChangeOutcome.NoSuchUser() -> new UserNotFound();
      case ChangeOutcome.RevokedTooOften() -> new RevokedTooOften();
    };
  }

  /** Returns the password only if the service made it: the operator knows a chosen one. */
  private static ManageUsersOutcome withPassword(
      User user, Password password, Optional<Password> chosen) {
    return chosen.isPresent() ? new Shown(user) : new PasswordMadeUp(user, password);
  }
}
