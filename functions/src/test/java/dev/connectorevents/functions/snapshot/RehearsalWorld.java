package dev.connectorevents.functions.snapshot;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import com.sun.net.httpserver.HttpServer;
import dev.connectorevents.AdjustableClock;
import dev.connectorevents.functions.lambda.ApiGatewayFunction;
import dev.connectorevents.functions.wiring.Wiring;
import dev.connectorevents.http.Handler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What a rehearsal needs: a stub of AWS, which has no user and can refuse reads or be down, the
 * credentials for it, a function's variables, and a clock. Pauses only move the clock.
 */
final class RehearsalWorld implements AutoCloseable {

  final AdjustableClock clock = new AdjustableClock("2026-01-01T00:00:00Z");
  final List<Duration> pauses = new ArrayList<>();

  /** The operations that AWS was asked for, in order, such as DynamoDB_20120810.GetItem. */
  final List<String> calls = new CopyOnWriteArrayList<>();

  private final HttpServer aws;
  private volatile int failedFrom;
  private volatile int failedTo;
  private volatile int failure;
  private volatile Duration timePerRead = Duration.ZERO;

  RehearsalWorld() throws IOException {
    aws = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    aws.createContext(
        "/",
        exchange -> {
          int call = calls.size();
          calls.add(exchange.getRequestHeaders().getFirst("X-Amz-Target"));
          exchange.getRequestBody().readAllBytes();
          clock.advance(timePerRead);
          boolean fails = call >= failedFrom && call < failedTo;
          exchange.sendResponseHeaders(fails ? failure : 200, 2);
          exchange.getResponseBody().write("{}".getBytes(UTF_8));
          exchange.close();
        });
    aws.start();
  }

  /**
   * Makes AWS refuse some reads.
   *
   * @param from the first of them, counted from 0
   * @param to the next that is not refused
   */
  void refuseReads(int from, int to) {
    failReads(400, from, to);
  }

  /** Lets calls fail with this status: those of {@link #refuseReads}, and the SDK's own retries. */
  void failReads(int status, int from, int to) {
    failure = status;
    failedFrom = from;
    failedTo = to;
  }

  /** Makes each read take this time of the clock. */
  void letReadsTake(Duration time) {
    timePerRead = time;
  }

  /** The rehearsal of a function that does nothing but this. */
  Rehearsal rehearsal(Handler handler) {
    return rehearsalOf(wiring -> handler);
  }

  /** The rehearsal of a function whose handler comes from {@code route}. */
  Rehearsal rehearsalOf(Function<Wiring, Handler> route) {
    return rehearsalOf(
        wiring -> new ApiGatewayFunction(route.apply(wiring)), RehearsalScript::withoutBody);
  }

  /** The rehearsal of a function with this script. */
  Rehearsal rehearsalOf(
      Function<Wiring, RequestStreamHandler> function, Supplier<RehearsalScript> script) {
    return new Rehearsal(environment(), function, script, () -> {}, clock, this::pause);
  }

  private void pause(Duration duration) {
    pauses.add(duration);
    clock.advance(duration);
  }

  /** A function's variables. */
  Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>();
    environment.put("USERS_TABLE", "users");
    environment.put("PASSWORD_HASHES_TABLE", "hashes");
    environment.put("LOGIN_ATTEMPTS_TABLE", "attempts");
    environment.put("EVENTS_TABLE", "events");
    environment.put("FEED_TABLE", "feed");
    environment.put("EVENT_RETENTION_DAYS", "0");
    environment.put("EVENT_RETENTION_RULES", "");
    environment.put("SIGNING_KEY_SECRET_ARN", "arn");
    environment.put("TOKEN_ISSUER", "issuer");
    environment.put("TOKEN_LIFETIME_SECONDS", "3600");
    environment.put("SESSION_LIFETIME_DAYS", "7");
    environment.put("BCRYPT_COST", "12");
    environment.put("ENDPOINT_URL", "http://127.0.0.1:" + aws.getAddress().getPort());
    return environment;
  }

  @Override
  public void close() {
    aws.stop(0);
  }
}
