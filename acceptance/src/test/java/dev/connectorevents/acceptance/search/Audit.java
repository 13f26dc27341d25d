package dev.connectorevents.acceptance.search;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Looks for violations after the workers have stopped. By then, no call to AWS fails. */
final class Audit {

  /** How many tokens, and how many events, the audit tries again. */
  private static final int TRIES = 30;

  private static final int LIMIT = 100;

  private final Deployment deployment;
  private final CallHistory history;
  private final long seed;
  private final Map<Account, Token> tokens = new ConcurrentHashMap<>();

  /**
   * @param seed selects what the audit tries: to try everything would take too long
   */
  Audit(Deployment deployment, CallHistory history, long seed) {
    this.deployment = deployment;
    this.history = history;
    this.seed = seed;
  }

  /**
   * Tries old tokens, and compares the history with the table.
   *
   * @param consumer the account that lists the events
   */
  List<Violation> violations(Account consumer) {
    if (!history.jumps().isEmpty()) {
      deployment.time().skip(CallHistory.UNSETTLED);
    }
    tryTokens();
    tryRevocation(consumer);
    new Narrowing(deployment).tryTokens();
    liftScopes();
    List<Violation> lost = retry();
    tryErased(consumer);
    if (seed % 2 == 0) {
      rotate();
      rotate();
      deployment.time().skip(Duration.ofMinutes(6));
      tryTokens();
    }
    if (seed % 4 == 1) {
      deployment.time().skip(Duration.ofHours(2)); // longer than a login's token lives
      tryTokens();
    }
    List<TableRow> table = TableRow.all(deployment.dynamoDb(), deployment.eventsTable());
    List<String> strayParts = TableRow.strayParts(deployment.dynamoDb(), deployment.eventsTable());
    List<TombstoneRow> tombstones =
        TombstoneRow.all(deployment.dynamoDb(), deployment.eventsTable());
    List<String> listed = list(consumer);
    return Stream.of(
            TokenRules.violations(history),
            EventRules.violations(history, table),
            EventRules.ofParts(strayParts),
            ListRules.violations(history, table),
            ListRules.ofAll(listed, table),
            ErasureRules.violations(history, table, tombstones),
            LoginRules.violations(history),
            ScopeRules.violations(history, table),
            lost)
        .flatMap(List::stream)
        .toList();
  }

  /**
   * Rotates the signing key. Throws if the rotation fails: without two rotations no key is dead,
   * and the rule about dead keys would check nothing.
   */
  private void rotate() {
    if (!deployment.keyRotator().rotate()) {
      throw new IllegalStateException("the key cannot be rotated");
    }
  }

  /**
   * Revokes a consumer's tokens, and then tries one of them. A revocation must also work after the
   * clocks have jumped.
   */
  private void tryRevocation(Account consumer) {
    Client client = deployment.client();
    Token token = client.login(consumer).orElseThrow();
    client.list(token, "brand_id=b0");
    if (!client.change(consumer, CallHistory.Change.Kind.REVOCATION)) {
      throw new IllegalStateException("the consumer's tokens cannot be revoked");
    }
    client.me(token);
    client.refresh(token);
    deployment.time().skip(CallHistory.USER_AGE.plus(CallHistory.CLOCK_SKEW).plusSeconds(1));
    client.list(token, "brand_id=b0");
  }

  /** From now on, all connectors may send their events again. */
  private void liftScopes() {
    deployment
        .accounts()
        .give(
            GivenScope.NONE,
            history.scopeChanges().stream()
                .map(CallHistory.ScopeChange::account)
                .distinct()
                .toList());
  }

  /** Retries events that got no answer or a failure. Now each of them must get an answer. */
  private List<Violation> retry() {
    return history.calls().stream()
        .flatMap(call -> Attempt.in(call).stream())
        .filter(attempt -> attempt.isUnknown() && attempt.event().key().isPresent())
        .map(Attempt::event)
        .distinct()
        .skip(seed % 5)
        .limit(TRIES)
        .toList()
        .parallelStream()
        .flatMap(event -> {
          Token token = token(event.account());
          return Attempt.in(deployment.client().post(token, event, 1)).stream();
        })
        .filter(
            attempt -> !attempt.isAcknowledged() && !attempt.isConflict() && !attempt.isErased())
        .map(attempt -> Violation.of(Rule.A_RETRY_GOT_NO_FINAL_ANSWER, attempt))
        .toList();
  }

  /** Reads erased events, sends them again, and asks whether they are missing. */
  private void tryErased(Account consumer) {
    Client client = deployment.client();
    Token reader = client.login(consumer).orElseThrow();
    new Erasures(history)
        .selected().stream().limit(TRIES).toList().parallelStream()
            .forEach(attempt -> {
              Event event = attempt.event();
              client.read(reader, event, attempt.id());
              if (event.key().isPresent()) {
                Token token = token(event.account());
                client.post(token, event, 1);
                client.missing(token, List.of(event));
              }
            });
  }

  /** A token of a connector. */
  private Token token(Account account) {
    return tokens.computeIfAbsent(account, it -> deployment.client().login(it).orElseThrow());
  }

  /** Tries some of the tokens of the whole run. */
  private void tryTokens() {
    List<Token> all =
        history.calls().stream().flatMap(call -> call.token().stream()).distinct().toList();
    IntStream.range(0, Math.min(TRIES, all.size()))
        .mapToObj(i -> all.get(i * all.size() / Math.min(TRIES, all.size())))
        .parallel()
        .forEach(token -> {
          deployment.client().me(token);
          deployment.client().list(token, "brand_id=b0");
        });
  }

  /** Lists all events, and returns their ids. */
  private List<String> list(Account consumer) {
    Token token = deployment.client().login(consumer).orElseThrow();
    List<String> ids = new ArrayList<>();
    for (String type : Sender.TYPES) {
      Optional<String> query = Optional.of("event_type=" + type + "&limit=" + LIMIT);
      while (query.isPresent()) {
        ClientCall call = deployment.client().list(token, query.get());
        if (!call.isOk()) {
          return ids; // each event that is missing becomes a violation
        }
        ListPage page = ListPage.of(call);
        page.events().forEach(event -> ids.add(event.id()));
        query = page.following(LIMIT);
      }
    }
    return ids;
  }
}
