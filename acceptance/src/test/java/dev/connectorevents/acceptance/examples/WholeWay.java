package dev.connectorevents.acceptance.examples;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.emulator.http.HttpAnswer;
import dev.connectorevents.local.ServedLocally;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Two providers, a connector for each, a gateway that loses answers, the service, and a consumer. A
 * provider delivers a webhook once. {@code complete.py} asks GitHub for another delivery, and takes
 * Stripe's events from its list.
 */
final class WholeWay implements AutoCloseable {

  /** Tells a provider's API of a delivery and of the status that it got. */
  private interface DeliveryLog {
    void add(String id, int status);
  }

  /** A provider, its webhooks, and the connector that receives them. */
  final class Channel {

    final Provider provider;
    private final DeliveryLog log;
    private final Map<String, String> payloads = new ConcurrentHashMap<>();
    private volatile ExampleConnector connector;

    private Channel(Provider provider, DeliveryLog log) throws IOException, InterruptedException {
      this.provider = provider;
      this.log = log;
      this.connector = startConnector();
    }

    private ExampleConnector startConnector() throws IOException, InterruptedException {
      Map<String, String> settings = new HashMap<>(LOGIN);
      settings.put("PROVIDER", provider.source());
      settings.put("OUTBOX", folder.resolve(provider.source()).toString());
      return new ExampleConnector(gateway.endpoint(), settings);
    }

    /** Delivers a webhook once. Returns the status of the answer; 0 means that no answer came. */
    private int deliver(String id) {
      try {
        return connector.deliver(provider, TOPIC, id, requireNonNull(payloads.get(id)));
      } catch (IOException e) {
        return 0;
      }
    }

    /** The beginning of the signal that the provider's webhooks make. */
    private String signal() {
      return BRAND + " " + provider.source() + "." + TOPIC + " " + payloads.size() + " ";
    }

    /** The payloads that the provider sent. */
    Collection<String> delivered() {
      return payloads.values();
    }

    /** The provider's stored payloads, without the {@code _meta} that the connector appended. */
    List<String> stored() {
      return StoredWebhook.payloads(service, provider.source() + "." + TOPIC);
    }
  }

  private static final String TOPIC = "push";

  /** Whose all webhooks are: a repository's, and an account's. */
  private static final String BRAND = "octo/hub";

  private static final Map<String, String> LOGIN =
      Map.of("CONNECTOR_API_EMAIL", World.EMAIL, "CONNECTOR_API_PASSWORD", World.PASSWORD);

  private static final HttpAnswer BUSY =
      HttpAnswer.json(503, "{\"message\":\"Busy\"}").with("Retry-After", "9");

  /** The longest pause between two deliveries of a provider, in ms. */
  private static final int DELIVERY_PAUSE = 60;

  /**
   * The longest pause before a kill, and before the start that follows it, in ms. Also how long the
   * service fails.
   */
  private static final int KILL_PAUSE = 900;

  /** How much longer than the one before a consumer lives until it is killed, in ms. */
  private static final int LONGER_LIFE = 100;

  /** The pause between two runs of {@code complete.py}, in ms. */
  private static final int COMPLETION_PAUSE = 3_000;

  /** How old a delivery is before {@code complete.py} looks for its event, in s. */
  private static final int MARGIN = 1;

  /** {@code complete.py} asks again after as long as it has asked in vain: as the kills last. */
  private static final Duration PATIENCE = Duration.ofMinutes(15);

  private final Path folder;
  private final Random random;
  private final World service = World.start();
  private final UnreliableGateway gateway = new UnreliableGateway(service::baseUrl);
  private final StandInGitHub gitHub = new StandInGitHub(this::redeliver);
  private final StandInStripe stripe = new StandInStripe();
  private final Channel fromGitHub;
  private final Channel fromStripe;
  private final AtomicInteger failures = new AtomicInteger();
  private final AtomicInteger brought = new AtomicInteger();
  private final Instant begin = Instant.now();
  private volatile boolean isDelivering = true;
  private volatile String incomplete = ""; // what complete.py last said of it

  WholeWay(Path folder, long seed) throws IOException, InterruptedException {
    this.folder = folder;
    random = new Random(seed);
    fromGitHub = new Channel(Provider.GITHUB, (id, status) -> gitHub.delivered(id, TOPIC, status));
    fromStripe = new Channel(Provider.STRIPE, this::listAtStripe);
  }

  private void listAtStripe(String id, int status) {
    String payload = requireNonNull(fromStripe.payloads.get(id));
    stripe.created(id, payload, ServedLocally.read(payload).get("created").longValue());
  }

  List<Channel> channels() {
    return List.of(fromGitHub, fromStripe);
  }

  /** Delivers webhooks while connectors are killed and {@code complete.py} runs. */
  void deliver(int deliveries, int kills) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(channels().size() + 2)) {
      List<Future<?>> providers = new ArrayList<>();
      for (Channel channel : channels()) {
        long seed = random.nextLong();
        providers.add(
            threads.submit(
                () -> deliver(channel, deliveries / channels().size(), new Random(seed))));
      }
      Future<?> killer = threads.submit(() -> kill(kills));
      Future<?> completion = threads.submit(this::completeWhileDelivering);
      try {
        killer.get();
        for (Future<?> provider : providers) {
          provider.get();
        }
      } finally {
        isDelivering = false;
      }
      completion.get();
    }
  }

  private Void deliver(Channel channel, int count, Random draw) throws Exception {
    for (int i = 0; i < count; i++) {
      String id = channel.provider.source() + "_" + new UUID(draw.nextLong(), i);
      channel.payloads.put(id, payload(id, i, draw));
      int status = channel.deliver(id);
      failures.addAndGet(status == 200 ? 0 : 1);
      channel.log.add(id, status);
      Thread.sleep(draw.nextInt(DELIVERY_PAUSE));
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
    String brand =
        "\"account\":\"" + BRAND + "\",\"repository\":{\"full_name\":\"" + BRAND + "\"},";
    String created = "\"created\":" + Instant.now().getEpochSecond() + ",";
    return "{ \"id\":\"" + id + "\", \"type\":\"" + TOPIC + "\"," + created + brand + more + "}";
  }

  private int redeliver(String guid) {
    return fromGitHub.deliver(guid);
  }

  /**
   * Kills connectors and starts them again. After every fourth kill, restarts the service or makes
   * it fail.
   */
  private Void kill(int kills) throws Exception {
    for (int kill = 1; kill <= kills; kill++) {
      Thread.sleep(random.nextInt(KILL_PAUSE));
      Channel channel = channels().get(random.nextInt(channels().size()));
      ExampleConnector killed = channel.connector;
      killed.kill();
      Thread.sleep(random.nextInt(KILL_PAUSE));
      channel.connector = channel.startConnector();
      killed.close();
      switch (kill % 8) {
        case 4 -> service.kill();
        case 0 -> {
          gateway.answer(UnreliableGateway.EVENTS, BUSY);
          Thread.sleep(KILL_PAUSE);
          gateway.forwardAll();
        }
        default -> {}
      }
    }
    return null;
  }

  private Void completeWhileDelivering() throws Exception {
    while (isDelivering) {
      complete();
      Thread.sleep(COMPLETION_PAUSE);
    }
    return null;
  }

  /** Runs {@code complete.py} until it finds nothing missing of all deliveries so far. */
  void completeUntilNothingIsMissing() throws Exception {
    Instant deadline = Instant.now().plus(PATIENCE);
    do {
      assertThat(Instant.now()).as("something stays missing: %s", incomplete).isBefore(deadline);
      Thread.sleep(Duration.ofSeconds(MARGIN + 2)); // times have whole seconds
    } while (!complete());
  }

  /** Runs it once for each provider, and returns whether nothing was missing. */
  private boolean complete() throws IOException, InterruptedException {
    boolean isGitHubComplete = complete(Provider.GITHUB, gitHub.settings());
    return complete(Provider.STRIPE, stripe.settings()) && isGitHubComplete;
  }

  private boolean complete(Provider provider, Map<String, String> api)
      throws IOException, InterruptedException {
    String place = folder.resolve(provider.source() + ".place").toString();
    List<String> words = new ArrayList<>(List.of("complete.py", place));
    if (!Files.exists(Path.of(place))) {
      words.addAll(List.of("--since", begin.minusSeconds(1).toString()));
    }
    Map<String, String> settings = new HashMap<>(LOGIN);
    settings.put("CONNECTOR_API_URL", gateway.endpoint().toString());
    settings.put("PROVIDER", provider.source());
    settings.putAll(api);
    settings.put("PAUSE", "0.1");
    settings.put("MARGIN", Integer.toString(MARGIN));
    ScriptRun run = ScriptRun.of(Examples.command(words), settings, folder);
    assertThat(run.errors()).noneMatch(line -> line.startsWith("Traceback"));
    JsonNode line = ServedLocally.read(run.output().getLast());
    brought.addAndGet(line.get("stored").intValue());
    boolean isComplete = run.exitCode() == 0 && line.get("missing").intValue() == 0;
    incomplete = isComplete ? incomplete : line.toString();
    return isComplete;
  }

  /**
   * Kills a consumer again and again, until its signals have all deliveries. Returns the signals.
   * Each time it has longer until it is killed, so that it finishes a page on a slow machine too.
   */
  List<String> signals() throws Exception {
    service.number();
    String token = service.operator().consumerToken();
    Consumer consumer =
        new Consumer(
            folder.resolve("signals.db"),
            Map.of(
                "API_URL", gateway.endpoint().toString(), "CONSUMER_TOKEN", token, "PAUSE", "0.1"));
    Instant deadline = Instant.now().plus(PATIENCE);
    List<String> signals = List.of();
    int life = 500;
    while (signals.size() < channels().size() || !haveAll(signals)) {
      assertThat(Instant.now()).as("%s", signals).isBefore(deadline);
      Process process = consumer.start();
      process.waitFor(life + random.nextInt(KILL_PAUSE), TimeUnit.MILLISECONDS);
      life += LONGER_LIFE;
      process.destroyForcibly().waitFor();
      signals = consumer.signals();
    }
    return signals;
  }

  private boolean haveAll(List<String> signals) {
    return channels().stream()
        .allMatch(channel -> signals.stream().anyMatch(each -> each.startsWith(channel.signal())));
  }

  /** How many first deliveries got no 2xx. */
  int failures() {
    return failures.get();
  }

  /** How many events {@code complete.py} has brought. */
  int brought() {
    return brought.get();
  }

  @Override
  public void close() {
    try {
      for (Channel channel : channels()) {
        channel.connector.close();
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
