package dev.connectorevents.local.history;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Reads the payloads of acknowledged events. */
final class ReadBackWorker implements Worker {

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
    Map<String, Event> stored = outboxes.get(random.nextInt(outboxes.size())).stored();
    Optional<Map.Entry<String, Event>> any =
        stored.entrySet().stream().skip(random.nextInt(stored.size() + 1)).findFirst();
    ClientCall call =
        any.isPresent()
            ? client.read(token.get(), any.get().getValue(), any.get().getKey())
            : client.list(token.get(), "event_type=stripe.charge&limit=20");
    if (call.status() == 401) {
      token = Optional.empty();
    }
  }
}
