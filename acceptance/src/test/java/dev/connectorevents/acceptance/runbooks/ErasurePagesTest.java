package dev.connectorevents.acceptance.runbooks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.runbooks.ShopifyPayloads.Person;
import dev.connectorevents.acceptance.runbooks.ShopifyPayloads.Webhook;
import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.acceptance.service.WorldClock;
import dev.connectorevents.emulator.CommandOnPath;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the commands of docs/privacy.md for Shopify's three privacy webhooks, and those of "Erase
 * events" in docs/operating.md. An erasure waits 10 s and more, until it can find all events: where
 * a command sleeps, the service's time passes instead.
 *
 * <p>Slow: each command of a page is a shell that starts Python, curl or jq, as an operator's is.
 */
@Order(1)
@SuppressWarnings("NullAway.Init")
class ErasurePagesTest {

  private static final Path PAGE = Path.of("../docs/privacy.md");
  private static final String SHOP = "example.myshopify.com";
  private static final String CLOSED_SHOP = "closed.myshopify.com";

  /** Other shops than that of the commands, whose events they erase. */
  private static final String SHOP_OF_EACH_TOPIC = "topics.myshopify.com";

  private static final String SHOP_OF_WRAPPED = "wrapped.myshopify.com";

  private static final Person ZOE =
      new Person(
          "Zoë", "207119551", "Zoe@Example.com", "+15556251199", "299938", "Z2NwLWV1cm9wZS13ZXN0");

  @AutoClose
  private static final World service =
      World.start(new Setup().clock(WorldClock.standing())).numbering();

  @TempDir private Path folder;
  @AutoClose private SkippedSleeps sleeps;
  private String token;
  private String consumerToken;

  @BeforeEach
  void start() throws IOException {
    sleeps = new SkippedSleeps(folder, service.clock());
    token = service.client().token();
    consumerToken = service.operator().consumerToken();
  }

  @Test
  @Promise("This is where the payloads name the person")
  void the_commands_list_and_erase_what_shopify_asks_for() throws Exception {
    assumeTools();
    String cart = "Z2NwLWV1cm9wZS13ZXN0";
    List<String> zoes =
        store(
            SHOP,
            List.of(
                new Webhook("orders/create", "{\"id\":299938,\"cart_token\":\"" + cart + "\"}"),
                new Webhook("carts/update", "{\"token\":\"" + cart + "\"}"),
                new Webhook("customers/update", "{\"id\":207119551}")));
    List<String> others = store(SHOP, List.of(new Webhook("customers/update", "{\"id\":5}")));
    List<String> closed = store(CLOSED_SHOP, List.of(new Webhook("carts/update", "{\"id\":1}")));

    assertThat(run("customers/data_request", definitions()).lines())
        .hasSameSizeAs(zoes)
        .noneMatch(payload -> payload.contains("\"id\":5"));

    assertThat(run("customers/redact", "").lines())
        .containsOnlyOnce("\"cart_token\":\"" + cart + "\"");
    assertThat(statuses(zoes)).containsOnly(410);
    assertThat(statuses(closed)).containsOnly(200);

    run("shop/redact", "");
    assertThat(statuses(closed)).containsOnly(410);
    assertThat(statuses(others)).containsOnly(200);
  }

  @Test
  @Tag("nightly")
  void the_erasures_find_the_events_of_each_topic() throws Exception {
    assumeTools();
    List<String> zoes = store(SHOP_OF_EACH_TOPIC, ShopifyPayloads.of(ZOE));
    zoes.addAll(
        store(
            SHOP_OF_EACH_TOPIC,
            List.of(
                new Webhook("customers/update", "{\"id\":\"207119551\"}"),
                new Webhook("orders/updated", "{\"id\":\"280263\"}"))));
    store(
        SHOP_OF_EACH_TOPIC,
        ShopifyPayloads.of(new Person("Bob", "5", "bob@example.com", "+15550000000", "6", "Ym9i")));
    store("other.example.com", ShopifyPayloads.of(ZOE));
    store(SHOP_OF_EACH_TOPIC, wrapped(ShopifyPayloads.of(ZOE)));

    assertThat(bash(erasures(SHOP_OF_EACH_TOPIC), "found").lines())
        .containsExactlyInAnyOrderElementsOf(zoes);
  }

  /** By day, only the test of the table checks {@code $IN}: each pointer begins with it. */
  @Test
  @Tag("nightly")
  void the_erasures_find_what_the_connector_has_wrapped() throws Exception {
    assumeTools();
    store(SHOP_OF_WRAPPED, ShopifyPayloads.of(ZOE));
    List<String> wrapped = store(SHOP_OF_WRAPPED, wrapped(ShopifyPayloads.of(ZOE)));

    assertThat(bash("IN=/payload\n" + erasures(SHOP_OF_WRAPPED), "wrapped").lines())
        .containsExactlyInAnyOrderElementsOf(wrapped);
  }

  private static String erasures(String shop) throws IOException {
    return definitions().replace(SHOP, shop) + "each_erasure --dry-run --allow-none | sort -u\n";
  }

  private static void assumeTools() throws IOException, InterruptedException {
    for (String command : List.of("bash", "curl", "python3")) {
      CommandOnPath.assumeWorks(command, "--version");
    }
  }

  @Test
  void the_table_has_the_topics_of_the_payloads_and_the_pointers_of_the_commands()
      throws IOException {
    List<String> rows =
        chapter("customers/redact").lines().filter(line -> line.startsWith("| `")).toList();
    Person anybody = new Person("name", "1", "address", "3", "2", "cart");

    assertThat(rows.stream().flatMap(row -> found("`([a-z_]+[/.][a-z_]+)`", row)))
        .containsExactlyInAnyOrderElementsOf(
            ShopifyPayloads.of(anybody).stream().map(Webhook::topic).collect(toSet()));
    assertThat(rows.stream().flatMap(row -> found("`(/[a-zA-Z_/]+)`", row)).collect(toSet()))
        .isEqualTo(found("--where\\S* \\$IN(/[^=]+)=", definitions()).collect(toSet()));
    assertThat(definitions()).doesNotContainPattern("--where\\S* (?!\\$IN/)");
  }

  private static Stream<String> found(String pattern, String text) {
    return Pattern.compile(pattern).matcher(text).results().map(match -> match.group(1));
  }

  @Test
  void the_operators_commands_list_and_erase_a_customers_events() throws Exception {
    CommandOnPath.assumeWorks("python3", "--version");
    String topic = "orders/create";
    String customer = "8"; // of no other test: these commands search the whole table
    List<String> customers =
        store(SHOP, List.of(new Webhook(topic, "{\"customer\":{\"id\":" + customer + "}}")));
    List<String> other = store(SHOP, List.of(new Webhook(topic, "{\"customer\":{\"id\":5}}")));
    Runbook page = Runbook.of(service, "Erase events", folder);
    List<String> commands =
        page.operatorCommands("erase").stream()
            .map(command -> command.replace("207119551", customer))
            .toList();

    String listed = page.run(sleeps.in(commands.getFirst()));
    String erased = page.run(sleeps.in(commands.getLast() + " --yes"));

    assertThat(listed).startsWith(customers.getFirst() + "\n1 event found.");
    assertThat(erased).contains("\n1 event erased.");
    assertThat(statuses(customers)).containsOnly(410);
    assertThat(statuses(other)).containsOnly(200);
  }

  /** Stores at most 100 webhooks of a shop, and returns their ids. */
  private List<String> store(String shop, List<Webhook> webhooks) {
    String meta = ",\"_meta\":{\"brand_id\":\"" + shop + "\"}}";
    String events =
        webhooks.stream()
            .map(webhook ->
                "{\"event_type\":\"shopify.%s\",\"payload\":%s}"
                    .formatted(webhook.topic(), webhook.payload().replaceFirst("}$", meta)))
            .collect(joining(","));
    List<String> ids = new ArrayList<>();
    service
        .client()
        .post("/api/webhook-events/batch", "{\"events\":[" + events + "]}", token)
        .body()
        .get("results")
        .forEach(result -> ids.add(result.at("/event/id").textValue()));
    assertThat(ids).hasSameSizeAs(webhooks).doesNotContainNull();
    service.clock().pass(Duration.ofSeconds(1)); // an erasure takes what was stored before it began
    return ids;
  }

  private static List<Webhook> wrapped(List<Webhook> webhooks) {
    return webhooks.stream()
        .map(webhook -> new Webhook(webhook.topic(), "{\"payload\":" + webhook.payload() + "}"))
        .toList();
  }

  private Stream<Integer> statuses(List<String> ids) {
    return ids.stream()
        .map(id -> service.client().get("/api/webhook-events/" + id, consumerToken).status());
  }

  /** What the page's commands for {@code customers/redact} define. */
  private static String definitions() throws IOException {
    String commands = commands("customers/redact");
    String end = "\n    done; }\n";
    return commands.substring(0, commands.indexOf(end) + end.length());
  }

  private static String commands(String webhook) throws IOException {
    return chapter(webhook).lines().filter(line -> line.startsWith("    ")).collect(joining("\n"))
        + "\n";
  }

  private static String chapter(String webhook) throws IOException {
    Matcher chapter =
        Pattern.compile("(?ms)^\\*\\*`" + webhook + "`\\*\\*.*?(?=^\\*\\*`|^## )")
            .matcher(Files.readString(PAGE));
    assertThat(chapter.find()).as(webhook).isTrue();
    return chapter.group();
  }

  /** Runs the page's commands for this webhook, and returns their output. They must succeed. */
  private String run(String webhook, String before) throws IOException, InterruptedException {
    String commands = before + commands(webhook).replace("> request-18.json", "");
    // The test of each topic searches by all of it. Each erasure here starts an operator's command.
    commands =
        commands
            .replaceFirst("ADDRESS=\\S+ PHONE=\\S+", "ADDRESS= PHONE=")
            .replace("299938 280263", "299938");
    if (webhook.equals("shop/redact")) {
      commands = commands.replace(SHOP, CLOSED_SHOP);
    }
    return bash(commands, webhook.replace('/', '-'));
  }

  private String bash(String commands, String file) throws IOException, InterruptedException {
    String port = " --port " + service.baseUrl().getPort();
    commands = commands.replace("operate/erase", "operate/erase" + port);
    Path output = folder.resolve(file);
    ProcessBuilder bash =
        CommandOnPath.of("bash", "-eo", "pipefail", "-c", sleeps.in(commands))
            .process()
            .directory(Path.of("..").toFile())
            .redirectOutput(output.toFile())
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectError(Redirect.INHERIT);
    bash.environment().putAll(Map.of("URL", service.baseUrl().toString(), "TOKEN", consumerToken));
    assertThat(bash.start().waitFor()).isZero();
    return Files.readString(output, UTF_8);
  }
}
