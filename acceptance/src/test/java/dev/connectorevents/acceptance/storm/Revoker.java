package dev.connectorevents.acceptance.storm;

import dev.connectorevents.functions.wiring.Sleep;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A client that uses a token on most routes, revokes it as an operator, and continues to use it.
 */
final class Revoker implements Worker {

  private static final int TRIES = 3;
  private static final Duration PAUSE = Duration.ofMillis(250);

  private final Client client;
  private final Account account;
  private int number;

  /**
   * @param first the number of the revoker's first event
   */
  Revoker(Client client, Account account, int first) {
    this.client = client;
    this.account = account;
    this.number = first;
  }

  @Override
  public void step() {
    Optional<Token> token = client.login(account);
    if (token.isEmpty()) {
      Sleep.of(PAUSE);
      return;
    }
    use(token.get()); // now the functions have cached the user
    client.revoke(account);
    for (int i = 0; i < TRIES; i++) {
      Sleep.of(PAUSE);
      use(token.get());
    }
  }

  private void use(Token token) {
    client.list(token, "brand_id=b0");
    client.post(token, next(), 1);
    client.post(token, List.of(next()), 1);
    client.me(token);
    client.refresh(token);
  }

  private Event next() {
    String payload = "{\"n\":%d, \"text\":\"\"}".formatted(number);
    return new Event(number++, account, Optional.empty(), "stripe.charge", 1, payload);
  }
}
