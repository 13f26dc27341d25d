package dev.connectorevents.acceptance.search;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.acceptance.search.CallHistory.Change;
import dev.connectorevents.acceptance.search.ClientCall.Route;
import dev.connectorevents.event.Timestamp;
import dev.connectorevents.user.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A history that a test writes call by call, and the contents of the events table after the last
 * call. Each call takes one second.
 */
final class HandMadeHistory {

  static final Account CONNECTOR = account(1, Role.CONNECTOR);
  static final Account CONSUMER = account(2, Role.CONSUMER);

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration STEP = Duration.ofSeconds(1);

  private final CallHistory history = new CallHistory();
  private final List<TableRow> table = new ArrayList<>();
  private final List<TombstoneRow> tombstones = new ArrayList<>();
  private final List<String> listed = new ArrayList<>();
  private final List<String> strayParts = new ArrayList<>();
  private Duration elapsed = Duration.ZERO;

  /** The rules that the history breaks. */
  List<Rule> brokenRules() {
    return Stream.of(
            TokenRules.violations(history),
            LoginRules.violations(history),
            EventRules.violations(history, table),
            EventRules.ofParts(strayParts),
            ListRules.violations(history, table),
            ListRules.ofAll(listed, table),
            ErasureRules.violations(history, table, tombstones),
            ScopeRules.violations(history, table))
        .flatMap(List::stream)
        .map(Violation::rule)
        .toList();
  }

  Instant now() {
    return START.plus(elapsed);
  }

  void pass(Duration time) {
    elapsed = elapsed.plus(time);
  }

  private Span step() {
    Duration start = elapsed;
    Instant startedAt = now();
    pass(STEP);
    Span span = new Span(start.toNanos(), elapsed.toNanos(), startedAt, now());
    pass(Duration.ofMillis(1));
    return span;
  }

  void jump() {
    history.addJump(step());
  }

  void change(Account account, Change.Kind kind, boolean isDone) {
    history.add(new Change(account, kind, step(), isDone));
  }

  void give(Account account, GivenScope scope, boolean isDone) {
    history.add(new CallHistory.ScopeChange(account, scope, step(), isDone));
  }

  /** Adds a successful rotation, which makes {@code kid} the id of the current key. */
  void rotate(String kid) {
    history.add(new CallHistory.Rotation(step(), true, kid));
  }

  void login(Account account, int status) {
    call(Route.LOGIN, "", Optional.empty(), account, List.of(), status, Map.of(), "");
  }

  /** Makes a token as if from a login. It is signed by the first key, and lives for an hour. */
  Token token(Account account) {
    return token(account, "first", false);
  }

  Token token(Account account, String kid, boolean isStatic) {
    Instant end = now().plus(Duration.ofHours(1));
    Span session = step();
    String text =
        base64("{\"kid\":\"%s\"}".formatted(kid))
            + "."
            + base64("{\"exp\":%d}".formatted(end.getEpochSecond()))
            + ".";
    return new Token(text, account, session, session, isStatic, false);
  }

  private static String base64(String json) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(json.getBytes(UTF_8));
  }

  void answer(Route route, Token token, int status, String body) {
    call(route, "", Optional.of(token), token.account(), List.of(), status, Map.of(), body);
  }

  void send(Event event, int status, String body) {
    send(event, status, Map.of(), body);
  }

  void sendAgain(Event event, String body) {
    send(event, 201, Map.of("idempotency-replayed", "true"), body);
  }

  private void send(Event event, int status, Map<String, String> headers, String body) {
    call(Route.EVENT, "", Optional.empty(), event.account(), List.of(event), status, headers, body);
  }

  void sendAll(List<Event> events, String body) {
    Account account = events.getFirst().account();
    call(Route.BATCH, "", Optional.empty(), account, events, 200, Map.of(), body);
  }

  void read(Account account, Event event, int status, String body) {
    String path = id(event) + "/payload";
    call(Route.READ, path, Optional.empty(), account, List.of(event), status, Map.of(), body);
  }

  /** Asks whether the key of an event is missing. */
  void askFor(Event event, String answer) {
    Account account = event.account();
    call(Route.MISSING, "", Optional.empty(), account, List.of(event), 200, Map.of(), answer);
  }

  /**
   * Lists one page of the events of type {@code t}.
   *
   * @param rest the query after the type, such as {@code &cursor=c}
   * @param next the cursor of the next page; empty on the last page
   * @param shown the rows on the page
   */
  void list(String rest, String next, Instant completeUntil, TableRow... shown) {
    String events =
        Stream.of(shown)
            .map(row ->
                "{\"id\":\"%s\",\"event_type\":\"%s\",\"created_at\":\"%s\"}"
                    .formatted(row.id(), row.type(), row.createdAt()))
            .collect(Collectors.joining(","));
    String body =
        "{\"events\":[%s],\"next\":\"%s\",\"complete_until\":\"%s\"}"
            .formatted(events, next, completeUntil);
    call(
        Route.LIST,
        "event_type=t" + rest,
        Optional.empty(),
        CONSUMER,
        List.of(),
        200,
        Map.of(),
        body);
  }

  private void call(
      Route route,
      String rest,
      Optional<Token> token,
      Account account,
      List<Event> events,
      int status,
      Map<String, String> headers,
      String body) {
    history.add(new ClientCall(route, rest, token, account, events, step(), status, headers, body));
  }

  /** Adds a row to the table, and its id to the complete list of events after the last call. */
  void store(TableRow row) {
    table.add(row);
    listed.add(row.id());
  }

  void storeUnlisted(TableRow row) {
    table.add(row);
  }

  void listOnly(String id) {
    listed.add(id);
  }

  void storePart(String id) {
    strayParts.add(id);
  }

  /** Sends an event. The service acknowledges the event, stores it and lists it. */
  TableRow acknowledge(Event event) {
    TableRow row = row(event, id(event), now());
    send(event, 201, answer(row.id(), row.createdAt(), 1));
    store(row);
    return row;
  }

  private static String id(Event event) {
    return "a" + event.number();
  }

  /** Erases an event, and leaves a correct tombstone. */
  void erase(TableRow row, Event event) {
    String erasureId = askToErase(row.id(), true, 1);
    remove(row);
    bury(row.id(), TombstoneRow.attributes(erasureId, now(), event.key().isPresent()));
  }

  /**
   * Adds an erasure of an event. First lets {@link CallHistory#CLOCK_SKEW} pass, so that the
   * erasure is certainly later than an event that was acknowledged before.
   *
   * @param written how many tombstones the service says it wrote; this method writes none
   * @return the id of the erasure
   */
  String askToErase(String id, boolean isComplete, int written) {
    pass(CallHistory.CLOCK_SKEW);
    String erasureId = "erasure " + history.erasures().size();
    history.add(
        new CallHistory.Erasure(Optional.of(erasureId), List.of(id), step(), isComplete, written));
    return erasureId;
  }

  /** Adds a complete erasure, during which the clocks jump. */
  void jumpWhileErasing(String id) {
    askToErase(id, true, 0);
    history.addJump(history.erasures().getLast().span());
  }

  void bury(String id, Map<String, String> attributes) {
    tombstones.add(new TombstoneRow(id, attributes));
  }

  void remove(TableRow row) {
    table.remove(row);
    listed.remove(row.id());
  }

  private static Account account(int number, Role role) {
    return new Account(new UUID(0, number), number + "@example.com", role, Account.PASSWORD);
  }

  /** The row that attempt 1 of an event stores. */
  static TableRow row(Event event, String id, Instant createdAt) {
    return row(event, event.account(), kept(event, createdAt), id, createdAt);
  }

  static TableRow row(Event event, Account account, String payload, String id, Instant createdAt) {
    return new TableRow(
        id, event.number(), account.id(), event.type(), event.installation(), createdAt, payload);
  }

  /** The payload that attempt 1 of an event stores. */
  static String kept(Event event, Instant receivedAt) {
    if (event.hasMeta()) {
      return event.payload().replace("\"attempt\":\"0\"", "\"attempt\":\"1\"");
    }
    return "%s,\"_meta\":{\"source\":\"s\",\"received_at\":\"%s\"}}"
        .formatted(
            event.payload().substring(0, event.payload().length() - 1), Timestamp.of(receivedAt));
  }

  /** The body of the answer with which the service acknowledges the attempt with this number. */
  static String answer(String id, Instant createdAt, int attempt) {
    return "{\"id\":\"%s\",\"created_at\":\"%s\",\"attempts\":%d,\"status\":\"try %d\"}"
        .formatted(id, createdAt, attempt, attempt);
  }
}
