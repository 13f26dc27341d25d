package dev.connectorevents.acceptance.oracle;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.user.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Makes the requests of connectors: new events, retries, batches, and the search for missing ones.
 */
final class Connectors {

  static final String EVENTS = "/api/webhook-events";

  private static final Optional<Role> CONNECTOR = Optional.of(Role.CONNECTOR);

  private final World world;
  private final Oracle oracle;
  private final Sessions sessions;
  private final EventRules rules;
  private final SentTexts written = new SentTexts();

  Connectors(World world, Oracle oracle, Sessions sessions) {
    this.world = world;
    this.oracle = oracle;
    this.sessions = sessions;
    rules = new EventRules(oracle);
  }

  private SentEvent next(Step step) {
    Optional<String> key =
        switch (step.how() % 11) {
          case 0 -> Optional.empty();
          case 1 -> Optional.of("shared " + step.what() % 5);
          default -> Optional.of("key " + oracle.slots.size());
        };
    // Trouble tells most of an event that takes several items.
    boolean isLarge = !step.trouble().isNone() && step.how() % 2 == 0;
    return written.next(key, step.what(), isLarge ? SentTexts.LARGE : step.how());
  }

  void post(Step step) {
    post(sessions.token(step, CONNECTOR), next(step));
  }

  private void post(KnownToken token, SentEvent sent) {
    List<String> headers = new ArrayList<>(List.of("Content-Type", "application/json"));
    sent.key().ifPresent(key -> headers.addAll(List.of("Idempotency-Key", key)));
    rules.sending(token.user(), List.of(sent));
    String[] all = token.headers(headers.toArray(String[]::new));
    rules.post(token, sent, world.client().post(EVENTS, sent.body(false), all));
  }

  /** Sends an event again, or another one under its key. */
  void retry(Step step) {
    List<Slot> sent = oracle.slots.stream().filter(it -> it.key.isPresent()).toList();
    if (sent.isEmpty()) {
      post(sessions.token(step, CONNECTOR), next(step));
      return;
    }
    Slot slot = oracle.any(step.what(), sent);
    post(sessions.tokenOf(slot.user), written.again(slot.sent.orElseThrow(), step.how()));
  }

  private record Wrong(String type, String body, String reply) {}

  private static final List<Wrong> WRONG =
      List.of(
          new Wrong("application/json", "{\"event_type\":", "400 malformed_json"),
          new Wrong("application/json", "{\"event_type\":\"a.b\"}", "422 validation_failed"),
          new Wrong("text/plain", "{}", "415 unsupported_media_type"));

  void postWrong(Step step) {
    KnownToken token = sessions.token(step, CONNECTOR);
    for (Wrong wrong : WRONG) {
      String[] headers = token.headers("Content-Type", wrong.type);
      rules.refused(token, wrong.reply, world.client().post(EVENTS, wrong.body, headers));
    }
  }

  void batch(Step step) {
    KnownToken token = sessions.token(step, CONNECTOR);
    List<Slot> own =
        oracle.slots.stream().filter(it -> it.user == token.user() && it.key.isPresent()).toList();
    List<SentEvent> batch = new ArrayList<>();
    for (int i = 0; i <= step.what() % 8; i++) {
      int how = step.how() + i * 7;
      SentEvent next =
          written.next(
              Optional.of("batch %d %d".formatted(oracle.slots.size(), i)), i, 4 + how % 16);
      // A batch that waits has one key: chance has no part in which of its writes is the first.
      boolean isTwice = (how % 5 == 0 || oracle.isHeld()) && !batch.isEmpty();
      boolean isAgain = how % 3 == 0 && !own.isEmpty();
      batch.add(
          isTwice
              ? written.again(Step.any(how, batch), how)
              : isAgain
                  ? written.again(oracle.any(step.what() + i, own).sent.orElseThrow(), how)
                  : next);
    }
    String list = String.join(",", batch.stream().map(it -> it.body(true)).toList());
    String[] headers = token.headers("Content-Type", "application/json");
    rules.sending(token.user(), batch);
    Answer answer = world.client().post(EVENTS + "/batch", "{\"events\":[" + list + "]}", headers);
    rules.batch(token, batch, answer);
  }

  void missing(Step step) {
    KnownToken token = sessions.token(step, CONNECTOR);
    List<String> keys = new ArrayList<>(List.of("never sent"));
    List<Slot> keyed = oracle.slots.stream().filter(it -> it.key.isPresent()).toList();
    for (int i = 0; i < step.what() % 6 && !keyed.isEmpty(); i++) {
      keys.add(Step.any(step.how() + i * 3, keyed).key.orElseThrow());
    }
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    keys.forEach(body.putArray("idempotency_keys")::add);
    String[] headers = token.headers("Content-Type", "application/json");
    Answer answer = world.client().post(EVENTS + "/missing", body.toString(), headers);
    rules.missing(token, keys, answer);
  }
}
