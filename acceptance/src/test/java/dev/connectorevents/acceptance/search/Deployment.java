package dev.connectorevents.acceptance.search;

import dev.connectorevents.acceptance.service.Product;
import dev.connectorevents.acceptance.service.RunningService;
import dev.connectorevents.emulator.EmulatorOptions;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.emulator.template.Template;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The service with its stores, its clocks and simulated faults of AWS. The search can kill and
 * restart the service, and set the clocks forward or back.
 */
final class Deployment implements AutoCloseable {

  private final Product product;
  private final CallHistory history;
  private final ServiceTime time = new ServiceTime();
  private final Weather weather;
  private final Random skews;
  private final Template template;
  private final Stores stores;
  private final Client client;
  private final Accounts accounts;
  private final KeyRotator keyRotator;
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
    service = start();
    client = new Client(this::endpoint, time, history);
    stores.enableRotation((function, event) ->
        client.invoke(function, event).isPresent() ? Optional.empty() : Optional.of("no answer"));
    accounts = new Accounts(stores, client, time);
    keyRotator = new KeyRotator(stores.settings().secretsManagerClient(), history, time);
  }

  private ServiceProcess start() throws IOException {
    return new ServiceProcess(template, stores, product, weather::fault, this::clock, time);
  }

  /**
   * Makes the clock of one instance of a function. The clocks of any two instances differ by less
   * than {@link CallHistory#CLOCK_SKEW}.
   */
  private synchronized Clock clock() {
    int bound = (int) CallHistory.CLOCK_SKEW.dividedBy(2).toMillis();
    return time.clock(Duration.ofMillis(skews.nextInt(1 - bound, bound)));
  }

  private URI endpoint() {
    return service.endpoint();
  }

  Client client() {
    return client;
  }

  Accounts accounts() {
    return accounts;
  }

  KeyRotator keyRotator() {
    return keyRotator;
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

  /**
   * Kills the service, and starts it again. After this, no call that the killed service began can
   * reach AWS.
   */
  void killAndRestart() {
    service.kill();
    try {
      service = start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sets the clocks of all functions forward or back, and records the jump. */
  void jump(Duration by) {
    ServiceTime.Stopwatch watch = time.start();
    time.jump(by);
    history.addJump(watch.stop());
  }

  @Override
  public void close() {
    service.kill();
    client.close();
    keyRotator.close();
    stores.close();
  }
}
