package dev.connectorevents.acceptance.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.local.ServedLocally;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Two providers, a connector for each, a gateway that loses answers, and the service. A webhook is
 * delivered once; only a backfill has it delivered again.
 */
final class WholeWay implements AutoCloseable {

  static final List<Provider> PROVIDERS = List.of(Provider.GITHUB, Provider.STRIPE);

  private static final String TOPIC = "push";
  private static final Map<String, String> LOGIN =
      Map.of(
          "CONNECTOR_API_EMAIL",
          "connector@example.com",
          "CONNECTOR_API_PASSWORD",
          "correct horse battery staple");

  /** The longest pause between two deliveries of a provider, in ms. */
  private static final int PACE = 60;

  /** The longest pause between two kills, in ms. */
  private static final int PEACE = 900;

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Path folder;
  private final Path data;
  private final Random random;
  private final StandInGitHub gitHub = new StandInGitHub(this::redeliver);
  private final StandInStripe stripe = new StandInStripe();
  private final UnreliableGateway gateway;
  private final Map<Provider, ExampleConnector> connectors = new EnumMap<>(Provider.class);
  private final Map<Provider, Map<String, String>> payloads =
      Map.of(
          Provider.GITHUB, new ConcurrentHashMap<>(), Provider.STRIPE, new ConcurrentHashMap<>());
  private final AtomicInteger failures = new AtomicInteger();
  private final AtomicInteger backfilled = new AtomicInteger();
  private volatile boolean isDelivering = true;
  private ServedLocally service;

  WholeWay(Path folder, long seed) throws IOException {
    this.folder = folder;
    random = new Random(seed);
    data = Files.createTempDirectory(folder, "data");
    service = ServedLocally.startWith(data, LOGIN);
    gateway = new UnreliableGateway(service.url());
    for (Provider provider : PROVIDERS) {
      start(provider);
    }
  }

  private void start(Provider provider) throws IOException {
    Map<String, String> settings = new HashMap<>(LOGIN);
    settings.put("PROVIDER", provider.source());
    settings.put("OUTBOX", data.resolve(provider.source()).toString());
    ExampleConnector connector =
        new ExampleConnector(ExampleConnector.WITH_OUTBOX, gateway.endpoint(), settings);
    synchronized (connectors) {
      connectors.put(provider, connector);
    }
  }

  /** Delivers webhooks while connectors are killed and backfills run. */
  void deliver(int deliveries, int kills) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(PROVIDERS.size() + 2)) {
      List<Future<?>> providers = new ArrayList<>();
      for (Provider provider : PROVIDERS) {
        long seed = random.nextLong();
        providers.add(
            threads.submit(
                () -> deliver(provider, deliveries / PROVIDERS.size(), new Random(seed))));
      }
      Future<?> killer = threads.submit(() -> kill(kills));
      Future<?> backfills = threads.submit(this::backfillWhileDelivering);
      try {
        killer.get();
        for (Future<?> provider : providers) {
          provider.get();
        }
      } finally {
        isDelivering = false;
      }
      backfills.get();
    }
  }

  private Void deliver(Provider provider, int count, Random draw) throws Exception {
    for (int i = 0; i < count; i++) {
      String id = (provider == Provider.STRIPE ? "evt_" : "") + new UUID(draw.nextLong(), i);
      payloads.get(provider).put(id, payload(id, i, draw));
      int status = deliver(provider, id);
      failures.addAndGet(status == 200 ? 0 : 1);
      if (provider == Provider.GITHUB) {
        gitHub.delivered(id, TOPIC, Duration.ZERO, status);
      } else {
        stripe.created(id, TOPIC, Duration.ZERO);
      }
      Thread.sleep(draw.nextInt(PACE));
    }
    return null;
  }

  private static String payload(String id, int number, Random draw) {
    String more =
        switch (number % 4) {
          case 0 -> "\"total\":1.0,\"huge\":1E400";
          case 1 -> "\r\n\t\"name\" : \"Zo\\u00eb, Zoë 😀 } \\\"\"";
          case 2 -> "\"n\":1,\"n\":0.1234567890123456789012345678901";
          default -> "\"text\":\"" + "x".repeat(draw.nextInt(30_000)) + "\"";
        };
    return "{ \"id\":\"" + id + "\", \"type\":\"" + TOPIC + "\"," + more + "}";
  }

  /** Delivers a webhook once. Returns the status of the answer; 0 means that none came. */
  private int deliver(Provider provider, String id) {
    ExampleConnector connector;
    synchronized (connectors) {
      connector = connectors.get(provider);
    }
    try {
      return connector.deliver(provider, TOPIC, id, payloads.get(provider).get(id));
    } catch (IOException e) {
      return 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private int redeliver(String guid) {
    backfilled.incrementAndGet();
    return deliver(Provider.GITHUB, guid);
  }

  /** Kills connectors. After every fourth kill, restarts the service or makes it fail. */
  private Void kill(int kills) throws Exception {
    for (int kill = 1; kill <= kills; kill++) {
      Thread.sleep(random.nextInt(PEACE));
      Provider provider = PROVIDERS.get(random.nextInt(PROVIDERS.size()));
      ExampleConnector killed;
      synchronized (connectors) {
        killed = connectors.get(provider);
      }
      killed.kill();
      Thread.sleep(random.nextInt(PEACE));
      start(provider);
      killed.close();
      switch (kill % 8) {
        case 4 -> {
          service.close();
          service = ServedLocally.startWith(data, LOGIN);
          gateway.forwardTo(service.url());
        }
        case 0 -> {
          gateway.busy(true);
          Thread.sleep(PEACE);
          gateway.busy(false);
        }
        default -> {}
      }
    }
    return null;
  }

  private Void backfillWhileDelivering() throws Exception {
    while (isDelivering) {
      backfill();
      Thread.sleep(PEACE);
    }
    return null;
  }

  /** Runs backfills until they find nothing missing. */
  void backfillUntilNothingIsMissing() throws Exception {
    Instant deadline = Instant.now().plus(PATIENCE);
    while (backfill() > 0) {
      assertThat(Instant.now()).as("something stays missing").isBefore(deadline);
      Thread.sleep(200);
    }
  }

  /** Runs both backfills once. Returns how many events were missing, or 1 if that is unknown. */
  private int backfill() throws IOException, InterruptedException {
    BackfillRun forGitHub =
        backfill("backfill_github.py", "--tries", "1000", "repo", "octo/hub", "7");
    BackfillRun forStripe = backfill("backfill_stripe.py");
    for (String id : forStripe.output()) { // as `stripe events resend` does
      backfilled.incrementAndGet();
      deliver(Provider.STRIPE, id);
    }
    boolean isComplete = forGitHub.exitCode() == 0 && forStripe.exitCode() == 0;
    return isComplete ? 0 : Math.max(1, forGitHub.output().size() + forStripe.output().size());
  }

  private BackfillRun backfill(String script, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("python3", "../examples/" + script));
    command.addAll(List.of(arguments));
    Map<String, String> settings = new HashMap<>(LOGIN);
    settings.put("CONNECTOR_API_URL", gateway.endpoint().toString());
    settings.put("GITHUB_API_URL", gitHub.endpoint().toString());
    settings.put("GITHUB_TOKEN", StandInGitHub.TOKEN);
    settings.put("STRIPE_API_URL", stripe.endpoint().toString());
    settings.put("STRIPE_API_KEY", StandInStripe.KEY);
    settings.put("PAUSE", "0.1");
    settings.put("YOUNG", "1");
    return BackfillRun.of(new ProcessBuilder(command), settings, folder);
  }

  /** What the provider sent. */
  Collection<String> delivered(Provider provider) {
    return payloads.get(provider).values();
  }

  /** The payloads in the table, without the {@code _meta} that the connector appended. */
  List<String> stored(Provider provider) {
    return StoredWebhook.all(service.service(), provider.source() + "." + TOPIC).stream()
        .map(StoredWebhook::payload)
        .toList();
  }

  /** How many first deliveries got no 2xx. */
  int failures() {
    return failures.get();
  }

  /** How many deliveries the backfills caused. */
  int backfilled() {
    return backfilled.get();
  }

  @Override
  public void close() {
    try {
      for (ExampleConnector connector : connectors.values()) {
        connector.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      gateway.close();
      gitHub.close();
      stripe.close();
      service.close();
    }
  }
}
