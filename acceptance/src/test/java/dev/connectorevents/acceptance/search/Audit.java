package dev.connectorevents.acceptance.search;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Looks for violations after the workers have stopped. Calls to AWS no longer fail then. */
final class Audit {

  /** The largest number of tokens or events that one check tries again. */
  private static final int TRIES = 30;

  private static final int LIMIT = 100;

  private final Deployment deployment;
  private final CallHistory history;
  private final long seed;
  private final Map<Account, Token> tokens = new ConcurrentHashMap<>();

  /**
   * @param seed selects the checks and the events that the audit tries: trying all takes too long
   */
  Audit(Deployment deployment, CallHistory history, long seed) {
    this.deployment = deployment;
    this.history = history;
    this.seed = seed;
  }

  /**
   * Returns the violations of the whole run. First makes more calls, with old tokens and with old
   * events. Then compares the history with the events table.
   *
   * @param consumer the account that reads and lists the events
   */
  List<Violation> violations(Account consumer) {
    if (!history.jumps().isEmpty()) {
      deployment.time().pass(CallHistory.UNSETTLED);
    }
    tryTokens();
    tryRevocation(consumer);
    new ScopeNarrower(deployment).tryTokens();
    liftScopes();
    List<Violation> lost = retry();
    tryErased(consumer);
    if (seed % 2 == 0) {
      rotate();
      rotate();
      deployment.time().pass(Duration.ofMinutes(6));
      tryTokens();
    }
    if (seed % 4 == 1) {
      deployment.time().pass(Duration.ofHours(2)); // longer than a login's token lives
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
   * Rotates the signing key. Throws if the rotation fails: only after two rotations can the rule
   * {@link Rule#A_TOKEN_OF_A_DEAD_KEY_WAS_ACCEPTED} find anything.
   */
  private void rotate() {
    if (!deployment.keyRotator().rotate()) {
      throw new IllegalStateException("the key cannot be rotated");
    }
  }

  /**
   * Revokes the consumer's tokens, and then tries one of these tokens. A revocation must also work
   * after the clocks have jumped.
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
    deployment.time().pass(CallHistory.USER_AGE.plus(CallHistory.CLOCK_SKEW).plusSeconds(1));
    client.list(token, "brand_id=b0");
  }

  /**
   * Lifts the scope of every account that had one. From then on, every connector may send all of
   * its events again.
   */
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

  /**
   * Retries up to {@value #TRIES} events that have a key and got no answer or a 5xx. Returns a
   * violation for each retry that the service neither acknowledges nor refuses as a conflict or as
   * erased.
   */
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

  /**
   * Reads up to {@value #TRIES} events that an operator tried to erase. Sends those with a key
   * again, and asks whether their keys are missing.
   */
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

  /** Returns a token of the account. Logs in only at the first call for this account. */
  private Token token(Account account) {
    return tokens.computeIfAbsent(account, it -> deployment.client().login(it).orElseThrow());
  }

  /** Tries up to {@value #TRIES} tokens, spread evenly over the whole run. */
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

  /** Lists the events of every type, page by page, and returns their ids. */
  private List<String> list(Account consumer) {
    Token token = deployment.client().login(consumer).orElseThrow();
    List<String> ids = new ArrayList<>();
    for (String type : Sender.TYPES) {
      Optional<String> query = Optional.of("event_type=" + type + "&limit=" + LIMIT);
      while (query.isPresent()) {
        ClientCall call = deployment.client().list(token, query.get());
        if (!call.isOk()) {
          return ids; // each event that was not listed becomes a violation
        }
        ListPage page = ListPage.of(call);
        page.events().forEach(event -> ids.add(event.id()));
        query = page.following(LIMIT);
      }
    }
    return ids;
  }
}
