package dev.connectorevents.acceptance.search;

import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.PasswordHash;
import dev.connectorevents.user.Role;
import dev.connectorevents.user.User;
import dev.connectorevents.user.UserState;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;

/** Creates the users of a deployment, and gives them scopes. */
record Accounts(World world, Client client) {

  private static final int BCRYPT_COST = 4;

  /**
   * Creates a user without a scope. Writes directly to the table, where no simulated fault of AWS
   * can prevent it.
   */
  Account create(String name, Role role) {
    Instant created = world.clock().now().truncatedTo(ChronoUnit.SECONDS);
    Account account = new Account(UUID.randomUUID(), name + "@example.com", role, Account.PASSWORD);
    world
        .users()
        .create(
            new User(
                account.id(),
                new Email(account.email()),
                null,
                UserState.ACTIVE,
                role,
                null,
                created,
                created),
            PasswordHash.of(account.password(), BCRYPT_COST));
    return account;
  }

  /**
   * Gives each account a scope, through the service. Call this only while no calls to AWS fail.
   *
   * @throws IllegalStateException if an account does not get the scope
   */
  void give(GivenScope scope, List<Account> accounts) {
    for (Account each : accounts) {
      if (!client.give(each, scope)) {
        throw new IllegalStateException("cannot give a scope to " + each.email());
      }
    }
  }
}
