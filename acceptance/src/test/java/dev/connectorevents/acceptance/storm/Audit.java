package dev.connectorevents.acceptance.storm;

import dev.connectorevents.user.Role;
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

  /** So small that a list has many pages. */
  private static final int LIMIT = 20;

  private final Deployment deployment;
  private final CallHistory history;
  private final long seed;
  private final Map<Account, Token> tokens = new ConcurrentHashMap<>();

  /**
   * @param seed selects the events that the audit tries: trying all takes too long
   */
  Audit(Deployment deployment, CallHistory history, long seed) {
    this.deployment = deployment;
    this.history = history;
    this.seed = seed;
  }

  /**
   * Returns the violations of the whole storm. First makes more calls, with old tokens and with old
   * events. Then compares the history with the events table.
   */
  List<Violation> violations() {
    if (!history.jumps().isEmpty()) {
      deployment.time().pass(CallHistory.UNSETTLED);
    }
    tryTokens();
    List<Violation> lost = retry();
    List<TableRow> table = TableRow.all(deployment.dynamoDb(), deployment.eventsTable());
    List<String> strayParts = TableRow.strayParts(deployment.dynamoDb(), deployment.eventsTable());
    List<TombstoneRow> tombstones =
        TombstoneRow.all(deployment.dynamoDb(), deployment.eventsTable());
    while (!deployment.number()) {
      // the stream hands over again what was under way when the service was killed
    }
    List<String> listed = list();
    return Stream.of(
            TokenRules.violations(history),
            EventRules.violations(history, table),
            EventRules.ofParts(strayParts),
            ListRules.violations(history, table),
            ListRules.ofAll(listed, table),
            ErasureRules.violations(history, table, tombstones),
            lost)
        .flatMap(List::stream)
        .toList();
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

  /** Returns a token of the account. Logs in only at the first call for this account. */
  private Token token(Account account) {
    return tokens.computeIfAbsent(account, it -> deployment.client().login(it).orElseThrow());
  }

  /** Tries up to {@value #TRIES} tokens, spread evenly over the whole storm. */
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

  /**
   * Lists the events of every type, page by page, and returns their ids. Meanwhile some queries are
   * refused: each page is whole, or a 503.
   */
  private List<String> list() {
    Token token = token(deployment.create("auditor", Role.CONSUMER));
    List<String> ids = new ArrayList<>();
    deployment.weather().refuse("Query");
    for (String type : Sender.TYPES) {
      Optional<String> query = Optional.of("event_type=" + type + "&limit=" + LIMIT);
      while (query.isPresent()) {
        ListPage page = page(token, query.get());
        page.events().forEach(event -> ids.add(event.id()));
        query = page.following(LIMIT);
      }
    }
    deployment.weather().end();
    return ids;
  }

  private ListPage page(Token token, String query) {
    return Stream.generate(() -> deployment.client().list(token, query))
        .limit(TRIES)
        .filter(ClientCall::isOk)
        .findFirst()
        .map(ListPage::of)
        .orElseThrow(() -> new IllegalStateException("no page of " + query));
  }
}
