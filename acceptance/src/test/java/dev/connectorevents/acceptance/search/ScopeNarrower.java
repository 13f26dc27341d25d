package dev.connectorevents.acceptance.search;

import dev.connectorevents.user.Role;
import java.util.List;
import java.util.Optional;

/** Uses the tokens of two new users, narrows the users' scopes, and uses the tokens again. */
final class ScopeNarrower {

  private static final String TYPE = "stripe.charge";

  private final Deployment deployment;
  private final Client client;
  private final Account sender;
  private final Account reader;
  private int number = Run.FIRST_NUMBERS * 1_000;

  ScopeNarrower(Deployment deployment) {
    this.deployment = deployment;
    client = deployment.client();
    sender = deployment.accounts().create("narrowed-sender", Role.CONNECTOR);
    reader = deployment.accounts().create("narrowed-reader", Role.CONSUMER);
  }

  void tryTokens() {
    Token ofSender = client.login(sender).orElseThrow();
    Token ofReader = client.login(reader).orElseThrow();
    Event event = next();
    String id = Attempt.in(client.post(ofSender, event, 1)).getFirst().id();
    use(ofSender, ofReader, event, id); // now the functions have cached both users
    deployment.accounts().give(GivenScope.SHOPIFY, List.of(sender, reader));
    deployment.time().pass(CallHistory.USER_AGE.plus(CallHistory.CLOCK_SKEW).plusSeconds(1));
    use(ofSender, ofReader, event, id);
  }

  private void use(Token ofSender, Token ofReader, Event event, String id) {
    client.post(ofSender, next(), 1);
    client.post(ofSender, List.of(next(), event), 1);
    client.read(ofReader, event, id);
    client.list(ofReader, "event_type=" + TYPE);
    client.list(ofReader, "brand_id=b0");
  }

  private Event next() {
    String payload = "{\"n\":%d, \"text\":\"\"}".formatted(number);
    String key = "narrowed " + number;
    return new Event(number++, sender, Optional.of(key), TYPE, 1, payload);
  }
}
