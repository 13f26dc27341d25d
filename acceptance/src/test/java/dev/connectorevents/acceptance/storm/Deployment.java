package dev.connectorevents.acceptance.storm;

import dev.connectorevents.acceptance.service.Product;
import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.acceptance.service.WorldClock;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.Role;
import java.time.Duration;
import java.util.Random;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;

/**
 * The service in a storm, with simulated faults of AWS. Its time runs {@value #SPEED} times as fast
 * as real time: a cache entry of 5 s expires after half a real second.
 */
final class Deployment implements AutoCloseable {

  private static final int SPEED = 10;

  private final CallHistory history;
  private final Weather weather;
  private final World world;
  private final Client client;
  private final SecretsManagerClient secrets;

  Deployment(long seed, Product product, CallHistory history) {
    this.history = history;
    weather = new Weather(seed);
    Random skews = new Random(seed);
    world =
        World.start(
            new Setup()
                .inProcess()
                .unrecorded()
                .logged(line -> {})
                .product(product)
                .clock(WorldClock.quick(SPEED))
                .skewed(() -> skew(skews)));
    world.fail(call -> weather.fault(call.name()));
    client = new Client(world::baseUrl, world.clock(), history);
    secrets = world.settings().secretsManagerClient();
  }

  /**
   * By how much the clock of one instance of a function is wrong. The clocks of any two instances
   * differ by less than {@link CallHistory#CLOCK_SKEW}.
   */
  private static Duration skew(Random skews) {
    int bound = (int) CallHistory.CLOCK_SKEW.dividedBy(2).toMillis();
    return Duration.ofMillis(skews.nextInt(1 - bound, bound));
  }

  Client client() {
    return client;
  }

  WorldClock time() {
    return world.clock();
  }

  Weather weather() {
    return weather;
  }

  DynamoDbClient dynamoDb() {
    return world.dynamoDb();
  }

  String eventsTable() {
    return world.name("EventsTable");
  }

  /** Creates a user, whatever calls to AWS fail. */
  Account create(String name, Role role) {
    String email = name + "@example.com";
    world.createUser(email, Account.PASSWORD, role);
    return new Account(world.users().find(new Email(email)).orElseThrow().id(), email, role);
  }

  /** Gives what was stored so far its position in the feed. Returns false if a call failed. */
  boolean number() {
    return world.number();
  }

  /** Tries once to rotate the signing key. A new key may have become the current one or not. */
  void rotateKey() {
    try {
      world.operator().rotate(secrets);
    } catch (SdkException e) {
      // The key before stays valid in both cases.
    }
  }

  void killAndRestart() {
    world.kill();
  }

  /** Sets the clocks of all functions forward or back, and records the jump. */
  void jump(Duration by) {
    Stopwatch watch = Stopwatch.start(time());
    time().jump(by);
    history.addJump(watch.stop());
  }

  @Override
  public void close() {
    client.close();
    secrets.close();
    world.close();
  }
}
