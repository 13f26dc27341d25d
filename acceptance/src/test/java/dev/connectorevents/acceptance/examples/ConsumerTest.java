package dev.connectorevents.acceptance.examples;

import static dev.connectorevents.acceptance.examples.ConnectedService.await;
import static dev.connectorevents.acceptance.examples.ConsumedFeed.BIG;
import static dev.connectorevents.acceptance.examples.ConsumedFeed.signals;
import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.examples.ConsumedFeed.Stored;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.Texts;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.emulator.http.HttpAnswer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
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
 * <p>Slow: a consumer is a process, and each case starts some.
 */
@Order(1)
class ConsumerTest {

  @AutoClose private static final World shared = World.start();

  @TempDir private Path folder;

  /** In the shared world, unless a test needs one of its own. */
  private ConsumedFeed feed;

  @BeforeEach
  void logIn() throws Exception {
    feed = new ConsumedFeed(shared, folder);
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
    feed.setScope("shopify.*", "shop.*");
    String before = "2026-11-20T11:00:00.000000000Z 1.00 EUR";
    Set<String> first = new TreeSet<>();
    Set<String> last = new TreeSet<>();
    List<Stored> changed = new ArrayList<>();
    for (String row : rows.lines().toList()) {
      String[] columns = row.split(" *\\| *", -1);
      String brand = "brand-" + changed.size();
      feed.post(order(brand, "shopify.orders/create", 1, before.split(" ", -1)[0], "\"a\":0"));
      String id =
          feed.post(order(brand, columns[0], 9, columns[1], columns[2])).path("id").asText();
      changed.add(new Stored(brand, columns[0], id, ""));
      first.add(brand + " " + before);
      last.add(brand + " " + (columns[3].isEmpty() ? before : columns[3]));
    }
    feed.service.number();
    Consumer consumer = feed.consumer("file");

    assertThat(consumer.readAll().errors()).isEmpty();
    assertThat(consumer.lastOrders()).containsExactlyInAnyOrderElementsOf(last);

    feed.erase(changed.toArray(Stored[]::new));
    feed.service.number();
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
  @Promise(
      "The consumer exits with 0 when it has read so far; without `--until`, the same file goes on.")
  void it_ends_at_a_position_and_goes_on_there() throws Exception {
    Stored first = feed.store("acme", "a.x", "");
    feed.service.number();
    Stored second = feed.store("acme", "a.x", "");
    feed.service.number();
    Map<String, Long> positions = feed.positions();
    String beginning =
        feed.service
            .client()
            .get(UnreliableGateway.EVENTS + "?order=asc", feed.token)
            .body()
            .path("next")
            .asText()
            .replaceFirst("\\d+$", "");
    Consumer consumer = feed.consumer("file");
    Consumer untilFirst = consumer.until(beginning + positions.get(first.id()));

    for (int again = 0; again < 2; again++) {
      assertThat(untilFirst.start().waitFor()).isZero();
      assertThat(consumer.signals()).isEqualTo(signals(first));
    }
    assertThat(consumer.until(beginning + positions.get(second.id())).start().waitFor()).isZero();

    assertThat(consumer.signals()).isEqualTo(signals(first, second));
  }

  @Test
  @Promise("**To read again from a time**, as after your scope became wider, keep the file")
  void after_its_place_was_set_back_as_the_page_says_it_takes_what_it_has_missed()
      throws Exception {
    Stored missed = feed.store("acme", "a.x", "");
    feed.service.number();
    feed.service.clock().jump(Duration.ofSeconds(1));
    Stored since = feed.store("acme", "a.x", "");
    feed.service.number();
    Consumer consumer = feed.consumer("file");
    assertThat(consumer.readAll(since.createdAt()).errors()).isEmpty();
    assertThat(consumer.readAll("2026-01-01T00:00:00Z").errors())
        .containsExactly(consumer.file() + " began at another time: take a new file");
    assertThat(consumer.signals()).isEqualTo(signals(since));

    consumer.sql(setBack().replaceFirst("since = '[^']+'", "since = '" + missed.createdAt() + "'"));
    assertThat(consumer.readAll().errors()).isEmpty();

    assertThat(consumer.signals()).isEqualTo(signals(missed, since));
  }

  @Test
  @Promise("`behind` is how many positions of the feed were left after the last page.")
  void it_says_how_many_positions_its_signals_are_behind() throws Exception {
    String page = "{\"events\":[],\"next\":\"3f9a01c2-%d\",\"more\":%s,\"head\":57}";
    try (UnreliableGateway gateway = new UnreliableGateway(feed.service::baseUrl)) {
      gateway.answer(UnreliableGateway.EVENTS, HttpAnswer.json(200, page.formatted(40, true)));
      Consumer consumer = feed.consumer("file", gateway.endpoint(), feed.token);
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
      feed = new ConsumedFeed(fresh, folder);
      Consumer consumer = feed.consumer("file");
      assertThat(consumer.readAll().errors()).isEmpty();
      assertThat(consumer.behind()).containsExactly("0");
      Stored first = feed.store("acme", "a.x", "");
      feed.service.number();

      assertThat(consumer.readAll().errors()).isEmpty();

      assertThat(consumer.signals()).isEqualTo(signals(first));
    }
  }

  @Test
  @Promise("If it stops with a 422, since **its position belongs to another feed**")
  void an_event_that_it_has_does_not_count_twice_when_its_place_is_in_another_feed()
      throws Exception {
    Stored event = feed.store("acme", "a.x", "");
    feed.service.number();
    Consumer consumer = feed.consumer("file");
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
    Stored event = feed.store("acme", "a.x", "");
    feed.service.number();
    assertThat(feed.consumer("file").readAll().errors()).isEmpty();
    if (readsAgain) {
      feed.consumer("file").sql(setBack());
    }

    // The service's clock tells how long it was away.
    String before = "strftime('%%Y-%%m-%%dT%%H:%%M:%%fZ', 'now', '-%d days')".formatted(days);
    feed.consumer("file").sql("UPDATE place SET heard = " + before);

    assertThat(String.join("", feed.consumer("file").readAll().errors())).contains(error);
    assertThat(feed.consumer("file").signals()).isEqualTo(signals(event));
  }

  @Test
  void it_logs_in_again_when_its_token_has_ended_and_retries_what_fails() throws Exception {
    Stored event = feed.store("acme", "a.x", Texts.noise(BIG));
    feed.service.number();
    try (UnreliableGateway gateway = new UnreliableGateway(feed.service::baseUrl)) {
      Map<String, String> login =
          Map.of(
              "API_URL",
              gateway.endpoint().toString(),
              "CONSUMER_EMAIL",
              feed.reader,
              "CONSUMER_PASSWORD",
              World.PASSWORD,
              "PAUSE",
              "0.05");
      Consumer consumer = new Consumer(folder.resolve("file"), login);
      Process process = consumer.start();
      for (int answers : List.of(31, 1)) { // 31: after a 429, a 503, and a lost answer
        await(() -> gateway.answerCount(UnreliableGateway.LOGIN) >= 1);
        await(() -> gateway.answerCount(UnreliableGateway.EVENTS) >= answers);
        feed.service.operator().manageUsers("revoke-tokens", feed.reader);
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
    Stored gone = feed.store("acme", "a.x", Texts.noise(BIG));
    Stored left = feed.store("acme", "a.x", "");
    feed.service.number();
    try (UnreliableGateway gateway = new UnreliableGateway(feed.service::baseUrl)) {
      gateway.answer(
          UnreliableGateway.EVENTS + "/" + gone.id(),
          HttpAnswer.json(status, "{\"detail\":\"No.\"}"));
      Consumer consumer = feed.consumer("file", gateway.endpoint(), feed.token);

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
      feed = new ConsumedFeed(forgetful, folder);
      Stored first = feed.store("acme", "a.x", Texts.noise(BIG), "\"key\"");
      feed.service.number();
      gateway.answer(UnreliableGateway.EVENTS + "/" + first.id(), HttpAnswer.json(503, "{}"));
      Consumer consumer = feed.consumer("file", gateway.endpoint(), feed.token);
      Process process = consumer.start();
      await(() -> gateway.answerCount(UnreliableGateway.EVENTS) >= 1);
      feed.service.clock().jump(Duration.ofDays(1));
      feed.logIn();
      Stored second = feed.store("other", "a.x", Texts.noise(BIG), "\"key\"");
      assertThat(second.id()).isEqualTo(first.id());
      feed.service.number();
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
        Map.of("a connector", feed.service.client().token(), "a consumer", feed.token)
            .getOrDefault(user, "e30.e30.e30");
    Consumer consumer = feed.consumer("file", feed.service.baseUrl(), its);
    String query = since.isEmpty() ? "" : "?from=" + since;
    Answer refusal = feed.service.client().get(UnreliableGateway.EVENTS + query, its);

    ScriptRun run = since.isEmpty() ? consumer.readAll() : consumer.readAll(since);

    assertThat(refusal.status()).isEqualTo(status);
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.errors())
        .containsExactly(status + ": " + refusal.body().path("detail").textValue());
  }

  /** The service accepts them all. */
  @Test
  void the_worst_payloads_do_not_stop_it() throws Exception {
    String digits = "9".repeat(5_000);
    List<String> worst =
        List.of(
            "\"a\":\"\\u0000\\ud800\"",
            "\"a\":" + digits + ",\"b\":1e400,\"total_price\":0." + digits,
            "\"a\":1,\"a\":2,\"updated_at\":\"\\ud800\",\"currency\":\"\\u0000\"",
            "\"a\":" + "[".repeat(997) + "]".repeat(997),
            "\"a\":\"" + "\\u0000".repeat(450_000) + "\"");
    // The recorder cannot read numbers of so many digits.
    try (World unrecorded = World.start(new Setup().unrecorded())) {
      feed = new ConsumedFeed(unrecorded, folder);
      feed.setScope("shopify.*");
      for (String members : worst) {
        feed.post(
            ("{\"event_type\":\"shopify.orders/create\",\"payload\":{%s,\"_meta\":"
                    + "{\"brand_id\":\"\\u0000\\ud800\",\"object\":\"\\u0000\\ud800\",\"version\":\"1\"}}}")
                .formatted(members));
      }
      feed.service.number();
      Consumer consumer = feed.consumer("file");

      assertThat(consumer.readAll().errors()).isEmpty();

      assertThat(consumer.sql("SELECT count FROM signals")).containsExactly("5");
      assertThat(consumer.sql("SELECT is_tied FROM latest")).containsExactly("1");
      assertThat(consumer.lastOrders()).isEmpty();
    }
  }

  /** The SQL with which the page sets a consumer's place back. */
  private static String setBack() throws IOException {
    return Page.of("reading-events.md").commands("sqlite3 signals.db \"UPDATE").split("\"", -1)[1];
  }
}
