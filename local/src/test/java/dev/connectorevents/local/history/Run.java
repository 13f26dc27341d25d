package dev.connectorevents.local.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.dynamodb.DynamoUsers;
import dev.connectorevents.emulator.EmulatorOptions;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.emulator.template.Template;
import dev.connectorevents.functions.wiring.Sleep;
import dev.connectorevents.local.Mistake;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.PasswordHash;
import dev.connectorevents.user.Role;
import dev.connectorevents.user.User;
import dev.connectorevents.user.UserState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;

/**
 * Runs the service under load while a nemesis breaks its dependencies, and then looks for
 * violations.
 *
 * <p>The seed decides what each worker tries. The outcome also depends on the threads.
 */
final class Run implements AutoCloseable {

  static final int FIRST_NUMBERS = 1_000_000;

  private final long seed;
  private final Product product;
  private final Stores stores;
  private final Template template;
  private final ServiceTime time = new ServiceTime();
  private final CallHistory history = new CallHistory();
  private final Weather weather;
  private final Random skews;
  private final AtomicInteger longest = new AtomicInteger();
  private final Client client;
  private final SecretsManagerClient secrets;
  private volatile ServiceProcess service;
  private volatile long end = Long.MAX_VALUE;

  Run(long seed, Product product) throws IOException {
    this.seed = seed;
    this.product = product;
    weather = new Weather(seed);
    skews = new Random(seed);
    EmulatorOptions options =
        new EmulatorOptions(Mistake.TEMPLATE, 0, Optional.empty(), Map.of("BcryptCost", "10"));
    template = Template.read(options.template(), options.parameters(), "");
    stores = Stores.start(options);
    secrets = SecretsManagerClient.create();
    service = start();
    client = new Client(() -> service.endpoint(), time, history);
    stores.rotate((function, event) ->
        client.invoke(function, event).isPresent() ? Optional.empty() : Optional.of("no answer"));
  }

  private ServiceProcess start() throws IOException {
    return new ServiceProcess(template, stores, product, weather::fault, this::clock, time);
  }

  /** Two of them differ by less than {@link CallHistory#CLOCK_SKEW}. */
  private synchronized Clock clock() {
    return time.clock(Duration.ofMillis(skews.nextInt(-999, 1_000)));
  }

  private void restart() {
    service.kill();
    try {
      service = start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void jump(Duration by) {
    Instant before = time.now();
    long start = System.nanoTime();
    time.jump(by);
    history.addJump(new Span(start, System.nanoTime(), before, time.now()));
  }

  /** Tries until it succeeds. An attempt that fails may have made a key current all the same. */
  private void rotate() {
    boolean isDone = false;
    for (int attempt = 0; attempt < 4 && !isDone && !isOver(); attempt++) {
      Instant before = time.now();
      long start = System.nanoTime();
      try {
        secrets.rotateSecret(it -> it.secretId("SigningKeySecret"));
        isDone = true;
      } catch (SdkException e) {
        // The next attempt continues this one, or begins another.
      }
      history.add(
          new CallHistory.Rotation(new Span(start, System.nanoTime(), before, time.now()), isDone));
    }
  }

  private boolean isOver() {
    return System.nanoTime() > end;
  }

  /**
   * Runs, and then looks for violations.
   *
   * @param length how long the nemesis is at work
   * @param steps most steps of each worker
   */
  List<Violation> violations(Duration length, int steps) throws InterruptedException {
    Account consumer = account("consumer", Role.CONSUMER);
    Account victim = account("victim", Role.CONNECTOR);
    Account spy = account("spy", Role.CONSUMER);
    List<Worker> workers = new ArrayList<>();
    List<Outbox> outboxes = new ArrayList<>();
    for (Account each :
        List.of(account("a", Role.CONNECTOR), account("b", Role.CONNECTOR), victim)) {
      Outbox outbox = new Outbox();
      outboxes.add(outbox);
      for (int i = 0; i < 2; i++) {
        workers.add(
            new Sender(
                client, each, outbox, random(workers), FIRST_NUMBERS * (workers.size() + 1)));
      }
    }
    workers.add(new Intruder(client, List.of(victim, spy), FIRST_NUMBERS * (workers.size() + 1)));
    workers.add(new ReadBackWorker(client, consumer, outboxes, random(workers)));
    workers.add(new Administrator(client, victim, this::rotate, random(workers)));
    workers.add(new Nemesis(weather, this::restart, this::jump, seed % 4 == 3, random(workers)));
    end = System.nanoTime() + length.toNanos();
    work(workers, steps);
    end = Long.MAX_VALUE;
    restart(); // no call of the past reaches the tables any more
    return judge(consumer);
  }

  private Random random(List<Worker> workers) {
    return new Random(seed * 31 + workers.size());
  }

  private void work(List<Worker> workers, int steps) throws InterruptedException {
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads =
        workers.stream()
            .map(worker ->
                Thread.ofVirtual()
                    .uncaughtExceptionHandler((thread, failure) -> failures.add(failure))
                    .start(() -> work(worker, steps)))
            .toList();
    waitForTheEnd(threads);
    weather.end();
    for (Thread each : threads) {
      each.join();
    }
    for (Throwable failure : failures) {
      throw new IllegalStateException("a worker of seed " + seed + " failed", failure);
    }
  }

  private void waitForTheEnd(List<Thread> threads) {
    while (!isOver() && threads.stream().anyMatch(Thread::isAlive)) {
      Sleep.of(Duration.ofMillis(20));
    }
  }

  private void work(Worker worker, int steps) {
    for (int i = 0; i < steps && !isOver(); i++) {
      worker.step();
      longest.accumulateAndGet(i + 1, Math::max);
    }
  }

  private List<Violation> judge(Account consumer) {
    if (!history.jumps().isEmpty()) {
      time.sleep(CallHistory.UNSETTLED);
    }
    probeTokens();
    if (seed % 2 == 0) {
      rotate();
      rotate();
      time.jump(Duration.ofMinutes(6));
      probeTokens();
    }
    if (seed % 4 == 1) {
      time.jump(Duration.ofHours(2)); // longer than a token of a login lives
      probeTokens();
    }
    List<TableRow> table = TableRow.all(stores.dynamoDb(), stores.name("EventsTable"));
    return Stream.of(
            TokenRules.violations(history),
            EventRules.violations(history, table),
            EventRules.ofParts(TableRow.strayParts(stores.dynamoDb(), stores.name("EventsTable"))),
            EventRules.ofList(list(consumer), table))
        .flatMap(List::stream)
        .toList();
  }

  /** Some of the tokens of the whole run, at a time when nothing fails. */
  private void probeTokens() {
    history.calls().stream()
        .flatMap(call -> call.token().stream())
        .distinct()
        .skip(seed % 5)
        .limit(30)
        .forEach(token -> {
          client.me(token);
          client.list(token, "brand_id=b0");
        });
  }

  private List<String> list(Account consumer) {
    Token token = client.login(consumer).orElseThrow();
    List<String> ids = new ArrayList<>();
    for (String type : Sender.TYPES) {
      String query = "event_type=" + type + "&limit=100";
      String page = query;
      while (!page.isEmpty()) {
        ClientCall call = client.list(token, page);
        JsonNode body = Client.json(call.body().getBytes(UTF_8));
        body.get("events").forEach(event -> ids.add(event.get("id").asText()));
        page = body.has("next") ? query + "&cursor=" + body.get("next").asText() : "";
      }
    }
    return ids;
  }

  private Account account(String name, Role role) {
    Instant created = time.now().truncatedTo(ChronoUnit.SECONDS);
    Account account = new Account(UUID.randomUUID(), name + "@example.com");
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
            PasswordHash.of(Account.PASSWORD, 4));
    return account;
  }

  /** The most that one worker made. */
  int steps() {
    return longest.get();
  }

  CallHistory history() {
    return history;
  }

  @Override
  public void close() {
    service.kill();
    client.close();
    secrets.close();
    stores.close();
  }
}
