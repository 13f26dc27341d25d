package dev.connectorevents.local;

import dev.connectorevents.token.RandomText;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.PasswordHash;
import dev.connectorevents.user.Role;
import dev.connectorevents.user.User;
import dev.connectorevents.user.UserState;
import dev.connectorevents.user.UserWithHash;
import dev.connectorevents.user.Users;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Finds or creates the connector user that the local service prints at its start. */
final class FirstUser {

  private static final String EMAIL = "CONNECTOR_API_EMAIL";
  private static final String PASSWORD = "CONNECTOR_API_PASSWORD";
  private static final String DEFAULT_EMAIL = "connector@example.com";
  private static final int PASSWORD_LENGTH = 32;

  private final Users users;
  private final int bcryptCost;
  private final CredentialsFile file;

  FirstUser(Users users, int bcryptCost, CredentialsFile file) {
    this.users = users;
    this.bcryptCost = bcryptCost;
    this.file = file;
  }

  /**
   * How to log in.
   *
   * @param password empty if only its hash is known
   * @param remark a warning for the user
   */
  record Credentials(Email email, Optional<String> password, Optional<String> remark) {}

  /**
   * Finds the user, or creates it.
   *
   * @throws IllegalArgumentException if a variable contains no e-mail address or no valid password
   */
  Credentials ensure(Map<String, String> environment) throws IOException {
    Optional<CredentialsFile.Kept> kept = file.read();
    Email email =
        variable(environment, EMAIL)
            .or(() -> kept.map(CredentialsFile.Kept::email))
            .or(() -> Optional.of(DEFAULT_EMAIL))
            .map(FirstUser::parsed)
            .orElseThrow();
    Optional<String> given = variable(environment, PASSWORD);
    Optional<String> keptPassword =
        kept.filter(each -> each.email().equals(email.value())).map(CredentialsFile.Kept::password);
    Optional<UserWithHash> user = users.findWithHash(email);
    return user.isPresent()
        ? existing(user.get(), given, keptPassword)
        : created(email, given, keptPassword);
  }

  private static Credentials existing(
      UserWithHash user, Optional<String> given, Optional<String> kept) {
    Optional<String> password = given.or(() -> kept).filter(user.passwordHash()::matches);
    if (given.isEmpty() || password.isPresent()) {
      return new Credentials(user.user().email(), password, Optional.empty());
    }
    return new Credentials(
        user.user().email(),
        kept.filter(user.passwordHash()::matches),
        Optional.of(PASSWORD + " is not this user's stored password, which stays as it is"));
  }

  private Credentials created(Email email, Optional<String> given, Optional<String> kept)
      throws IOException {
    String password =
        given.or(() -> kept).orElseGet(() -> RandomText.of(PASSWORD_LENGTH, new SecureRandom()));
    if (given.isEmpty()) {
      // Before the user is created: nobody could use a user with an unknown password.
      file.write(new CredentialsFile.Kept(email.value(), password));
    }
    Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    PasswordHash hash = PasswordHash.of(password, bcryptCost);
    users.create(
        new User(UUID.randomUUID(), email, null, UserState.ACTIVE, Role.CONNECTOR, null, now, now),
        hash);
    return new Credentials(email, Optional.of(password), Optional.empty());
  }

  private static Optional<String> variable(Map<String, String> environment, String name) {
    return Optional.ofNullable(environment.get(name)).filter(text -> !text.isEmpty());
  }

  private static Email parsed(String text) {
    return Email.parse(text)
        .orElseThrow(() -> new IllegalArgumentException(text + " is not an e-mail address"));
  }
}
