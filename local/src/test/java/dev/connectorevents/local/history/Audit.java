package dev.connectorevents.local.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Looks for violations when the work is over and nothing fails any more. */
final class Audit {

  /** How many tokens are tried again. */
  private static final int TOKENS = 30;

  private final Deployment deployment;
  private final CallHistory history;
  private final long seed;

  /**
   * @param seed selects what is tried: everything would take too long
   */
  Audit(Deployment deployment, CallHistory history, long seed) {
    this.deployment = deployment;
    this.history = history;
    this.seed = seed;
  }

  /**
   * Tries old tokens, and holds the history against the table.
   *
   * @param consumer lists the events
   */
  List<Violation> violations(Account consumer) {
    if (!history.jumps().isEmpty()) {
      deployment.time().skip(CallHistory.UNSETTLED);
    }
    tryTokens();
    tryRevocation(consumer);
    if (seed % 2 == 0) {
      rotate();
      rotate();
      deployment.time().skip(Duration.ofMinutes(6));
      tryTokens();
    }
    if (seed % 4 == 1) {
      deployment.time().skip(Duration.ofHours(2)); // longer than a token of a login lives
      tryTokens();
    }
    List<TableRow> table = TableRow.all(deployment.dynamoDb(), deployment.eventsTable());
    List<String> strayParts = TableRow.strayParts(deployment.dynamoDb(), deployment.eventsTable());
    List<String> listed = list(consumer);
    return Stream.of(
            TokenRules.violations(history),
            EventRules.violations(history, table),
            EventRules.ofParts(strayParts),
            EventRules.ofList(listed, table))
        .flatMap(List::stream)
        .toList();
  }

  /** Fails without a new key: then no old key would be dead, and the check would see nothing. */
  private void rotate() {
    if (!deployment.rotate()) {
      throw new IllegalStateException("the key cannot be rotated");
    }
  }

  /** After the clocks have jumped, too, a revocation ends a session. */
  private void tryRevocation(Account consumer) {
    Client client = deployment.client();
    client
        .login(consumer)
        .ifPresent(token -> {
          client.list(token, "brand_id=b0");
          client.change(consumer, CallHistory.Change.Kind.REVOCATION);
          client.me(token);
          client.refresh(token);
          deployment.time().skip(CallHistory.USER_AGE.plus(CallHistory.CLOCK_SKEW).plusSeconds(1));
          client.list(token, "brand_id=b0");
        });
  }

  /** Tries some of the tokens of the whole run. */
  private void tryTokens() {
    history.calls().stream()
        .flatMap(call -> call.token().stream())
        .distinct()
        .skip(seed % 5)
        .limit(TOKENS)
        .toList()
        .parallelStream()
        .forEach(token -> {
          deployment.client().me(token);
          deployment.client().list(token, "brand_id=b0");
        });
  }

  /** The ids of all events. */
  private List<String> list(Account consumer) {
    Token token = deployment.client().login(consumer).orElseThrow();
    List<String> ids = new ArrayList<>();
    for (String type : Sender.TYPES) {
      String query = "event_type=" + type + "&limit=100";
      String page = query;
      while (!page.isEmpty()) {
        ClientCall call = deployment.client().list(token, page);
        if (!call.isOk()) {
          return ids; // the events that are missing in it are violations
        }
        JsonNode body = Client.json(call.body().getBytes(UTF_8));
        body.get("events").forEach(event -> ids.add(event.get("id").asText()));
        page = body.has("next") ? query + "&cursor=" + body.get("next").asText() : "";
      }
    }
    return ids;
  }
}
