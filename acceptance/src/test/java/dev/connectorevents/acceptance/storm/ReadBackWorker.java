package dev.connectorevents.acceptance.storm;

import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Reads the payloads of acknowledged events, and goes through lists page by page. */
final class ReadBackWorker implements Worker {

  private static final int LIMIT = 100;

  private static final List<String> FILTERS =
      List.of("event_type=" + Sender.TYPES.getFirst(), "brand_id=b0", "brand_id=b1");

  private final Client client;
  private final Account account;
  private final List<Outbox> outboxes;
  private final Random random;
  private Optional<Token> token = Optional.empty();

  /** The query for the list page that this worker requests next. */
  private String page = FILTERS.getFirst();

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
    ClientCall call = random.nextBoolean() ? list(token.get()) : read(token.get());
    if (call.status() == 401) {
      token = Optional.empty();
    }
  }

  private ClientCall read(Token token) {
    return outboxes
        .get(random.nextInt(outboxes.size()))
        .anyStored(random, any -> true)
        .map(event -> client.read(token, event.getValue(), event.getKey()))
        .orElseGet(() -> list(token));
  }

  private ClientCall list(Token token) {
    ClientCall call = client.list(token, page);
    String first = FILTERS.get(random.nextInt(FILTERS.size())) + "&limit=" + LIMIT;
    if (call.isOk()) {
      page = ListPage.of(call).following(LIMIT).orElse(first);
    }
    return call;
  }
}
