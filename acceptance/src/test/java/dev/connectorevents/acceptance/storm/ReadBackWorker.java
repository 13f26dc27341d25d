package dev.connectorevents.acceptance.storm;

import dev.connectorevents.functions.wiring.Sleep;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Reads the payloads of acknowledged events. */
final class ReadBackWorker implements Worker {

  /** A virtual thread that never waits would let no other one work. */
  private static final Duration PAUSE = Duration.ofMillis(10);

  private final Client client;
  private final Account account;
  private final List<Outbox> outboxes;
  private final Random random;
  private Optional<Token> token = Optional.empty();

  ReadBackWorker(Client client, Account account, List<Outbox> outboxes, Random random) {
    this.client = client;
    this.account = account;
    this.outboxes = outboxes;
    this.random = random;
  }

  @Override
  public void step() {
    if (token.isEmpty()) {
      token = client.login(account);
      return;
    }
    Outbox outbox = outboxes.get(random.nextInt(outboxes.size()));
    Optional<Map.Entry<String, Event>> stored = outbox.anyStored(random, any -> true);
    if (stored.isEmpty()) {
      Sleep.of(PAUSE);
      return;
    }
    ClientCall call = client.read(token.get(), stored.get().getValue(), stored.get().getKey());
    if (call.status() == 401) {
      token = Optional.empty();
    }
  }
}
