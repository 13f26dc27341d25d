package dev.connectorevents.acceptance.examples;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.acceptance.examples.ExampleConnector.Language;
import dev.connectorevents.emulator.CommandOnPath;
import dev.connectorevents.emulator.http.HttpAnswer;
import dev.connectorevents.emulator.http.LoopbackServer;
import dev.connectorevents.local.ServedLocally;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What each connector of {@code examples/} makes of what providers send and of what the service, or
 * somebody in its place, answers. Each connector starts once. Its settings end in a newline, and
 * its URL in a slash.
 */
class EveryConnectorTest {

  /** A connector, as a test sees it. */
  enum Kind {
    PYTHON_WITH_OUTBOX,
    NODE,
    JAVA;

    boolean hasOutbox() {
      return this == PYTHON_WITH_OUTBOX;
    }

    /** The path to which it sends events. */
    String path() {
      return UnreliableGateway.EVENTS + (hasOutbox() ? "/batch" : "");
    }

    List<String> command() throws IOException, InterruptedException {
      CommandOnPath.assumeWorks("python3", "--version");
      return switch (this) {
        case PYTHON_WITH_OUTBOX -> ExampleConnector.WITH_OUTBOX;
        case NODE -> installed(Language.NODE);
        case JAVA -> installed(Language.JAVA);
      };
    }

    private static List<String> installed(Language language)
        throws IOException, InterruptedException {
      language.assumeInstalled();
      return language.compiled();
    }
  }

  /** What becomes of an event after an answer. */
  private enum Fate {

    /** The connector needs it no longer. */
    SETTLED,

    /** The connector keeps it with the answer, and sends it only if somebody asks for that. */
    REFUSED,

    /** The connector sends it again, or lets the provider deliver it again. */
    UNSETTLED
  }

  /** An answer to an event. {@code TYPE} in the body stands for the event's type. */
  private record AnswerToEvent(Fate fate, int status, String contentType, String body) {

    static AnswerToEvent of(String row) {
      String[] cells = row.split(" *\\| *", 4);
      return new AnswerToEvent(
          Fate.valueOf(cells[0]), Integer.parseInt(cells[1]), cells[2], cells[3].strip());
    }

    /** The answer. The service answers a batch with a result for each of its events. */
    HttpAnswer to(Kind kind, String eventType, URI elsewhere) {
      String text = body.replace("TYPE", eventType);
      boolean isResult = status == 201 || contentType.endsWith("problem+json");
      if (kind.hasOutbox() && isResult) {
        String member = status == 201 ? "event" : "problem";
        text = "{\"results\":[{\"status\":%d,\"%s\":%s}]}".formatted(status, member, text);
        return HttpAnswer.json(200, text);
      }
      return new HttpAnswer(
              status, List.of(Map.entry("Content-Type", contentType)), text.getBytes(UTF_8))
          .with("Location", elsewhere.toString())
          .with("Retry-After", "9"); // longer than a connector without an outbox waits
    }
  }

  private static final List<AnswerToEvent> ANSWERS =
      """
      SETTLED   | 201 | application/json         | {"id":"1","event_type":"TYPE"}
      SETTLED   | 410 | application/problem+json | {"code":"event_erased"}
      REFUSED   | 400 | application/problem+json | {"code":"malformed_json"}
      REFUSED   | 415 | application/problem+json | {"code":"unsupported_media_type"}
      REFUSED   | 413 | application/problem+json | {"code":"payload_too_large"}
      REFUSED   | 422 | application/problem+json | {"code":"validation_failed"}
      REFUSED   | 422 | application/problem+json | {"code":"idempotency_key_reused"}
      UNSETTLED | 403 | application/problem+json | {"code":"forbidden"}
      UNSETTLED | 422 | application/problem+json | {"code":"refused_by_somebody"}
      UNSETTLED | 422 | application/problem+json | {"code":"stored"}
      UNSETTLED | 422 | application/problem+json | {"code":7}
      UNSETTLED | 422 | application/problem+json | {"errors":[{"code":"validation_failed"}]}
      UNSETTLED | 422 | application/problem+json | {}
      UNSETTLED | 422 | application/problem+json | []
      UNSETTLED | 500 | application/problem+json | {"code":"internal_error"}
      UNSETTLED | 201 | application/json         | {}
      UNSETTLED | 201 | application/json         | []
      UNSETTLED | 201 | application/json         | {"event_type":"TYPE"}
      UNSETTLED | 201 | application/json         | {"error":{"id":"1","event_type":"TYPE"}}
      UNSETTLED | 201 | text/html                | <p>{"id":"1","event_type":"TYPE"}
      UNSETTLED | 201 | application/json         | {"id":"1","event_type":"another.type"}
      UNSETTLED | 200 | application/json         | {"message":"maintenance"}
      UNSETTLED | 200 | application/json         | []
      UNSETTLED | 200 | application/json         | null
      UNSETTLED | 200 | application/json         | {"results":[]}
      UNSETTLED | 200 | application/json         | {"results":[null]}
      UNSETTLED | 200 | application/json         | {"results":[{"status":201}]}
      UNSETTLED | 200 | application/json         | {"results":{"id":"1"}}
      UNSETTLED | 200 | text/html                | <p>maintenance
      UNSETTLED | 302 | text/html                | <p>elsewhere
      UNSETTLED | 307 | text/html                | <p>elsewhere
      UNSETTLED | 400 | text/html                | <p>bad request
      UNSETTLED | 403 | text/html                | <p>refused by a firewall
      UNSETTLED | 404 | application/json         | {"message":"Not Found"}
      UNSETTLED | 410 | text/html                | <p>gone
      UNSETTLED | 413 | application/json         | {"message":"Request Entity Too Large"}
      UNSETTLED | 415 | text/plain               | unsupported
      UNSETTLED | 422 | application/json         | {"code":"validation_failed"}
      """
          .lines()
          .map(AnswerToEvent::of)
          .toList();

  private static final String EMAIL = "connector@example.com";
  private static final Map<String, String> LOGIN =
      Map.of("CONNECTOR_API_EMAIL", EMAIL, "CONNECTOR_API_PASSWORD", "correct horse battery");

  /** Settings that make an outbox quick. */
  private static final Map<String, String> QUICK = Map.of("PAUSE", "0.02", "PARKED", "0.2");

  private static final Map<Kind, ExampleConnector> RUNNING = new EnumMap<>(Kind.class);
  private static final AtomicInteger REQUESTS_ELSEWHERE = new AtomicInteger();

  @TempDir private static Path data;
  private static ServedLocally service;
  private static UnreliableGateway gateway;
  private static LoopbackServer elsewhere;

  @BeforeAll
  static void start() throws IOException {
    service = ServedLocally.startWith(data, LOGIN);
    gateway = new UnreliableGateway(service.url());
    elsewhere =
        LoopbackServer.answering(exchange -> {
          REQUESTS_ELSEWHERE.incrementAndGet();
          HttpAnswer.json(201, "{}").send(exchange);
        });
  }

  @AfterAll
  static void stop() throws IOException {
    for (ExampleConnector connector : RUNNING.values()) {
      connector.close();
    }
    elsewhere.close();
    gateway.close();
    service.close();
  }

  /** A part of the ids and the topics of this test. No other test has it. */
  private final String mark = "t" + UUID.randomUUID();

  @ParameterizedTest
  @EnumSource
  void only_an_answer_of_the_service_settles_an_event_and_a_refused_one_is_kept(Kind kind)
      throws Exception {
    ExampleConnector connector = running(kind);
    Map<Fate, Set<String>> payloads = new EnumMap<>(Fate.class);
    for (AnswerToEvent answer : ANSWERS) {
      String payload = "{\"row\":" + ANSWERS.indexOf(answer) + "}";
      String id = mark + payload;
      payloads.computeIfAbsent(answer.fate(), any -> new TreeSet<>()).add(payload);
      gateway.reset();
      gateway.answer(kind.path(), answer.to(kind, "shopify." + mark, elsewhere.endpoint()));

      assertThat(connector.deliver(Provider.SHOPIFY, mark, id, payload))
          .as(answer.toString())
          .isEqualTo(kind.hasOutbox() || answer.fate() != Fate.UNSETTLED ? 200 : 503);

      await(() -> gateway.requestCount(kind.path()) > 0);
      gateway.forwardAll();
      if (answer.fate() == Fate.UNSETTLED) {
        if (!kind.hasOutbox()) {
          assertThat(connector.deliver(Provider.SHOPIFY, mark, id, payload)).isEqualTo(200);
        }
        await(() -> stored("shopify." + mark).contains(payload));
      }
    }

    Set<String> unsettled = requireNonNull(payloads.get(Fate.UNSETTLED));
    assertThat(stored("shopify." + mark)).isEqualTo(unsettled);
    assertThat(refused(kind))
        .extracting(each -> each.at("/answer/code").textValue())
        .containsExactly(
            "malformed_json",
            "unsupported_media_type",
            "payload_too_large",
            "validation_failed",
            "idempotency_key_reused");
    assertThat(REQUESTS_ELSEWHERE).as("redirects that were followed").hasValue(0);

    unsettled.addAll(requireNonNull(payloads.get(Fate.REFUSED)));
    runAsThePageSays(kind, () -> stored("shopify." + mark).equals(unsettled));
    assertThat(refused(kind)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void no_two_ids_get_the_same_key(Kind kind) throws Exception {
    Map<String, String> keys = new LinkedHashMap<>(); // by id
    for (String plain : List.of("-a", "-a b", "-!\"#$&'()*+,/:;<=>?@[\\]^`{|}~")) {
      keys.put(mark + plain, mark + plain);
    }
    keys.put(mark + "-50%", mark + "-50%25");
    keys.put(mark + "-%C3%A9", mark + "-%25C3%25A9");
    keys.put(mark + "-é", mark + "-%C3%A9");
    keys.put(mark + "-ê", mark + "-%C3%AA");
    String longest = mark + "x".repeat(255 - mark.length());
    keys.put(longest, longest);
    for (String longer : List.of(longest + "x", longest + "y", mark + "é".repeat(37))) {
      keys.put(longer, sha256(longer));
    }
    for (String id : keys.keySet()) {
      assertThat(deliver(kind, Provider.SHOPIFY.headers(mark, id, "{}"), "{}")).isEqualTo(200);
    }

    await(() -> StoredWebhook.all(service, "shopify." + mark).size() == keys.size());
    assertThat(missing(keys.values())).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void a_payload_with_its_own_meta_is_wrapped_and_all_others_are_stored_as_they_are(Kind kind)
      throws Exception {
    List<String> wrapped =
        List.of(
            "{\"_meta\":{}}",
            "{ \"a\\\"\":\"{\", \"_meta\" :1.0}",
            "{\"b\":[{}],\"\\u005fmet\\u0061\":{\"_meta\":[]}}",
            "[]",
            "[{\"_meta\":1E400}]");
    List<String> plain =
        List.of(
            "{}",
            "{\"n\":" + "1".repeat(5_000) + "}",
            "{\"deep\":" + "[".repeat(995) + "]".repeat(995) + "}",
            "{\"a\":\"_meta\",\"b\":[{\"_meta\":1}],\"c\":{\"_meta\":{}}}",
            "{\"_META\":1,\"\\\\\":\"\\\"_meta\\\":\"}");
    List<String> all = Stream.concat(wrapped.stream(), plain.stream()).toList();
    for (String payload : all) {
      Map<String, String> headers =
          new HashMap<>(Provider.SHOPIFY.headers(mark, mark + all.indexOf(payload), payload));
      if (plain.contains(payload)) {
        headers.remove("X-Shopify-Shop-Domain");
      }
      assertThat(deliver(kind, headers, payload)).isEqualTo(200);
    }

    await(() -> StoredWebhook.all(service, "shopify." + mark).size() == all.size());
    List<StoredWebhook> stored = StoredWebhook.all(service, "shopify." + mark);
    assertThat(stored.stream().filter(each -> each.meta().has("wrapped")))
        .allMatch(each -> each.meta().get("wrapped").textValue().equals("payload"))
        .extracting(StoredWebhook::payload)
        .containsExactlyInAnyOrderElementsOf(
            wrapped.stream().map(each -> "{\"payload\":" + each + "}").toList());
    assertThat(stored)
        .allMatch(each -> each.meta().has("brand_id") == each.meta().has("wrapped"))
        .allMatch(each -> each.meta().has("shop") == each.meta().has("wrapped"));
    assertThat(stored.stream().filter(each -> !each.meta().has("wrapped")))
        .extracting(StoredWebhook::payload)
        .containsExactlyInAnyOrderElementsOf(plain);
  }

  @ParameterizedTest
  @EnumSource
  void what_cannot_be_forwarded_is_kept_byte_for_byte(Kind kind) throws Exception {
    Map<String, String> withoutId = Map.of("X-Shopify-Topic", mark);
    Map<String, String> withoutTopic = Map.of("X-Shopify-Webhook-Id", mark);
    Map<String, String> whole = Map.of("X-Shopify-Topic", mark, "X-Shopify-Webhook-Id", mark);
    String almostTooLarge = "{\"a\":\"" + "\\\"".repeat(400_000) + "a".repeat(4_669_000) + "\"}";
    if (!kind.hasOutbox()) {
      Files.deleteIfExists(running(kind).refused()); // so that the connector makes the file
    }
    List<Map.Entry<byte[], Map<String, String>>> webhooks = new ArrayList<>();
    webhooks.add(Map.entry("{\"without\":\"id\"}".getBytes(UTF_8), withoutId));
    webhooks.add(Map.entry("{\"without\":\"topic\"}".getBytes(UTF_8), withoutTopic));
    webhooks.add(Map.entry("{\"without an end\":".getBytes(UTF_8), whole));
    webhooks.add(Map.entry("7".getBytes(UTF_8), whole));
    webhooks.add(Map.entry(new byte[0], whole));
    webhooks.add(Map.entry("{\"not\":\"UTF-8: é\"}".getBytes(ISO_8859_1), whole));
    webhooks.add(Map.entry((almostTooLarge + " ".repeat(20_000)).getBytes(UTF_8), whole));
    webhooks.add(Map.entry(almostTooLarge.getBytes(UTF_8), whole));
    for (Map.Entry<byte[], Map<String, String>> webhook : webhooks) {
      Map<String, String> headers = new HashMap<>(webhook.getValue());
      headers.put("X-Shopify-Hmac-Sha256", Provider.shopifySignature(webhook.getKey()));
      assertThat(running(kind).deliverInChunks(headers, webhook.getKey())).isEqualTo(200);
    }

    assertThat(refused(kind))
        .extracting(each -> each.get("body").textValue())
        .containsExactlyElementsOf(
            webhooks.stream()
                .limit(webhooks.size() - 1)
                .map(Map.Entry::getKey)
                .map(Base64.getEncoder()::encodeToString)
                .toList());
    assertThat(refused(kind))
        .extracting(each -> each.at("/answer/reason").textValue())
        .startsWith("it has no topic or no id", "it has no topic or no id")
        .last()
        .asString()
        .matches("628\\d{4} bytes as Lambda counts, more than 6275000");
    await(() -> stored("shopify." + mark).contains(almostTooLarge));
    Path file = kind.hasOutbox() ? Path.of(outbox()) : running(kind).refused();
    assertThat(Files.getPosixFilePermissions(file)).hasToString("[OWNER_READ, OWNER_WRITE]");
  }

  @ParameterizedTest
  @EnumSource
  void large_webhooks_that_are_refused_at_the_same_time_are_kept_each_for_itself(Kind kind)
      throws Exception {
    ExampleConnector connector = running(kind);
    List<String> bodies =
        IntStream.range(0, 4).mapToObj(n -> "{\"n\":" + n + " ".repeat(2_000_000) + "}").toList();
    try (ExecutorService provider = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Integer>> deliveries =
          bodies.stream()
              .map(body ->
                  (Callable<Integer>) () -> connector.deliver(Provider.SHOPIFY, mark, "", body))
              .toList();
      for (Future<Integer> status : provider.invokeAll(deliveries)) {
        assertThat(status.get()).isEqualTo(200);
      }
    }

    assertThat(refused(kind))
        .extracting(
            each -> new String(Base64.getDecoder().decode(each.get("body").textValue()), UTF_8))
        .containsExactlyInAnyOrderElementsOf(bodies);
  }

  @ParameterizedTest
  @EnumSource
  void what_the_service_itself_refuses_is_kept(Kind kind) throws Exception {
    ExampleConnector connector = running(kind);
    assertThat(connector.deliver(Provider.SHOPIFY, mark, mark, "{}")).isEqualTo(200);
    await(() -> stored("shopify." + mark).contains("{}"));

    assertThat(connector.deliver(Provider.SHOPIFY, mark, mark, "{\"changed\":1}")).isEqualTo(200);
    assertThat(connector.deliver(Provider.SHOPIFY, mark + "-".repeat(255), mark + 2, "{}"))
        .isEqualTo(200);

    await(() -> refused(kind).size() == 2);
    assertThat(refused(kind))
        .extracting(each -> each.at("/answer/code").textValue())
        .containsExactlyInAnyOrder("idempotency_key_reused", "validation_failed");
    assertThat(refused(kind))
        .extracting(each -> each.get("event").textValue())
        .anyMatch(event -> event.contains("\"payload\":{\"changed\":1,\"_meta\""));
  }

  @ParameterizedTest
  @EnumSource
  void what_cannot_be_kept_is_not_answered_2xx_and_the_connector_lives_on(Kind kind)
      throws Exception {
    ExampleConnector connector = running(kind);
    if (kind.hasOutbox()) {
      Process lock =
          python(
              """
              import sqlite3, sys
              outbox = sqlite3.connect(sys.argv[1])
              outbox.execute("BEGIN EXCLUSIVE")
              print("locked", flush=True)
              sys.stdin.read()
              """,
              outbox());
      lock.inputReader(UTF_8).readLine();
      assertThat(connector.deliver(Provider.SHOPIFY, mark, mark, "{}")).isEqualTo(503);
      lock.destroyForcibly().waitFor();
    } else {
      Files.deleteIfExists(connector.refused());
      Files.createDirectory(connector.refused());
      assertThat(connector.deliver(Provider.SHOPIFY, mark, "", "{}")).isEqualTo(503);
      Files.delete(connector.refused());
    }

    assertThat(connector.deliver(Provider.SHOPIFY, mark, mark, "{}")).isEqualTo(200);
    await(() -> stored("shopify." + mark).contains("{}"));
  }

  @ParameterizedTest
  @EnumSource
  void a_topic_becomes_an_event_type_in_ascii(Kind kind) throws Exception {
    Map<String, String> topics =
        Map.of(
            "orders/create", "orders/create",
            "//data///Change/", "data/Change",
            "a /b/ c / d", "a%20/b/%20c%20/%20d",
            "/ a /", "%20a%20",
            "café", "caf%C3%A9",
            "a*b,c\"d\\e", "a%2Ab%2Cc%22d%5Ce",
            "a b%c[d]#e", "a b%c[d]#e");
    for (Map.Entry<String, String> topic : topics.entrySet()) {
      String stored = "{\"id\":\"1\",\"event_type\":\"TYPE\"}";
      AnswerToEvent answer = new AnswerToEvent(Fate.SETTLED, 201, "application/json", stored);
      String eventType = "shopify." + topic.getValue();
      gateway.answer(kind.path(), answer.to(kind, eventType, elsewhere.endpoint()));
      Map<String, String> headers = Provider.SHOPIFY.headers(topic.getKey(), mark, "{}");

      assertThat(deliver(kind, headers, "{}")).as(topic.getKey()).isEqualTo(200);

      await(() -> !kind.hasOutbox() || pending() == 0);
      gateway.forwardAll();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_wrong_signature_and_a_body_that_nobody_sends_are_a_line_in_the_log(Kind kind)
      throws Exception {
    ExampleConnector connector = running(kind);
    Map<String, String> headers = Provider.SHOPIFY.headers(mark, mark, "{}");
    String tooLarge = " ".repeat(kind.hasOutbox() ? 0 : 25_000_001); // Python reads only the length

    assertThat(deliver(kind, headers, "{\"forged\":1}")).isEqualTo(401);
    assertThat(connector.answer(25_000_001, tooLarge)).matches("HTTP/1.[01] 413 .*");

    assertThat(connector.log())
        .anyMatch(line -> line.contains("401") && line.contains("the signature is wrong"))
        .anyMatch(line -> line.contains("413") && line.contains("more than 25000000 bytes"));
  }

  @ParameterizedTest
  @EnumSource
  void a_login_that_fails_settles_no_event_and_its_token_is_never_logged(Kind kind)
      throws Exception {
    Map<String, String> settings = new HashMap<>(QUICK);
    settings.putAll(LOGIN);
    settings.put("PROVIDER", "shopify");
    settings.put("OUTBOX", data.resolve(mark).toString());
    List<HttpAnswer> logins =
        List.of(
            new HttpAnswer(
                422,
                List.of(Map.entry("Content-Type", "application/problem+json")),
                "{\"code\":\"validation_failed\"}".getBytes(UTF_8)),
            HttpAnswer.json(
                401, "{\"message\":\"Unauthorized\"}"), // of a proxy: says nothing of the password
            HttpAnswer.json(
                200,
                "{\"access_token\":\"secret\\n\",\"expires_in\":3600,"
                    + "\"other\":{\"access_token\":\"secret\"}}"));
    try (ExampleConnector connector =
        new ExampleConnector(kind.command(), gateway.endpoint(), settings)) {
      gateway.answer(UnreliableGateway.LOGIN, logins.getFirst());
      assertThat(connector.deliver(Provider.SHOPIFY, mark, mark, "{}"))
          .isEqualTo(kind.hasOutbox() ? 200 : 503);
      Callable<Integer> again = // an outbox has it already
          () -> kind.hasOutbox() ? 0 : connector.deliver(Provider.SHOPIFY, mark, mark, "{}");
      for (HttpAnswer login : logins) {
        gateway.reset();
        gateway.answer(UnreliableGateway.LOGIN, login);
        await(() -> {
          assertThat(again.call()).isIn(0, 503);
          return gateway.requestCount(UnreliableGateway.LOGIN) > 0;
        });
        assertThat(gateway.requestCount(kind.path())).isZero();
      }
      gateway.forwardAll();
      await(() -> again.call() != 503);
      await(() -> stored("shopify." + mark).contains("{}"));
      assertThat(connector.log()).noneMatch(line -> line.contains("secret"));
      assertThat(Files.readString(connector.refused())).isEmpty();
    }
  }

  private static ExampleConnector running(Kind kind) throws Exception {
    ExampleConnector connector = RUNNING.get(kind);
    if (connector == null) {
      Map<String, String> settings = new HashMap<>(QUICK);
      JsonNode token = service.manageUsers("issue-static-token", EMAIL).at("/token/access_token");
      settings.put("CONNECTOR_API_TOKEN", token.textValue() + "\n");
      settings.put("WEBHOOK_SECRET", Provider.SECRET + "\r\n");
      settings.put("PROVIDER", "shopify\n");
      settings.put("OUTBOX", outbox());
      URI withSlash = gateway.endpoint().resolve("/");
      connector = new ExampleConnector(kind.command(), withSlash, settings);
      RUNNING.put(kind, connector);
    }
    return connector;
  }

  private static String outbox() {
    return data.resolve("outbox.db").toString();
  }

  /** Delivers a webhook in chunks, with the names of headers that Shopify uses for its Events. */
  private static int deliver(Kind kind, Map<String, String> headers, String body) throws Exception {
    Map<String, String> sent = new HashMap<>();
    headers.forEach((name, value) ->
        sent.put(name.replace("X-", ""), new String(value.getBytes(UTF_8), ISO_8859_1)));
    return running(kind).deliverInChunks(sent, body.getBytes(UTF_8));
  }

  /** The payloads of this type that the service has stored. */
  private static Set<String> stored(String eventType) {
    return StoredWebhook.all(service, eventType).stream()
        .map(StoredWebhook::payload)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Those of the keys under which the service has no event. */
  private static List<String> missing(Collection<String> keys) throws Exception {
    String token =
        service.manageUsers("issue-static-token", EMAIL).at("/token/access_token").textValue();
    String body = new ObjectMapper().writeValueAsString(Map.of("idempotency_keys", keys));
    String path = UnreliableGateway.EVENTS + "/missing";
    return ServedLocally.read(
            service.send("POST", path, body, "Authorization", "Bearer " + token).body())
        .get("missing")
        .valueStream()
        .map(JsonNode::textValue)
        .toList();
  }

  /** What the connector has kept of this test's refused webhooks. */
  private List<JsonNode> refused(Kind kind) throws Exception {
    String lines;
    if (kind.hasOutbox()) {
      Process command =
          new ProcessBuilder("python3", "../examples/outbox.py", outbox(), "refused").start();
      lines = new String(command.getInputStream().readAllBytes(), UTF_8);
    } else {
      lines =
          Files.exists(running(kind).refused()) ? Files.readString(running(kind).refused()) : "";
    }
    return lines.lines().filter(line -> line.contains(mark)).map(ServedLocally::read).toList();
  }

  /** Sends again what was refused, with the commands of the page, until the condition is true. */
  private static void runAsThePageSays(Kind kind, Callable<Boolean> condition) throws Exception {
    Page page = Page.of("connectors.md");
    String commands =
        kind.hasOutbox()
            ? page.commands("python3 examples/outbox.py outbox.db retry")
            : page.commands("mv refused.jsonl").replaceFirst("\n(?=.* send)", "\nexec ");
    ProcessBuilder builder =
        new ProcessBuilder(
            "bash",
            "-c",
            commands
                .replace("examples/", Path.of("../examples").toRealPath() + "/")
                .replace("outbox.db", outbox())
                .replace("refused.jsonl", running(kind).refused().toString()));
    builder.directory(Files.createTempDirectory(data, "again").toFile()).inheritIO();
    builder.environment().putAll(QUICK);
    builder.environment().put("CONNECTOR_API_URL", service.url().toString());
    builder
        .environment()
        .put(
            "CONNECTOR_API_TOKEN",
            service.manageUsers("issue-static-token", EMAIL).at("/token/access_token").textValue());
    Process process = builder.start();
    try {
      await(condition);
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  /** How many events the outbox still has to send. */
  private static int pending() throws IOException {
    String count =
        "import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).execute('SELECT count(*) FROM events').fetchone())";
    Process process = python(count, outbox());
    return Integer.parseInt(new String(process.getInputStream().readAllBytes(), UTF_8).strip());
  }

  private static Process python(String program, String argument) throws IOException {
    return new ProcessBuilder("python3", "-c", program, argument)
        .redirectError(Redirect.INHERIT)
        .start();
  }

  private static String sha256(String text) throws GeneralSecurityException {
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
    return HexFormat.of().formatHex(digest);
  }

  private static void await(Callable<Boolean> condition) throws Exception {
    Instant deadline = Instant.now().plusSeconds(30);
    while (!condition.call()) {
      assertThat(Instant.now()).isBefore(deadline);
      Thread.sleep(20);
    }
  }
}
