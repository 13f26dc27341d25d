package dev.connectorevents.acceptance.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.user.Role;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Makes the requests of connectors and consumers, and lets the oracle judge the answers. */
final class Walker {

  private static final String EVENTS = "/api/webhook-events";

  private final World world;
  private final Oracle oracle;
  private final SessionRules sessions;
  private final EventRules events;
  private final Operators operators;
  private final WrittenEvents written = new WrittenEvents();

  Walker(World world, Oracle oracle) {
    this.world = world;
    this.oracle = oracle;
    sessions = new SessionRules(oracle);
    events = new EventRules(oracle);
    operators = new Operators(world, oracle, sessions);
  }

  /** Creates the first users: the steps would have nobody else to begin with. */
  void begin() {
    operators.begin();
  }

  void make(Step step) {
    switch (step.move()) {
      case LOGIN -> login(step);
      case GUESS -> guess(step);
      case REFRESH -> refresh(token(step, Optional.empty()));
      case OUTSTAY -> outstay(Step.any(step.who(), oracle.users));
      case ME -> me(token(step, Optional.empty()));
      case POST -> post(token(step, Optional.of(Role.CONNECTOR)), next(step));
      case RETRY -> retry(step);
      case POST_WRONG -> postWrong(step);
      case BATCH -> batch(step);
      case MISSING -> missing(step);
      case READ -> read(step);
      case ERASE -> erase(step);
      case CREATE,
          DISABLE,
          ENABLE,
          RESET_PASSWORD,
          REVOKE_TOKENS,
          SET_ROLE,
          SET_SCOPE,
          DELETE,
          ISSUE_STATIC_TOKEN ->
          operators.manage(step);
      case ROTATE -> operators.rotate();
      case PASS -> world.clock().pass(Step.any(step.how(), PASSING));
      case KILL -> world.kill();
    }
  }

  private static final List<Duration> PASSING =
      List.of(
          Duration.ofSeconds(1),
          Duration.ofSeconds(4),
          Duration.ofSeconds(6),
          Duration.ofSeconds(6),
          Duration.ofSeconds(20),
          Duration.ofSeconds(61),
          Duration.ofSeconds(61),
          Duration.ofSeconds(310),
          Duration.ofSeconds(310),
          Duration.ofMinutes(16),
          Duration.ofHours(1),
          Duration.ofHours(9),
          Duration.ofDays(1));

  private void login(Step step) {
    KnownUser user = Step.any(step.who(), oracle.users);
    String password = user.possible().findFirst().orElseThrow().password();
    switch (step.how() % 10) {
      case 0 -> login(user.email, password + " or not");
      case 1 -> login("nobody@example.com", password);
      default -> login(user.email, password);
    }
  }

  private void login(String email, String password) {
    Answer answer = world.client().login(email, password);
    sessions.login(email, operators.holder(email), password, answer);
  }

  private void guess(Step step) {
    KnownUser user = Step.any(step.who(), oracle.users);
    for (int i = 0; i < step.how() % 13; i++) {
      login(user.email, "guess number " + i);
    }
  }

  /**
   * Chooses a token: mostly a live one, if need be after a login; at times a late or a false one.
   */
  private KnownToken token(Step step, Optional<Role> role) {
    if (step.who() % 5 == 0 && !oracle.tokens.isEmpty()) {
      int known = oracle.tokens.size();
      List<KnownToken> late = oracle.tokens.subList(Math.max(0, known - 12), known);
      KnownToken any = Step.any(step.what(), late);
      return switch (step.who() % 8) {
        case 0 -> any.forged();
        case 1 -> KnownToken.none(any.user());
        default -> any;
      };
    }
    List<KnownUser> able =
        oracle.users.stream()
            .filter(user ->
                user.surely(it ->
                    it.exists()
                        && it.isActive()
                        && role.filter(needed -> needed != it.role()).isEmpty()))
            .toList();
    return tokenOf(Step.any(step.who(), able.isEmpty() ? oracle.users : able));
  }

  /** A live token of this user, if it can have one. */
  private KnownToken tokenOf(KnownUser user) {
    if (live(user).isEmpty()) {
      login(user.email, user.possible().findFirst().orElseThrow().password());
    }
    return live(user)
        .orElseGet(() -> oracle.tokens.isEmpty() ? KnownToken.none(user) : oracle.tokens.getLast());
  }

  private Optional<KnownToken> live(KnownUser user) {
    return oracle.tokens.reversed().stream()
        .filter(
            it -> it.user() == user && oracle.isValid(it) && user.surely(each -> each.admits(it)))
        .findFirst();
  }

  private SentEvent next(Step step) {
    Optional<String> key =
        switch (step.how() % 11) {
          case 0 -> Optional.empty();
          case 1 -> Optional.of("shared " + step.what() % 5);
          default -> Optional.of("key " + oracle.slots.size());
        };
    return written.next(key, step.what(), step.how());
  }

  private void post(KnownToken token, SentEvent sent) {
    List<String> headers = new ArrayList<>(bearer(token));
    headers.addAll(List.of("Content-Type", "application/json"));
    sent.key().ifPresent(key -> headers.addAll(List.of("Idempotency-Key", key)));
    String[] all = headers.toArray(String[]::new);
    events.post(token, sent, world.client().post(EVENTS, sent.body(false), all));
  }

  /** Sends an event again, or another one under its key. */
  private void retry(Step step) {
    List<Slot> sent = oracle.slots.stream().filter(it -> it.key.isPresent()).toList();
    if (sent.isEmpty()) {
      post(token(step, Optional.of(Role.CONNECTOR)), next(step));
      return;
    }
    Slot slot = Step.any(step.what(), sent);
    post(tokenOf(slot.user), written.again(slot.sent.orElseThrow(), step.how()));
  }

  private record Wrong(String type, String body, String reply) {}

  private static final List<Wrong> WRONG =
      List.of(
          new Wrong("application/json", "{\"event_type\":", "400 malformed_json"),
          new Wrong("application/json", "{\"event_type\":\"a.b\"}", "422 validation_failed"),
          new Wrong("text/plain", "{}", "415 unsupported_media_type"));

  private void postWrong(Step step) {
    KnownToken token = token(step, Optional.of(Role.CONNECTOR));
    for (Wrong wrong : WRONG) {
      String[] headers = headers(token, "Content-Type", wrong.type);
      events.refused(token, wrong.reply, world.client().post(EVENTS, wrong.body, headers));
    }
  }

  private void batch(Step step) {
    KnownToken token = token(step, Optional.of(Role.CONNECTOR));
    List<Slot> own =
        oracle.slots.stream().filter(it -> it.user == token.user() && it.key.isPresent()).toList();
    List<SentEvent> batch = new ArrayList<>();
    for (int i = 0; i <= step.what() % 8; i++) {
      int how = step.how() + i * 7;
      SentEvent next =
          written.next(
              Optional.of("batch %d %d".formatted(oracle.slots.size(), i)), i, 4 + how % 16);
      boolean isAgain = how % 3 == 0 && !own.isEmpty();
      boolean isTwice = how % 5 == 0 && !batch.isEmpty();
      batch.add(
          isAgain
              ? written.again(Step.any(step.what() + i, own).sent.orElseThrow(), how)
              : isTwice ? written.again(Step.any(how, batch), how) : next);
    }
    String list = String.join(",", batch.stream().map(it -> it.body(true)).toList());
    String[] headers = headers(token, "Content-Type", "application/json");
    Answer answer = world.client().post(EVENTS + "/batch", "{\"events\":[" + list + "]}", headers);
    events.batch(token, batch, answer);
  }

  private void missing(Step step) {
    KnownToken token = token(step, Optional.of(Role.CONNECTOR));
    List<String> keys = new ArrayList<>(List.of("never sent"));
    List<Slot> keyed = oracle.slots.stream().filter(it -> it.key.isPresent()).toList();
    for (int i = 0; i < step.what() % 6 && !keyed.isEmpty(); i++) {
      keys.add(Step.any(step.how() + i * 3, keyed).key.orElseThrow());
    }
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    keys.forEach(body.putArray("idempotency_keys")::add);
    String[] headers = headers(token, "Content-Type", "application/json");
    Answer answer = world.client().post(EVENTS + "/missing", body.toString(), headers);
    events.missing(token, keys, answer);
  }

  private void read(Step step) {
    List<Slot> named = named();
    if (!named.isEmpty()) {
      read(
          token(step, Optional.of(Role.CONSUMER)),
          Step.any(step.what(), named),
          step.how() % 2 == 0);
    }
  }

  private List<Slot> named() {
    return oracle.slots.stream().filter(it -> it.id.isPresent()).toList();
  }

  private void read(KnownToken token, Slot slot, boolean isPayload) {
    String path = EVENTS + "/" + slot.id.orElseThrow() + (isPayload ? "/payload" : "");
    events.read(token, slot, isPayload, get(path, token));
  }

  /** Reads all events, as a new consumer. */
  void readAll() {
    KnownUser reader = operators.newConsumer();
    world.clock().pass(Duration.ofSeconds(6));
    named().forEach(slot -> read(tokenOf(reader), slot, true));
  }

  private void refresh(KnownToken token) {
    String[] headers = headers(token);
    Answer answer =
        world.client().send("POST", "/api/auth/refresh", BodyPublishers.noBody(), headers);
    sessions.refresh(token, answer);
  }

  /** Refreshes the tokens of a session until it ends. */
  private void outstay(KnownUser user) {
    refresh(tokenOf(user));
    for (int i = 0; i < 2; i++) {
      world.clock().pass(SessionRules.SESSION_LIFETIME.dividedBy(2).plusMinutes(1));
      refresh(oracle.tokens.isEmpty() ? KnownToken.none(user) : oracle.tokens.getLast());
    }
  }

  private void me(KnownToken token) {
    sessions.me(token, get("/api/auth/me", token));
  }

  private Answer get(String path, KnownToken token) {
    return world.client().send("GET", path, BodyPublishers.noBody(), headers(token));
  }

  private static String[] headers(KnownToken token, String... more) {
    List<String> headers = new ArrayList<>(bearer(token));
    headers.addAll(List.of(more));
    return headers.toArray(String[]::new);
  }

  private static List<String> bearer(KnownToken token) {
    return token.text().isEmpty() ? List.of() : List.of("Authorization", "Bearer " + token.text());
  }

  /** Erases some events. If a call fails, the operator at times gives up. */
  private void erase(Step step) {
    List<Slot> named = named();
    if (named.isEmpty()) {
      return;
    }
    TreeSet<Integer> chosen = new TreeSet<>();
    for (int i = 0; i <= step.how() % 3; i++) {
      chosen.add((step.what() + i * 5) % named.size());
    }
    List<Slot> slots = chosen.stream().map(named::get).toList();
    ObjectNode request = JsonNodeFactory.instance.objectNode();
    slots.forEach(it -> request.withArray("ids").add(it.id.orElseThrow()));
    events.erasing(slots);
    JsonNode answer = request;
    for (int call = 0; call < 20 && !answer.path("complete").asBoolean(); call++) {
      if (answer.has("next")) {
        request.set("next", answer.get("next"));
        world.clock().pass(Duration.ofSeconds(answer.path("wait_seconds").asLong()));
      }
      answer = world.operator().eraseEvents(request);
      String reply = OperatorRules.reply(answer);
      events.erased(slots, reply, answer);
      if (!reply.equals(Oracle.OK) && step.who() % 2 == 0) {
        return;
      }
    }
    Oracle.require(answer.path("complete").asBoolean(), "the erasure does not end: " + answer);
  }
}
