package dev.connectorevents.local.history;

import dev.connectorevents.functions.wiring.Sleep;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Uses a token on every route, has it revoked, and goes on to use it. So does a forged one. */
final class Intruder implements Worker {

  private static final List<Client.Ending> ENDINGS = List.of(Client.Ending.values());
  private static final int TRIES = 6;
  private static final Duration PAUSE = Duration.ofMillis(150);

  private final Client client;
  private final Account connector;
  private final Account consumer;
  private final Random random;
  private int number;

  /**
   * @param connector others use it too: only its sessions are ended
   * @param consumer nobody else uses it
   * @param first number of its events
   */
  Intruder(Client client, Account connector, Account consumer, Random random, int first) {
    this.client = client;
    this.connector = connector;
    this.consumer = consumer;
    this.random = random;
    this.number = first;
  }

  @Override
  public void step() {
    if (random.nextBoolean()) {
      intrude(connector, Client.Ending.REVOCATION);
    } else {
      Client.Ending ending = ENDINGS.get(random.nextInt(ENDINGS.size()));
      intrude(consumer, ending);
      if (ending == Client.Ending.DISABLING) {
        enable();
      }
    }
  }

  private void intrude(Account account, Client.Ending ending) {
    Optional<Token> token = client.login(account);
    if (token.isEmpty()) {
      return;
    }
    use(token.get()); // now the functions remember the user
    client.endSessions(account, ending);
    for (int i = 0; i < TRIES; i++) {
      Sleep.of(PAUSE);
      use(token.get());
    }
    use(token.get().forged());
  }

  private void enable() {
    for (int i = 0; i < TRIES && !client.enable(consumer); i++) {
      Sleep.of(PAUSE);
    }
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
