package dev.connectorevents.functions.snapshot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.connectorevents.AdjustableClock;
import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.functions.createevent.CreateBatchFunction;
import dev.connectorevents.functions.createevent.CreateEventFunction;
import dev.connectorevents.functions.findmissing.FindMissingFunction;
import dev.connectorevents.functions.listevents.ListEventsFunction;
import dev.connectorevents.functions.login.LoginFunction;
import dev.connectorevents.functions.me.MeFunction;
import dev.connectorevents.functions.readevent.ReadEventFunction;
import dev.connectorevents.functions.refresh.RefreshFunction;
import dev.connectorevents.functions.wiring.Wiring;
import dev.connectorevents.http.Handler;
import dev.connectorevents.http.Response;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.crac.Context;
import org.crac.Core;
import org.crac.Resource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A function's rehearsal before its SnapStart snapshot: its reads, its retries and its time. */
@ResourceLock(Resources.SYSTEM_PROPERTIES)
@ResourceLock(Resources.SYSTEM_OUT)
class RehearsalTest {

  private static final Response SUCCESS = Response.json(200, Map.of());

  /** Lambda's time limit for an initialization, most of which is the rehearsal. */
  private static final Duration LAMBDAS_LIMIT = Duration.ofSeconds(130);

  /** The number of reads in a rehearsal without failures. */
  private static final int READS = 20;

  private final List<String> calls = new CopyOnWriteArrayList<>();
  private final List<Duration> pauses = new ArrayList<>();
  private final AdjustableClock clock = new AdjustableClock("2026-01-01T00:00:00Z");
  private HttpServer aws;

  /** The first read that AWS refuses, counted from 0. */
  private volatile int refusedFrom;

  /** The next read that AWS does not refuse, counted from 0. */
  private volatile int refusedTo;

  private volatile Duration timePerRead = Duration.ZERO;

  @BeforeEach
  void start() throws IOException {
    aws = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    aws.createContext(
        "/",
        exchange -> {
          int call = calls.size();
          calls.add(exchange.getRequestHeaders().getFirst("X-Amz-Target"));
          exchange.getRequestBody().readAllBytes();
          clock.advance(timePerRead);
          boolean refused = call >= refusedFrom && call < refusedTo;
          exchange.sendResponseHeaders(refused ? 400 : 200, 2);
          exchange.getResponseBody().write("{}".getBytes(UTF_8));
          exchange.close();
        });
    aws.start();
    System.setProperty("aws.region", "us-east-1");
    System.setProperty("aws.accessKeyId", "key");
    System.setProperty("aws.secretAccessKey", "secret");
  }

  @AfterEach
  void stop() {
    System.clearProperty("aws.region");
    System.clearProperty("aws.accessKeyId");
    System.clearProperty("aws.secretAccessKey");
    aws.stop(0);
  }

  private static Stream<Named<Function<Map<String, String>, Rehearsal>>> functions() {
    return Stream.of(
        Named.of("login", LoginFunction::rehearsal),
        Named.of("refresh", RefreshFunction::rehearsal),
        Named.of("me", MeFunction::rehearsal),
        Named.of("createevent", CreateEventFunction::rehearsal),
        Named.of("createbatch", CreateBatchFunction::rehearsal),
        Named.of("findmissing", FindMissingFunction::rehearsal),
        Named.of("readevent", ReadEventFunction::rehearsal),
        Named.of("listevents", ListEventsFunction::rehearsal));
  }

  /**
   * Runs one round only, whose read takes all of {@link Rehearsal#TIME}. Further rounds would make
   * the same calls to AWS.
   */
  @ParameterizedTest
  @MethodSource("functions")
  void a_function_reads_a_user_reads_no_secret_and_stores_nothing(
      Function<Map<String, String>, Rehearsal> function) {
    timePerRead = Rehearsal.TIME;
    Rehearsal rehearsal = function.apply(environment()).at(clock);

    rehearsal.beforeCheckpoint(Core.getGlobalContext());
    rehearsal.afterRestore(Core.getGlobalContext());

    assertThat(calls).containsExactly("DynamoDB_20120810.GetItem");
  }

  @ParameterizedTest
  @CsvSource({"0, 1, 1", "0, 20, 20", "5, 25, 20", "19, 20, 1"})
  void a_read_that_fails_for_less_than_a_minute_is_retried_after_pauses(
      int from, int to, int pausesMade) {
    refusedFrom = from;
    refusedTo = to;

    rehearsal(SUCCESS).beforeCheckpoint(Core.getGlobalContext());

    assertThat(pauses).hasSize(pausesMade).containsOnly(RehearsalReads.PAUSE);
    assertThat(calls).hasSize(READS + pausesMade);
  }

  @ParameterizedTest
  @CsvSource({"0, 21", "10, 31"})
  void a_table_that_cannot_be_read_for_a_minute_fails_the_snapshot(int from, int reads) {
    refusedFrom = from;
    refusedTo = Integer.MAX_VALUE;

    assertThatExceptionOfType(DependencyUnavailableException.class)
        .isThrownBy(() -> rehearsal(SUCCESS).beforeCheckpoint(Core.getGlobalContext()))
        .withMessageContaining("GetItem on users");
    assertThat(pauses.stream().reduce(Duration.ZERO, Duration::plus))
        .isEqualTo(RehearsalReads.RETRY_PERIOD);
    assertThat(calls).hasSize(reads);
  }

  @ParameterizedTest
  @CsvSource({"10, 5", "44, 2", "45, 1", "100, 1"})
  void no_round_begins_when_45_seconds_are_over(int secondsPerRound, int rounds) {
    AtomicInteger requests = new AtomicInteger();

    rehearsal(
            request -> {
              requests.incrementAndGet();
              clock.advance(Duration.ofSeconds(secondsPerRound));
              return SUCCESS;
            })
        .beforeCheckpoint(Core.getGlobalContext());

    assertThat(requests).hasValue(rounds);
    assertThat(calls).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"0, 20", "5, 25"})
  void a_wait_for_the_table_takes_no_time_of_the_rounds(int from, int to) {
    refusedFrom = from;
    refusedTo = to;

    rehearsal(
            request -> {
              clock.advance(Duration.ofMillis(20));
              return SUCCESS;
            })
        .beforeCheckpoint(Core.getGlobalContext());

    assertThat(calls).hasSize(READS + 20);
  }

  @Test
  void a_read_that_fails_when_the_time_is_nearly_over_fails_the_snapshot() {
    refusedFrom = 1;
    refusedTo = Integer.MAX_VALUE;
    Instant start = clock.instant();
    // The second read follows round 101, after 44.4 s.
    Rehearsal slow =
        rehearsal(request -> {
          clock.advance(Duration.ofMillis(440));
          return SUCCESS;
        });

    assertThatExceptionOfType(DependencyUnavailableException.class)
        .isThrownBy(() -> slow.beforeCheckpoint(Core.getGlobalContext()));
    assertThat(Duration.between(start, clock.instant()))
        .isBetween(Duration.ofSeconds(100), LAMBDAS_LIMIT.minusSeconds(20));
  }

  @Test
  void an_unsuccessful_answer_fails_the_snapshot_at_once() {
    assertThatIllegalStateException()
        .isThrownBy(
            () -> rehearsal(Response.json(503, Map.of())).beforeCheckpoint(Core.getGlobalContext()))
        .withMessageContaining("503");
    assertThat(calls).isEmpty();
    assertThat(pauses).isEmpty();
  }

  @Test
  void the_log_has_the_causes_of_a_failed_read_or_the_defect() {
    String defect = logged(rehearsal(Response.json(503, Map.of())));
    refusedTo = Integer.MAX_VALUE;
    String failedRead = logged(rehearsal(SUCCESS));

    assertThat(defect)
        .startsWith("{\"error\":\"java.lang.IllegalStateException: a rehearsed request got");
    assertThat(failedRead)
        .startsWith("{\"error\":\"DependencyUnavailableException: GetItem on users failed")
        .contains(" <- DynamoDbException: ");
  }

  /**
   * Runs a rehearsal that fails, and returns what it prints. Outside Lambda's runtime, Lambda's
   * logger writes to the console.
   */
  private static String logged(Rehearsal failing) {
    PrintStream console = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, UTF_8));
    try {
      assertThatThrownBy(() -> failing.beforeCheckpoint(Core.getGlobalContext()))
          .isInstanceOf(RuntimeException.class);
    } finally {
      System.setOut(console);
    }
    return printed.toString(UTF_8);
  }

  @ParameterizedTest
  @CsvSource({"snap-start, 1", "on-demand, 0"})
  void what_was_registered_for_a_restore_runs_after_it(String initialization, int runs)
      throws Exception {
    AtomicInteger restores = new AtomicInteger();
    Registered registered = new Registered();
    Rehearsal rehearsal =
        new Rehearsal(
            Map.of("AWS_LAMBDA_INITIALIZATION_TYPE", initialization),
            wiring -> request -> SUCCESS,
            RehearsedRequest::withoutBody);

    rehearsal.onRestore(restores::incrementAndGet).register(() -> registered);
    for (Resource resource : registered.resources) {
      resource.afterRestore(registered);
    }

    assertThat(restores).hasValue(runs);
  }

  @Test
  void a_rehearsal_hashes_at_the_lowest_cost_of_bcrypt() {
    List<Integer> costs = new ArrayList<>();
    Function<Wiring, Handler> route =
        wiring -> {
          costs.add(wiring.bcryptCost());
          return request -> SUCCESS;
        };

    new Rehearsal(environment(), route, RehearsedRequest::withoutBody, clock, this::pause)
        .beforeCheckpoint(Core.getGlobalContext());

    assertThat(costs).containsExactly(4);
  }

  private Rehearsal rehearsal(Response response) {
    return rehearsal(request -> response);
  }

  private Rehearsal rehearsal(Handler handler) {
    return new Rehearsal(
        environment(), wiring -> handler, RehearsedRequest::withoutBody, clock, this::pause);
  }

  private void pause(Duration duration) {
    pauses.add(duration);
    clock.advance(duration);
  }

  private Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>();
    environment.put("USERS_TABLE", "users");
    environment.put("LOGIN_ATTEMPTS_TABLE", "attempts");
    environment.put("EVENTS_TABLE", "events");
    environment.put("EVENT_RETENTION_DAYS", "0");
    environment.put("EVENT_RETENTION_RULES", "");
    environment.put("SIGNING_KEY_SECRET_ARN", "arn");
    environment.put("TOKEN_ISSUER", "issuer");
    environment.put("TOKEN_LIFETIME_SECONDS", "3600");
    environment.put("SESSION_LIFETIME_DAYS", "7");
    environment.put("BCRYPT_COST", "12");
    environment.put("INDEX_LAG_SECONDS", "10");
    environment.put("ENDPOINT_URL", "http://127.0.0.1:" + aws.getAddress().getPort());
    return environment;
  }

  /** Keeps the hooks that a function registers with the runtime. */
  private static final class Registered extends Context<Resource> {

    private final List<Resource> resources = new ArrayList<>();

    @Override
    public void register(Resource resource) {
      resources.add(resource);
    }

    @Override
    public void beforeCheckpoint(Context<? extends Resource> context) {}

    @Override
    public void afterRestore(Context<? extends Resource> context) {}
  }
}
