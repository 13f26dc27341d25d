package dev.connectorevents.local;

import dev.connectorevents.token.RandomText;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.PasswordHash;
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

/** Sees to it that somebody can log in, as the service's two environment variables say. */
record FirstUser(Users users, int bcryptCost, CredentialsFile file) {
  private static final String EMAIL = "CONNECTOR_API_EMAIL";
  private static final String PASSWORD = "CONNECTOR_API_PASSWORD";
  private static final int PASSWORD_LENGTH = 32;

  /**
   * The user there is now.
   *
   * @param password empty when it is not known here
   * @param remark what the user should be told besides
   */
  record Credentials(Email email, Optional<String> password, Optional<String> remark) {}

  /**
   * Finds the user, or creates it.
   *
   * @throws IllegalArgumentException when a variable holds no e-mail address or no usable password
   */
  Credentials ensure(Map<String, String> environment) throws IOException {
    var kept = file.read();
    var given = Optional.ofNullable(environment.get(PASSWORD)).filter(text -> !text.isEmpty());
    var email =
        Optional.ofNullable(environment.get(EMAIL))
            .filter(text -> !text.isEmpty())
            .map(FirstUser::parsed)
            .or(() -> kept.map(CredentialsFile.Kept::email).map(FirstUser::parsed))
            .orElseGet(() -> parsed("connector@example.com"));
    var user = users.findWithHash(email);
    return user.isPresent() ? existing(user.get(), given, kept) : created(email, given, kept);
  }

  private static Credentials existing(
      UserWithHash user, Optional<String> given, Optional<CredentialsFile.Kept> kept) {
    var email = user.user().email();
    var known =
        kept.filter(each -> each.email().equals(email.value()))
            .map(CredentialsFile.Kept::password)
            .filter(user.passwordHash()::matches);
    if (given.isEmpty()) {
      return new Credentials(email, known, Optional.empty());
    }
    return user.passwordHash().matches(given.get())
        ? new Credentials(email, given, Optional.empty())
        : new Credentials(
            email,
            known,
            Optional.of(PASSWORD + " is not this user's stored password, which stays as it is"));
  }

  private Credentials created(
      Email email, Optional<String> given, Optional<CredentialsFile.Kept> kept) throws IOException {
    var password =
        given
            .or(() ->
                kept.filter(each -> each.email().equals(email.value()))
                    .map(CredentialsFile.Kept::password))
            .orElseGet(() -> RandomText.of(PASSWORD_LENGTH, new SecureRandom()));
    if (given.isEmpty()) {
      // Before the user: a user whose password nobody knows would be of no use.
      file.write(new CredentialsFile.Kept(email.value(), password));
    }
    var now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    var hash = PasswordHash.of(password, bcryptCost);
    users.create(new User(UUID.randomUUID(), email, null, UserState.ACTIVE, now, now), hash);
    return new Credentials(email, Optional.of(password), Optional.empty());
  }

  private static Email parsed(String text) {
    return Email.parse(text)
        .orElseThrow(() -> new IllegalArgumentException(text + " is not an e-mail address"));
  }
}
