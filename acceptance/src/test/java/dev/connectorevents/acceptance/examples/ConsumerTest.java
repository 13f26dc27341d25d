package dev.connectorevents.acceptance.examples;

import static dev.connectorevents.acceptance.examples.ConnectedService.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.Nightly;
import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.Texts;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.emulator.CommandOnPath;
import dev.connectorevents.emulator.http.HttpAnswer;
import dev.connectorevents.user.Role;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Follows the feed with {@code examples/consumer.py}, and compares its table of signals.
 *
 * <p>Slow: a consumer is a process, and each kill starts another one.
 */
@Order(1)
class ConsumerTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** So much random data that no page can have it. */
  private static final int BIG = 450_000;

  private record Stored(String brand, String type, String id, String createdAt) {}

  @AutoClose private static final World shared = World.start();

  /** Shared, unless a test needs a feed of its own. */
  private World service = shared;

  /** The provider of this test's events. Its consumer sees no others. */
  private final String own = "t" + UUID.randomUUID();

  private final String reader = own + "@example.com";

  @TempDir private Path folder;

  private String connector = "";
  private String token = "";

  @BeforeEach
  void logIn() throws Exception {
    CommandOnPath.assumeWorks("python3", "--version");
    connector = service.client().token();
    service.createUser(reader, World.PASSWORD, Role.CONSUMER);
    setScope(own + ".*");
    JsonNode issued = service.operator().manageUsers("issue-static-token", reader);
    token = issued.at("/token/access_token").asText();
  }

  @Test
  @Promise("nothing is lost or counted twice.")
  void a_kill_before_any_line_loses_nothing_and_counts_nothing_twice() throws Exception {
    Stored alone = store("alone", "a.x", "");
    Stored erased = store("acme", "a.x", "");
    Stored kept = store("acme", "a.x", "");
    service.number();
    Consumer before = consumer("before");
    assertThat(before.readAll().exitCode()).isZero();
    assertThat(before.signals()).isEqualTo(signals(alone, erased, kept));
    Stored large = store("acme", "a.x", Texts.noise(BIG));
    Stored other = store("acme", "a.y", "");
    post("{\"event_type\":\"" + own + ".x\",\"payload\":{}}"); // of no brand
    erase(alone, erased);
    service.number();

    Set<String> killedIn = new TreeSet<>();
    boolean isKilled = true;
    for (int line = 0; isKilled; line += Nightly.choose(31, 1)) {
      Consumer consumer = consumer("line-" + line);
      Files.copy(before.file(), consumer.file());
      ScriptRun killed = consumer.killedAt(line);
      isKilled = killed.exitCode() != 0;
      killedIn.addAll(killed.errors());

      assertThat(consumer.readAll().errors()).as("after %s", killed.errors()).isEmpty();
      assertThat(consumer.signals())
          .as("after %s", killed.errors())
          .isEqualTo(signals(kept, large, other));
    }
    assertThat(killedIn)
        .as("the functions in which it was killed")
        .allMatch(line -> line.startsWith("killed in "))
        .hasSizeGreaterThan(Nightly.choose(4, 10));
  }

  @Test
  @Promise("**`last_orders` is a signal of what payloads say**")
  void the_last_order_of_a_brand_is_the_one_with_the_greatest_version() throws Exception {
    // Of an order's event: the type, the version and what follows it, what changes in the payload,
    // and the last order if it is not the one before.
    String rows =
        """
        shopify.orders/updated | 2026-11-20T12:00:00.000000000Z                  | "a":1              | 2026-11-20T12:00:00.000000000Z 9.00 EUR
        shopify.orders/updated | 2026-11-20T12:00:00.000000000Z                  | "total_price":8.50 | 2026-11-20T12:00:00.000000000Z 8.50 EUR
        shopify.orders/updated | 2026-11-20T10:00:00.000000000Z                  | "a":1              |
        shop.orders/updated    | 2026-11-20T12:00:00.000000000Z                  | "a":1              |
        shopify.orders/delete  | 2026-11-20T12:00:00.000000000Z","deleted":"true | "a":1              |
        shopify.orders/updated |                                                 | "a":1              |
        shopify.orders/updated | 2026-11-20T12:00 é                              | "a":1              |
        shopify.orders/updated | 2026-11-20T12:00:00.0000000000000000000000000000000000000000000000 | "a":1 |
        shopify.orders/updated | 2026-11-20T12:00:00.000000000Z                  | "currency":null    |
        shopify.orders/updated | 2026-11-20T12:00:00.000000000Z                  | "total_price":null |
        shopify.orders/updated | 2026-11-20T12:00:00.000000000Z                  | "total_price":1e400 |
        shopify.orders/updated | 2026-11-20T12:00:00.000000000Z                  | "total_price":["9"] |
        shopify.orders/updated | 2026-11-20T12:00:00.000000000Z                  | "total_price":"123456789012345.123456789" |
        """;
    setScope("shopify.*", "shop.*");
    String before = "2026-11-20T11:00:00.000000000Z 1.00 EUR";
    Set<String> first = new TreeSet<>();
    Set<String> last = new TreeSet<>();
    List<Stored> changed = new ArrayList<>();
    for (String row : rows.lines().toList()) {
      String[] columns = row.split(" *\\| *", -1);
      String brand = "brand-" + changed.size();
      post(order(brand, "shopify.orders/create", 1, before.split(" ", -1)[0], "\"a\":0"));
      String id = post(order(brand, columns[0], 9, columns[1], columns[2])).path("id").asText();
      changed.add(new Stored(brand, columns[0], id, ""));
      first.add(brand + " " + before);
      last.add(brand + " " + (columns[3].isEmpty() ? before : columns[3]));
    }
    service.number();
    Consumer consumer = consumer("file");

    assertThat(consumer.readAll().errors()).isEmpty();
    assertThat(consumer.lastOrders()).containsExactlyInAnyOrderElementsOf(last);

    erase(changed.toArray(Stored[]::new));
    service.number();
    assertThat(consumer.readAll().errors()).isEmpty();
    assertThat(consumer.lastOrders()).containsExactlyInAnyOrderElementsOf(first);
  }

  /**
   * @param total also the order's number
   * @param version and what follows it in {@code _meta}
   * @param members replaces some of the others: of two members with one name, the last counts
   */
  private static String order(
      String brand, String type, int total, String version, String members) {
    return """
    {"event_type":"%s","payload":{"total_price":"%d.00","currency":"EUR",%s,\
    "_meta":{"brand_id":"%s","object":"shopify:Order:%2$d","version":"%s"}}}\
    """
        .formatted(type, total, members, brand, version);
  }

  @Test
  @Promise("**To share the work**, start several processes, each with a file")
  void shares_that_are_killed_have_together_each_event_once_and_a_brand_is_in_one()
      throws Exception {
    try (World numbering = World.start().numbering()) {
      use(numbering);
      Set<String> ids = ConcurrentHashMap.newKeySet();
      List<Consumer> four = shares(4);
      try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<?>> works = new ArrayList<>();
        for (Consumer share : four) {
          works.add(threads.submit(() -> kill(share, new Random(four.indexOf(share)))));
        }
        for (int writer = 0; writer < 4; writer++) {
          String brand = "brand-" + writer + "-";
          works.add(threads.submit(() -> write(brand, ids)));
        }
        for (Future<?> work : works) {
          work.get();
        }
      }
      service.number();

      judge(four, ids);
      judge(eightAfter(four, ids), ids);
      Consumer first = four.getFirst();
      assertThat(new Consumer(first.file(), first.settings()).readAll().errors())
          .containsExactly(first.file() + " is of share 1/4: take a new file");
    }
  }

  private Void kill(Consumer share, Random random) throws Exception {
    for (int kill = 0; kill < Nightly.choose(1, 60); kill++) {
      Process process = share.start();
      Thread.sleep(300 + random.nextInt(700));
      process.destroyForcibly().waitFor();
    }
    return null;
  }

  /** Stores events of three brands, and erases some. */
  private Void write(String brand, Set<String> ids) {
    for (int i = 0; i < Nightly.choose(20, 600); i++) {
      Stored event = store(brand + i % 3, "a.x", "");
      ids.add(event.id());
      if (i % 7 == 0) {
        erase(event);
        ids.remove(event.id());
      }
    }
    return null;
  }

  /**
   * From four readers to eight, one after another: each goes on as two, on copies of its file,
   * while events come.
   */
  private List<Consumer> eightAfter(List<Consumer> four, Set<String> ids) throws Exception {
    List<Consumer> eight = new ArrayList<>();
    for (int part = 1; part <= 4; part++) {
      for (int half : List.of(part, part + 4)) {
        Consumer after = consumer(half + "-of-8").of(half + "/8");
        Files.copy(four.get(part - 1).file(), after.file());
        eight.add(after);
      }
      for (int brand = 0; brand < 9; brand++) {
        ids.add(store("brand-" + brand % 4 + "-" + brand % 3, "a.x", "").id());
      }
      service.number();
      for (Consumer reader : Stream.concat(four.stream().skip(part), eight.stream()).toList()) {
        assertThat(reader.readAll().errors()).isEmpty();
      }
    }
    return eight;
  }

  private List<Consumer> shares(int parts) {
    return IntStream.rangeClosed(1, parts)
        .mapToObj(part -> consumer(part + "-of-" + parts).of(part + "/" + parts))
        .toList();
  }

  /** Lets each share read all, and judges what they have together. */
  private void judge(List<Consumer> shares, Set<String> ids) throws Exception {
    Map<String, Long> positions = positions();
    List<String> all = new ArrayList<>();
    Map<String, Consumer> ofBrand = new HashMap<>();
    for (Consumer share : shares) {
      assertThat(share.readAll().errors()).isEmpty();
      Map<String, Long> last = new HashMap<>();
      for (String row : share.sql("SELECT brand_id, id FROM events ORDER BY rowid")) {
        String[] event = row.split(" ", -1);
        all.add(event[1]);
        assertThat(ofBrand.computeIfAbsent(event[0], brand -> share)).as(row).isSameAs(share);
        Long before = last.put(event[0], positions.get(event[1]));
        assertThat(before == null ? 0L : before).as(row).isLessThan(positions.get(event[1]));
      }
    }
    assertThat(all).containsExactlyInAnyOrderElementsOf(ids);
  }

  /** The positions of all events, by their ids. */
  private Map<String, Long> positions() {
    Map<String, Long> positions = new HashMap<>();
    String cursor = "";
    JsonNode page;
    do {
      page =
          service
              .client()
              .get(UnreliableGateway.EVENTS + "?order=asc&limit=100" + cursor, token)
              .body();
      page.path("events")
          .forEach(each -> positions.put(each.path("id").asText(), each.path("position").asLong()));
      cursor = "&cursor=" + page.path("next").asText();
    } while (page.path("more").booleanValue());
    return positions;
  }

  @Test
  @Promise(
      "The consumer exits with 0 when it has read so far; without `--until`, the same file goes on.")
  void it_ends_at_a_position_and_goes_on_there() throws Exception {
    Stored first = store("acme", "a.x", "");
    service.number();
    Stored second = store("acme", "a.x", "");
    service.number();
    Map<String, Long> positions = positions();
    String feed =
        service
            .client()
            .get(UnreliableGateway.EVENTS + "?order=asc", token)
            .body()
            .path("next")
            .asText()
            .replaceFirst("\\d+$", "");
    Consumer consumer = consumer("file");
    Consumer untilFirst = consumer.until(feed + positions.get(first.id()));

    for (int again = 0; again < 2; again++) {
      assertThat(untilFirst.start().waitFor()).isZero();
      assertThat(consumer.signals()).isEqualTo(signals(first));
    }
    assertThat(consumer.until(feed + positions.get(second.id())).start().waitFor()).isZero();

    assertThat(consumer.signals()).isEqualTo(signals(first, second));
  }

  @Test
  void it_begins_at_a_time_and_keeps_it() throws Exception {
    store("acme", "a.x", "");
    service.number();
    service.clock().jump(Duration.ofSeconds(1));
    Stored since = store("acme", "a.x", "");
    service.number();
    Consumer consumer = consumer("file");

    assertThat(consumer.readAll(since.createdAt()).errors()).isEmpty();
    assertThat(consumer.readAll().errors()).isEmpty();

    assertThat(consumer.signals()).isEqualTo(signals(since));
    assertThat(consumer.readAll("2026-01-01T00:00:00Z").errors())
        .containsExactly(consumer.file() + " began at another time: take a new file");
  }

  @Test
  @Promise("**To read again from a time**, as after your scope became wider, keep the file")
  void after_its_place_was_set_back_as_the_page_says_it_takes_what_it_has_missed()
      throws Exception {
    Stored missed = store("acme", "a.x", "");
    service.number();
    service.clock().jump(Duration.ofSeconds(1));
    Stored since = store("acme", "a.x", "");
    service.number();
    Consumer consumer = consumer("file");
    assertThat(consumer.readAll(since.createdAt()).errors()).isEmpty();

    consumer.sql(setBack().replaceFirst("since = '[^']+'", "since = '" + missed.createdAt() + "'"));
    assertThat(consumer.readAll().errors()).isEmpty();

    assertThat(consumer.signals()).isEqualTo(signals(missed, since));
  }

  @Test
  @Promise("`behind` is how many positions of the feed were left after the last page.")
  void it_says_how_many_positions_its_signals_are_behind() throws Exception {
    String page = "{\"events\":[],\"next\":\"3f9a01c2-%d\",\"more\":%s,\"head\":57}";
    try (UnreliableGateway gateway = new UnreliableGateway(service::baseUrl)) {
      gateway.answer(UnreliableGateway.EVENTS, HttpAnswer.json(200, page.formatted(40, true)));
      Consumer consumer = consumer("file", gateway.endpoint(), token);
      Process process = consumer.start();
      await(() -> gateway.requestCount(UnreliableGateway.EVENTS) >= 2);
      process.destroyForcibly().waitFor();
      assertThat(consumer.behind()).containsExactly("17");

      gateway.answer(UnreliableGateway.EVENTS, HttpAnswer.json(200, page.formatted(57, false)));
      assertThat(consumer.readAll().errors()).isEmpty();

      assertThat(consumer.behind()).containsExactly("0");
    }
  }

  @Test
  void before_anything_is_numbered_it_waits_at_the_beginning() throws Exception {
    try (World fresh = World.start()) {
      use(fresh);
      Consumer consumer = consumer("file");
      assertThat(consumer.readAll().errors()).isEmpty();
      assertThat(consumer.behind()).containsExactly("0");
      Stored first = store("acme", "a.x", "");
      service.number();

      assertThat(consumer.readAll().errors()).isEmpty();

      assertThat(consumer.signals()).isEqualTo(signals(first));
    }
  }

  private void use(World other) throws Exception {
    service = other;
    logIn();
  }

  @Test
  @Promise("If it stops with a 422, since **its position belongs to another feed**")
  void an_event_that_it_has_does_not_count_twice_when_its_place_is_in_another_feed()
      throws Exception {
    Stored event = store("acme", "a.x", "");
    service.number();
    Consumer consumer = consumer("file");
    assertThat(consumer.readAll().errors()).isEmpty();
    consumer.sql("UPDATE place SET next = '00000000-1'");

    ScriptRun stopped = consumer.readAll();
    assertThat(stopped.exitCode()).isEqualTo(1);
    assertThat(stopped.errors())
        .singleElement()
        .asString()
        .startsWith("422: cursor: this position belongs to another feed");

    consumer.sql(setBack().replaceFirst("since = '[^']+'", "since = NULL"));
    assertThat(consumer.readAll().errors()).isEmpty();
    assertThat(consumer.signals()).isEqualTo(signals(event));
  }

  @ParameterizedTest
  @CsvSource({"33, false, ''", "35, false, may have", "33, true, ''", "35, true, may have"})
  @Promise("by the service's clock, it stops, and asks for a new file")
  void it_stops_after_so_long_a_pause_that_the_service_may_have_forgotten_an_erasure(
      int days, boolean readsAgain, String error) throws Exception {
    Stored event = store("acme", "a.x", "");
    service.number();
    assertThat(consumer("file").readAll().errors()).isEmpty();
    if (readsAgain) {
      consumer("file").sql(setBack());
    }

    // The service's clock tells how long it was away.
    String before = "strftime('%%Y-%%m-%%dT%%H:%%M:%%fZ', 'now', '-%d days')".formatted(days);
    consumer("file").sql("UPDATE place SET heard = " + before);

    assertThat(String.join("", consumer("file").readAll().errors())).contains(error);
    assertThat(consumer("file").signals()).isEqualTo(signals(event));
  }

  @Test
  void with_a_scope_it_makes_signals_of_that_only_and_hears_of_all_erasures() throws Exception {
    Stored inside = store("acme", "a.x", "");
    Stored later = store("acme", "a.x", "");
    store("acme", "b.x", "");
    service.number();
    Consumer consumer = consumer("file");
    setScope(own + ".a.*");
    assertThat(consumer.readAll().errors()).isEmpty();
    assertThat(consumer.signals()).isEqualTo(signals(inside, later));

    erase(later);
    service.number();
    assertThat(consumer.readAll().errors()).isEmpty();

    assertThat(consumer.signals()).isEqualTo(signals(inside));
  }

  @Test
  void it_logs_in_again_when_its_token_has_ended_and_retries_what_fails() throws Exception {
    Stored event = store("acme", "a.x", Texts.noise(BIG));
    service.number();
    try (UnreliableGateway gateway = new UnreliableGateway(service::baseUrl)) {
      Map<String, String> login =
          Map.of(
              "API_URL",
              gateway.endpoint().toString(),
              "CONSUMER_EMAIL",
              reader,
              "CONSUMER_PASSWORD",
              World.PASSWORD,
              "PAUSE",
              "0.05");
      Consumer consumer = new Consumer(folder.resolve("file"), login);
      Process process = consumer.start();
      for (int answers : List.of(31, 1)) { // 31: after a 429, a 503, and a lost answer
        await(() -> gateway.answerCount(UnreliableGateway.LOGIN) >= 1);
        await(() -> gateway.answerCount(UnreliableGateway.EVENTS) >= answers);
        service.operator().manageUsers("revoke-tokens", reader);
        gateway.reset();
      }
      process.destroyForcibly().waitFor();
      assertThat(consumer.signals()).isEqualTo(signals(event));

      gateway.answer(UnreliableGateway.EVENTS, HttpAnswer.json(401, "{\"detail\":\"No.\"}"));
      assertThat(consumer.readAll().errors()).containsExactly("401: No.");
    }
  }

  @ParameterizedTest
  @CsvSource({"404, ''", "410, ''", "403, 403: No."})
  void an_event_that_is_gone_before_its_payload_is_read_makes_no_signal(int status, String error)
      throws Exception {
    Stored gone = store("acme", "a.x", Texts.noise(BIG));
    Stored left = store("acme", "a.x", "");
    service.number();
    try (UnreliableGateway gateway = new UnreliableGateway(service::baseUrl)) {
      gateway.answer(
          UnreliableGateway.EVENTS + "/" + gone.id(),
          HttpAnswer.json(status, "{\"detail\":\"No.\"}"));
      Consumer consumer = consumer("file", gateway.endpoint(), token);

      assertThat(String.join("", consumer.readAll().errors())).isEqualTo(error);
      assertThat(consumer.signals()).isEqualTo(error.isEmpty() ? signals(left) : List.of());
    }
  }

  @Test
  @Promise("What tells events apart is `id` and `created_at`.")
  void an_event_under_a_freed_key_does_not_give_its_brand_to_the_one_before_it() throws Exception {
    Setup aDay = new Setup().parameters(Map.of("EventRetentionDays", "1"));
    try (World forgetful = World.start(aDay);
        UnreliableGateway gateway = new UnreliableGateway(forgetful::baseUrl)) {
      use(forgetful);
      Stored first = store("acme", "a.x", Texts.noise(BIG), "\"key\"");
      service.number();
      gateway.answer(UnreliableGateway.EVENTS + "/" + first.id(), HttpAnswer.json(503, "{}"));
      Consumer consumer = consumer("file", gateway.endpoint(), token);
      Process process = consumer.start();
      await(() -> gateway.answerCount(UnreliableGateway.EVENTS) >= 1);
      service.clock().jump(Duration.ofDays(1));
      connector = service.client().token();
      Stored second = store("other", "a.x", Texts.noise(BIG), "\"key\"");
      assertThat(second.id()).isEqualTo(first.id());
      service.number();
      gateway.forwardAll();
      await(() -> gateway.answerCount(UnreliableGateway.EVENTS) >= 3); // so it has the second page
      process.destroyForcibly().waitFor();

      assertThat(consumer.signals()).isEqualTo(signals(second));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "401, nobody, ''",
    "403, a connector, ''",
    "422, a consumer, yesterday",
  })
  void it_stops_and_says_why_when_the_service_refuses_its_request(
      int status, String user, String since) throws Exception {
    String its =
        Map.of("a connector", connector, "a consumer", token).getOrDefault(user, "e30.e30.e30");
    Consumer consumer = consumer("file", service.baseUrl(), its);
    String query = since.isEmpty() ? "" : "?from=" + since;
    Answer refusal = service.client().get(UnreliableGateway.EVENTS + query, its);

    ScriptRun run = since.isEmpty() ? consumer.readAll() : consumer.readAll(since);

    assertThat(refusal.status()).isEqualTo(status);
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.errors())
        .containsExactly(status + ": " + refusal.body().path("detail").textValue());
  }

  private Consumer consumer(String file) {
    return consumer(file, service.baseUrl().resolve("/"), token + "\n");
  }

  private Consumer consumer(String file, URI api, String itsToken) {
    return new Consumer(
        folder.resolve(file),
        Map.of("API_URL", api.toString(), "CONSUMER_TOKEN", itsToken, "PAUSE", "0.05"));
  }

  /** The SQL with which the page sets a consumer's place back. */
  private static String setBack() throws IOException {
    return Page.of("reading-events.md").commands("sqlite3 signals.db \"UPDATE").split("\"", -1)[1];
  }

  private Stored store(String brand, String topic, String text) {
    return store(brand, topic, text, "null");
  }

  /**
   * @param topic follows the provider in the type
   * @param key in JSON
   */
  private Stored store(String brand, String topic, String text, String key) {
    String type = own + "." + topic;
    JsonNode stored =
        post(
            """
            {"event_type":"%s","idempotency_key":%s,"payload":{"text":"%s","_meta":{"brand_id":"%s"}}}\
            """
                .formatted(type, key, text, brand));
    return new Stored(brand, type, stored.path("id").asText(), stored.path("created_at").asText());
  }

  private JsonNode post(String event) {
    Answer answer =
        service
            .client()
            .post(UnreliableGateway.EVENTS, event, "Authorization", "Bearer " + connector);
    assertThat(answer.status()).isEqualTo(201);
    return answer.body();
  }

  private void erase(Stored... events) {
    ObjectNode event = JSON.createObjectNode().put("reason", "a request");
    Stream.of(events).map(Stored::id).forEach(event.withArray("ids")::add);
    assertThat(service.operator().eraseToTheEnd(event).getLast().path("complete").booleanValue())
        .isTrue();
  }

  private void setScope(String... patterns) {
    ObjectNode event = JSON.createObjectNode().put("action", "set-scope").put("email", reader);
    Stream.of(patterns).forEach(event.putArray("event_types")::add);
    JsonNode answer = service.operator().invoke("ManageUsersFunction", event.toString());
    assertThat(answer.has("errorMessage")).as(answer.toString()).isFalse();
  }

  /** The signals that these events make, as {@link Consumer#signals} has them. */
  private static List<String> signals(Stored... events) {
    return Arrays.stream(events)
        .collect(Collectors.groupingBy(each -> each.brand() + " " + each.type()))
        .entrySet()
        .stream()
        .map(signal -> signal.getKey() + " " + summary(signal.getValue()))
        .sorted()
        .toList();
  }

  private static String summary(List<Stored> events) {
    List<String> times = events.stream().map(Stored::createdAt).sorted().toList();
    String ids = events.stream().map(Stored::id).sorted().collect(Collectors.joining(","));
    return events.size() + " " + times.getFirst() + " " + times.getLast() + " " + ids;
  }
}
