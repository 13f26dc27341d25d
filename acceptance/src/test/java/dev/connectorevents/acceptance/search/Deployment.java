package dev.connectorevents.acceptance.search;

import dev.connectorevents.acceptance.service.Product;
import dev.connectorevents.acceptance.service.RunningService;
import dev.connectorevents.dynamodb.DynamoUsers;
import dev.connectorevents.emulator.EmulatorOptions;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.emulator.template.Template;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.PasswordHash;
import dev.connectorevents.user.Role;
import dev.connectorevents.user.User;
import dev.connectorevents.user.UserState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;

/**
 * The service with its stores and its clocks. It can restart, rotate its key and set its clocks.
 */
final class Deployment implements AutoCloseable {

  private static final int ROTATION_ATTEMPTS = 4;

  private final Product product;
  private final CallHistory history;
  private final ServiceTime time = new ServiceTime();
  private final Weather weather;
  private final Random skews;
  private final Template template;
  private final Stores stores;
  private final SecretsManagerClient secrets;
  private final Client client;
  private volatile ServiceProcess service;

  Deployment(long seed, Product product, CallHistory history) throws IOException {
    this.product = product;
    this.history = history;
    weather = new Weather(seed);
    skews = new Random(seed);
    EmulatorOptions options =
        new EmulatorOptions(
            RunningService.TEMPLATE, 0, Optional.empty(), Map.of("BcryptCost", "10"));
    template = Template.read(options.template(), options.parameters(), "");
    stores = Stores.start(options);
    secrets = SecretsManagerClient.create();
    service = start();
    client = new Client(this::endpoint, time, history);
    stores.rotate((function, event) ->
        client.invoke(function, event).isPresent() ? Optional.empty() : Optional.of("no answer"));
  }

  private ServiceProcess start() throws IOException {
    return new ServiceProcess(template, stores, product, weather::fault, this::clock, time);
  }

  /** The clocks of two functions differ by less than {@link CallHistory#CLOCK_SKEW}. */
  private synchronized Clock clock() {
    return time.clock(Duration.ofMillis(skews.nextInt(-999, 1_000)));
  }

  private URI endpoint() {
    return service.endpoint();
  }

  Client client() {
    return client;
  }

  ServiceTime time() {
    return time;
  }

  Weather weather() {
    return weather;
  }

  DynamoDbClient dynamoDb() {
    return stores.dynamoDb();
  }

  String eventsTable() {
    return stores.name("EventsTable");
  }

  Account create(String name, Role role) {
    Instant created = time.now().truncatedTo(ChronoUnit.SECONDS);
    Account account = new Account(UUID.randomUUID(), name + "@example.com", role, Account.PASSWORD);
    new DynamoUsers(stores.dynamoDb(), stores.name("UsersTable"))
        .create(
            new User(
                account.id(),
                new Email(account.email()),
                null,
                UserState.ACTIVE,
                role,
                created,
                created),
            PasswordHash.of(account.password(), 4));
    return account;
  }

  /** Gives the accounts a scope while no call to AWS fails. */
  void give(GivenScope scope, List<Account> accounts) {
    for (Account each : accounts) {
      if (!client.give(each, scope)) {
        throw new IllegalStateException("cannot give a scope to " + each.email());
      }
    }
  }

  void restart() {
    service.kill();
    try {
      service = start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sets all clocks forward or back. */
  void jump(Duration by) {
    ServiceTime.Stopwatch watch = time.start();
    time.jump(by);
    history.addJump(watch.stop());
  }

  /**
   * Rotates the signing key, in up to {@value #ROTATION_ATTEMPTS} attempts. An attempt that fails
   * may still have made a new key the current one.
   *
   * @return whether an attempt succeeded
   */
  boolean rotate() {
    boolean isDone = false;
    for (int attempt = 0; attempt < ROTATION_ATTEMPTS && !isDone; attempt++) {
      ServiceTime.Stopwatch watch = time.start();
      try {
        secrets.rotateSecret(it -> it.secretId("SigningKeySecret"));
        isDone = true;
      } catch (SdkException e) {
        // The next attempt continues this rotation, or begins another.
      }
      history.add(new CallHistory.Rotation(watch.stop(), isDone, kid()));
    }
    return isDone;
  }

  /** The id of the current key. */
  private String kid() {
    return secrets.getSecretValue(it -> it.secretId("SigningKeySecret")).versionId();
  }

  @Override
  public void close() {
    service.kill();
    client.close();
    secrets.close();
    stores.close();
  }
}
