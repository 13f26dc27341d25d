package dev.connectorevents.local.history;

import dev.connectorevents.functions.wiring.Sleep;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Uses a token on every route, has it revoked, and goes on to use it. So does a forged one. */
final class Intruder implements Worker {

  private static final int TRIES = 6;
  private static final Duration PAUSE = Duration.ofMillis(150);

  private final Client client;
  private final List<Account> victims;
  private int turn;
  private int number;

  /**
   * @param victims a connector and a consumer
   * @param first number of its events
   */
  Intruder(Client client, List<Account> victims, int first) {
    this.client = client;
    this.victims = victims;
    this.number = first;
  }

  @Override
  public void step() {
    Account victim = victims.get(turn++ % victims.size());
    Optional<Token> token = client.login(victim);
    if (token.isEmpty()) {
      return;
    }
    use(token.get()); // now the functions remember the user
    client.revoke(victim);
    for (int i = 0; i < TRIES; i++) {
      Sleep.of(PAUSE);
      use(token.get());
    }
    use(token.get().forged());
  }

  private void use(Token token) {
    client.post(token, next(token.account()), 1);
    client.post(token, List.of(next(token.account())), 1);
    client.me(token);
    client.refresh(token);
    client.list(token, "brand_id=b0");
    client.read(token, "00000000-0000-0000-0000-000000000000");
  }

  private Event next(Account account) {
    String payload = "{\"n\":%d, \"text\":\"\"}".formatted(number);
    return new Event(number++, account, Optional.empty(), "stripe.charge", payload);
  }
}
