package dev.connectorevents.acceptance.storm;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.user.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Looks for violations after the workers have stopped. Calls to AWS no longer fail then. */
final class Audit {

  /** How many events are sent again, and how often the rest is numbered, at the most. */
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
   * Returns the violations of the whole storm. First sends old events once more. Then compares the
   * history with the events table.
   */
  List<Violation> violations() {
    List<Violation> lost = retry();
    List<TableRow> table = TableRow.all(deployment.dynamoDb(), deployment.eventsTable());
    List<String> strayParts = TableRow.strayParts(deployment.dynamoDb(), deployment.eventsTable());
    List<TombstoneRow> tombstones =
        TombstoneRow.all(deployment.dynamoDb(), deployment.eventsTable());
    number();
    List<String> listed = list();
    return Stream.of(
            EventRules.violations(history, table),
            EventRules.ofParts(strayParts),
            EventRules.ofList(listed, table),
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

  /** The stream hands over again what was under way when the service was killed. */
  private void number() {
    if (Stream.generate(deployment::number).limit(TRIES).noneMatch(isDone -> isDone)) {
      throw new IllegalStateException("no call gives the rest its positions");
    }
  }

  /** Returns a token of the account. Logs in only at the first call for this account. */
  private Token token(Account account) {
    return tokens.computeIfAbsent(account, it -> deployment.client().login(it).orElseThrow());
  }

  /** Lists the events of every type, page by page, and returns their ids. */
  private List<String> list() {
    Token token = token(deployment.create("auditor", Role.CONSUMER));
    List<String> ids = new ArrayList<>();
    for (String type : Sender.TYPES) {
      String filter = "event_type=" + type + "&limit=" + LIMIT;
      Optional<String> query = Optional.of(filter);
      while (query.isPresent()) {
        JsonNode page = page(token, query.get());
        page.path("events").forEach(event -> ids.add(event.path("id").asText()));
        query =
            Optional.ofNullable(page.path("next").textValue()).map(it -> filter + "&cursor=" + it);
      }
    }
    return ids;
  }

  private JsonNode page(Token token, String query) {
    ClientCall call = deployment.client().list(token, query);
    if (!call.isOk()) { // no call to AWS fails any more
      throw new IllegalStateException("no page of %s: %d".formatted(query, call.status()));
    }
    return Client.json(call.body().getBytes(UTF_8));
  }
}
