package dev.connectorevents.acceptance.storm;

import dev.connectorevents.acceptance.service.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** A connector that sends new events and retries. */
final class Sender implements Worker {

  private static final String NOISE = Texts.noise(900_000);

  /** So many that the service writes them in several calls. */
  private static final int MOST_IN_BATCH = 60;

  /** With one event more, a batch still gets through API Gateway and Lambda. */
  private static final int MOST_CHARACTERS = 4_000_000;

  static final List<String> TYPES = List.of("shopify.orders/create", "stripe.charge");
  private final Client client;
  private final Account account;
  private final Outbox outbox;
  private final Random random;
  private Optional<Token> token = Optional.empty();
  private int number;

  /**
   * @param first the number of the sender's first event; other senders use other ranges
   */
  Sender(Client client, Account account, Outbox outbox, Random random, int first) {
    this.client = client;
    this.account = account;
    this.outbox = outbox;
    this.random = random;
    this.number = first;
  }

  @Override
  public void step() {
    if (token.isEmpty()) {
      token = client.login(account);
      return;
    }
    Token current = token.get();
    switch (random.nextInt(17)) {
      case 0 -> token = Optional.empty();
      case 1, 2, 3, 4, 5 -> note(client.post(current, batch(), random.nextInt(Event.ATTEMPTS)));
      case 6, 7, 8, 9, 10 -> note(client.post(current, again(), random.nextInt(Event.ATTEMPTS)));
      default -> note(client.post(current, next(), random.nextInt(Event.ATTEMPTS)));
    }
  }

  private void note(ClientCall call) {
    if (call.status() == 401) {
      token = Optional.empty();
    }
    Attempt.in(call).stream()
        .filter(Attempt::isAcknowledged)
        .forEach(stored -> outbox.addStored(stored.id(), stored.event()));
  }

  private List<Event> batch() {
    List<Event> events = new ArrayList<>();
    int size = random.nextInt(1, random.nextInt(8) == 0 ? MOST_IN_BATCH : 13);
    for (int i = 0; i < size && characters(events) < MOST_CHARACTERS; i++) {
      events.add(
          switch (random.nextInt(6)) {
            case 0, 1 -> again();
            case 2 -> repeated(events);
            default -> next();
          });
    }
    return events;
  }

  private static int characters(List<Event> events) {
    return events.stream().mapToInt(event -> event.payload().length()).sum();
  }

  /**
   * Chooses one of these events, to send it again. Returns a new event if there are none, or if the
   * chosen event has no key.
   */
  private Event repeated(List<Event> events) {
    Event event = events.isEmpty() ? next() : events.get(random.nextInt(events.size()));
    return event.key().isPresent() ? event : next();
  }

  /**
   * Chooses an event that was sent before, or makes another event with its key. Returns a new event
   * if none was sent before.
   */
  private Event again() {
    Optional<Event> sent = outbox.any(random);
    if (sent.isEmpty()) {
      return next();
    }
    return random.nextInt(8) == 0 ? another(sent.get()) : sent.get();
  }

  /**
   * Makes an event with the same key that differs in the installation, the type or the payload. A
   * retry must repeat all three.
   */
  private Event another(Event sent) {
    int difference = random.nextInt(3);
    if (difference == 0) {
      return sent.of(sent.installation() + 1);
    }
    return difference == 1 && !sent.hasMeta() // the _meta of the payload names the type too
        ? sent.of(TYPES.get(1 - TYPES.indexOf(sent.type())))
        : event(sent.key());
  }

  private Event next() {
    if (random.nextInt(10) == 0) {
      return event(Optional.empty());
    }
    Event event = event(Optional.of(key()));
    outbox.add(event);
    return event;
  }

  /** The key for the next event. Senders of other accounts use the same keys. */
  private String key() {
    return "key %d %d".formatted(number / Storm.FIRST_NUMBERS % 2, number % Storm.FIRST_NUMBERS);
  }

  private Event event(Optional<String> key) {
    int own = number++;
    String type = TYPES.get(random.nextInt(2));
    boolean hasMeta = type.startsWith("shopify") && random.nextBoolean();
    String odd = Texts.ODD.get(random.nextInt(Texts.ODD.size()));
    String middle = hasMeta && random.nextBoolean() ? meta() : "";
    String last = hasMeta && middle.isEmpty() ? meta() : "";
    String payload =
        "{\"n\":%d, \"odd\":%s%s,\"text\":\"%s\"%s}".formatted(own, odd, middle, text(), last);
    return new Event(own, account, key, type, random.nextInt(2), payload);
  }

  private String meta() {
    return ",\"_meta\":{\"source\":\"shopify\",\"topic\":\"orders/create\",\"brand_id\":\"b%d\",%s}"
        .formatted(random.nextInt(2), Event.ATTEMPT);
  }

  /** A text that is usually short. DynamoDB needs several items for some of the long texts. */
  private String text() {
    return switch (random.nextInt(40)) {
      case 0, 1 -> noise(570_000);
      case 2, 3, 4, 5 -> noise(random.nextInt(1_000, 40_000));
      case 6, 7 -> "word ".repeat(random.nextInt(1_000, 20_000));
      default -> noise(random.nextInt(10, 900));
    };
  }

  private String noise(int length) {
    int start = random.nextInt(NOISE.length() - length);
    return NOISE.substring(start, start + length);
  }
}
