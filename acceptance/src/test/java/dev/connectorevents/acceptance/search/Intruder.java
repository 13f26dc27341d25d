package dev.connectorevents.acceptance.search;

import dev.connectorevents.acceptance.search.CallHistory.Change.Kind;
import dev.connectorevents.functions.wiring.Sleep;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * A client that uses a token on most routes, ends the token's session as an operator, and continues
 * to use the token. It also uses forged tokens.
 */
final class Intruder implements Worker {

  private static final int TRIES = 3;
  private static final Duration PAUSE = Duration.ofMillis(250);
  private static final String LIST = "brand_id=b0";

  private static final Map<Kind, Kind> UNDOING =
      Map.of(Kind.DISABLING, Kind.ENABLING, Kind.TO_CONNECTOR, Kind.TO_CONSUMER);

  private final Client client;
  private final Account account;
  private final List<Kind> endings;
  private final Random random;
  private int number;

  /** The change that restores the account; empty if there is nothing to restore. */
  private Optional<Kind> undoing = Optional.empty();

  /**
   * @param endings changes that end the account's sessions; each step makes one of them
   * @param first the number of the intruder's first event
   */
  Intruder(Client client, Account account, List<Kind> endings, Random random, int first) {
    this.client = client;
    this.account = account;
    this.endings = endings;
    this.random = random;
    this.number = first;
  }

  @Override
  public void step() {
    undo();
    Optional<Token> token = undoing.isPresent() ? Optional.empty() : client.login(account);
    if (token.isEmpty()) {
      Sleep.of(PAUSE);
      return;
    }
    use(token.get()); // now the functions have cached the user
    Kind ending = endings.get(random.nextInt(endings.size()));
    client.change(account, ending);
    use(token.get().forged());
    for (int i = 0; i < TRIES; i++) {
      Sleep.of(PAUSE);
      use(token.get());
    }
    if (ending == Kind.DISABLING) {
      client.login(account);
      client.list(token.get(), LIST); // now this function has cached the disabled user
    }
    undoing = Optional.ofNullable(UNDOING.get(ending));
    undo();
  }

  /** Restores the account. If that fails, the next step tries again. */
  private void undo() {
    if (undoing.isPresent() && client.change(account, undoing.get())) {
      undoing = Optional.empty();
    }
  }

  private void use(Token token) {
    client.list(token, LIST);
    client.post(token, next(), 1);
    client.post(token, List.of(next()), 1);
    client.me(token);
    client.refresh(token);
    client.read(token, "00000000-0000-0000-0000-000000000000");
  }

  private Event next() {
    String payload = "{\"n\":%d, \"text\":\"\"}".formatted(number);
    return new Event(number++, account, Optional.empty(), "stripe.charge", 1, payload);
  }
}
