package dev.connectorevents.acceptance.search;

import static dev.connectorevents.acceptance.search.HandMadeHistory.CONNECTOR;
import static dev.connectorevents.acceptance.search.HandMadeHistory.CONSUMER;
import static dev.connectorevents.acceptance.search.HandMadeHistory.answer;
import static dev.connectorevents.acceptance.search.HandMadeHistory.kept;
import static dev.connectorevents.acceptance.search.HandMadeHistory.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.connectorevents.acceptance.search.CallHistory.Change.Kind;
import dev.connectorevents.acceptance.search.ClientCall.Route;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each rule of the search reports its own violation, and nothing that is allowed. */
class RulesTest {

  private static final Pattern RULE = Pattern.compile("\"(\\w[^\"%]* [^\"%]*)\"");
  private static final String CODE = "{\"code\":\"x\"}";
  private static final String CONFLICT = "{\"code\":\"idempotency_key_reused\"}";
  private static final Event EVENT = event(1, "key");
  private static final Event OTHER = event(2, "other key");
  private static final Event WITH_META =
      new Event(
          3,
          CONNECTOR,
          Optional.of("third key"),
          "t",
          1,
          "{\"n\":3, \"_meta\":{\"source\":\"s\",%s}}".formatted(Event.ATTEMPT));

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void a_rule_finds(String rule, Consumer<HandMadeHistory> steps) {
    HandMadeHistory history = new HandMadeHistory();
    steps.accept(history);

    assertThat(history.brokenRules()).containsExactly(rule);
  }

  /** The rules are the strings with a space in the classes whose names end in {@code Rules}. */
  @Test
  void each_rule_is_seen_to_find_something() throws IOException {
    Set<String> rules = new HashSet<>();
    Path folder = Path.of("src/test/java/dev/connectorevents/acceptance/search");
    try (DirectoryStream<Path> sources = Files.newDirectoryStream(folder, "*Rules.java")) {
      for (Path source : sources) {
        RULE.matcher(Files.readString(source)).results().forEach(it -> rules.add(it.group(1)));
      }
    }

    assertThat(a_rule_finds().map(it -> it.get()[0]).distinct())
        .containsExactlyInAnyOrderElementsOf(rules);
  }

  static Stream<Arguments> a_rule_finds() {
    return Stream.of(ofAnswers(), ofTokens(), ofLogins(), ofRows(), ofKeys(), ofLists())
        .flatMap(cases -> cases);
  }

  private static Stream<Arguments> ofAnswers() {
    return Stream.of(
        when("an internal error", it -> it.send(EVENT, 500, CODE)),
        when("a refusal without a code", it -> it.send(EVENT, 401, "{}")),
        when("503 without Retry-After", it -> it.send(EVENT, 503, CODE)),
        when(
            "a batch without a result for each event",
            it -> it.sendAll(List.of(EVENT), "{\"results\":[]}")),
        when(
            "a batch without a result for each event",
            it -> it.sendAll(List.of(EVENT), "{\"results\":[{\"status\":500}]}")),
        when("a valid event was refused", it -> it.send(EVENT, 400, CODE)),
        when("an acknowledged event is read otherwise", it -> it.read(CONSUMER, EVENT, 404, CODE)),
        when(
            "an acknowledged event is read otherwise",
            it -> {
              it.acknowledge(EVENT);
              it.read(CONSUMER, EVENT, 200, "{}");
            }));
  }

  private static Stream<Arguments> ofTokens() {
    return Stream.of(
        when(
            "a forged token was accepted",
            it -> it.answer(Route.ME, it.token(CONNECTOR).forged(), 200, me(CONNECTOR))),
        when("a role was not checked", it -> it.answer(Route.READ, it.token(CONNECTOR), 404, CODE)),
        when(
            "the right role was refused",
            it -> it.answer(Route.READ, it.token(CONSUMER), 403, CODE)),
        when(
            "a static token was refreshed",
            it -> it.answer(Route.REFRESH, it.token(CONNECTOR, "first", true), 200, "")),
        when(
            "another user was shown",
            it -> it.answer(Route.ME, it.token(CONNECTOR), 200, me(CONSUMER))),
        when(
            "an expired token was accepted",
            it -> {
              Token token = it.token(CONNECTOR);
              it.pass(Duration.ofHours(1).plusSeconds(33));
              it.answer(Route.ME, token, 200, me(CONNECTOR));
            }),
        when(
            "a revoked token was accepted",
            it -> {
              Token token = it.token(CONNECTOR);
              it.change(CONNECTOR, Kind.REVOCATION, true);
              it.answer(Route.ME, token, 200, me(CONNECTOR));
            }),
        when(
            "a revoked token was accepted",
            it -> {
              Token token = it.token(CONSUMER);
              it.change(CONSUMER, Kind.DISABLING, true);
              it.pass(Duration.ofSeconds(8));
              it.answer(Route.READ, token, 404, CODE);
            }),
        when(
            "a token of a dead key was accepted",
            it -> {
              Token token = it.token(CONNECTOR);
              it.rotate("second");
              it.rotate("third");
              it.pass(Duration.ofMinutes(5).plusSeconds(5));
              it.answer(Route.ME, token, 200, me(CONNECTOR));
            }),
        when(
            "a live token was refused",
            it -> {
              it.rotate("second");
              it.change(CONNECTOR, Kind.REVOCATION, true);
              Token token = it.token(CONNECTOR, "second", false);
              it.rotate("third");
              it.answer(Route.ME, token, 401, CODE);
            }));
  }

  private static Stream<Arguments> ofLogins() {
    return Stream.of(
        when("a wrong password was accepted", it -> it.login(CONNECTOR.guessed(), 200)),
        when(
            "too many guesses were answered",
            it -> IntStream.range(0, 11).forEach(i -> it.login(CONNECTOR.guessed(), 401))),
        when(
            "a disabled user logged in",
            it -> {
              it.change(CONNECTOR, Kind.ENABLING, true);
              it.change(CONNECTOR, Kind.DISABLING, true);
              it.login(CONNECTOR, 200);
            }),
        when("a login was refused", it -> it.login(CONNECTOR, 401)),
        when(
            "a login was refused",
            it -> {
              it.change(CONNECTOR, Kind.DISABLING, true);
              it.change(CONNECTOR, Kind.ENABLING, true);
              it.login(CONNECTOR, 401);
            }),
        when("a login without failures had to wait", it -> it.login(CONNECTOR, 429)));
  }

  private static Stream<Arguments> ofRows() {
    return Stream.of(
        when("a part without its event", it -> it.storePart("id#1")),
        when("stored what nobody sent, or a part of it", it -> it.store(row(EVENT, "a", it.now()))),
        when(
            "stored what nobody sent, or a part of it",
            it -> {
              it.send(EVENT, 0, "");
              it.store(row(EVENT.of("another type"), "a", it.now()));
            }),
        when(
            "stored what was refused",
            it -> {
              it.send(EVENT, 401, CODE);
              it.store(row(EVENT, "a", it.now()));
            }),
        when(
            "stored with another user",
            it -> {
              it.send(EVENT, 0, "");
              it.store(row(EVENT, CONSUMER, kept(EVENT, it.now()), "a", it.now()));
            }),
        when(
            "stored other bytes than were sent",
            it -> {
              it.send(EVENT, 0, "");
              it.store(row(EVENT, CONNECTOR, "{\"n\":1, \"x\":1.0}", "a", it.now()));
            }),
        when(
            "created at another time than it was sent",
            it -> {
              it.send(EVENT, 0, "");
              it.store(row(EVENT, "a", it.now().plusSeconds(3)));
            }),
        when(
            "received_at is not created_at",
            it -> {
              it.send(EVENT, 0, "");
              it.store(row(EVENT, CONNECTOR, kept(EVENT, it.now()), "a", it.now().plusMillis(1)));
            }));
  }

  private static Stream<Arguments> ofKeys() {
    return Stream.of(
        when(
            "stored twice",
            it -> {
              it.acknowledge(EVENT);
              it.store(row(EVENT, "b", it.now()));
            }),
        when("acknowledged, but not stored", it -> it.send(EVENT, 201, answer("a", it.now(), 1))),
        when(
            "acknowledged, but another event is stored",
            it -> {
              Event other = event(2, "key");
              it.send(EVENT, 201, answer("a", it.now(), 1));
              it.send(other, 0, "");
              it.store(row(other, "a", it.now()));
            }),
        when(
            "acknowledged with values that are not stored",
            it -> {
              it.send(EVENT, 201, answer("a", it.now(), 1));
              it.store(row(EVENT, "b", it.now()));
            }),
        when(
            "acknowledged with values that are not stored",
            it -> {
              it.send(EVENT, 201, answer("a", it.now(), 1));
              it.store(row(EVENT, "a", it.now()));
            }),
        when(
            "the first answer and a replay differ",
            it -> {
              TableRow row = it.acknowledge(EVENT);
              it.sendAgain(EVENT, answer(row.id(), row.createdAt(), 2));
            }),
        when(
            "stored the payload of one try with the members of another",
            it -> {
              Instant createdAt = it.now();
              it.send(WITH_META, 201, answer("a", createdAt, 2));
              it.store(row(WITH_META, "a", createdAt));
            }),
        when("a conflict with nothing", it -> it.send(EVENT, 422, CONFLICT)),
        when(
            "a conflict with nothing",
            it -> {
              it.acknowledge(EVENT);
              it.send(EVENT, 422, CONFLICT);
            }),
        when(
            "a replay of nothing",
            it -> {
              Instant createdAt = it.now();
              it.sendAgain(EVENT, answer("a", createdAt, 1));
              it.store(row(EVENT, "a", createdAt));
            }),
        when(
            "new for the second time",
            it -> {
              TableRow row = it.acknowledge(EVENT);
              it.send(EVENT, 201, answer(row.id(), row.createdAt(), 1));
            }));
  }

  private static Stream<Arguments> ofLists() {
    return Stream.of(
        when(
            "a list shows what is not stored",
            it -> it.list("", "", it.now(), row(EVENT, "a", it.now()))),
        when(
            "a list shows what is not stored",
            it -> {
              TableRow row = it.acknowledge(EVENT);
              it.list("", "", row.createdAt(), row(EVENT, row.id(), it.now()));
            }),
        when(
            "a page has a complete_until of its own",
            it -> {
              TableRow row = it.acknowledge(EVENT);
              it.list("", "c", it.now(), row);
              it.list("&cursor=c", "", it.now());
            }),
        when(
            "a list is not newest first",
            it -> {
              TableRow old = it.acknowledge(EVENT);
              it.list("", "", it.now(), old, it.acknowledge(OTHER));
            }),
        when(
            "a list repeats an event",
            it -> {
              TableRow row = it.acknowledge(EVENT);
              Instant completeUntil = it.now();
              it.list("", "c", completeUntil, row);
              it.list("&cursor=c", "", completeUntil, row);
            }),
        when(
            "a list skipped an event",
            it -> {
              it.acknowledge(EVENT);
              it.list("", "", it.now());
            }),
        when(
            "a list skipped an event",
            it -> {
              TableRow old = it.acknowledge(EVENT);
              TableRow skipped = it.acknowledge(OTHER);
              TableRow young = it.acknowledge(WITH_META);
              Instant completeUntil = it.now();
              it.list("", "c", completeUntil, young);
              it.list("&cursor=c", "", completeUntil, old);
              assertThat(skipped.createdAt()).isBetween(old.createdAt(), young.createdAt());
            }),
        when(
            "not listed once",
            it -> {
              it.send(EVENT, 0, "");
              it.storeUnlisted(row(EVENT, "a", it.now()));
              it.listOnly("b");
            }),
        when(
            "the list is of another length",
            it -> {
              it.acknowledge(EVENT);
              it.listOnly("b");
            }));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void no_rule_finds(String description, Consumer<HandMadeHistory> steps) {
    HandMadeHistory history = new HandMadeHistory();
    steps.accept(history);

    assertThat(history.brokenRules()).isEmpty();
  }

  static Stream<Arguments> no_rule_finds() {
    return Stream.of(
        when(
            "an event without an answer that is stored",
            it -> {
              it.send(EVENT, 0, "");
              it.store(row(EVENT, "a", it.now()));
            }),
        when("an event without an answer that is not stored", it -> it.send(EVENT, 0, "")),
        when(
            "a replay of an event without an answer",
            it -> {
              Instant createdAt = it.now();
              it.send(EVENT, 0, "");
              it.sendAgain(EVENT, answer("a", createdAt, 1));
              it.store(row(EVENT, "a", createdAt));
            }),
        when(
            "a replay of an event that is stored",
            it -> {
              TableRow row = it.acknowledge(WITH_META);
              it.sendAgain(WITH_META, answer(row.id(), row.createdAt(), 1));
            }),
        when(
            "a conflict with the event under the same key",
            it -> {
              it.acknowledge(EVENT);
              it.send(event(2, "key"), 422, CONFLICT);
            }),
        when(
            "503 of API Gateway, which has no code",
            it -> it.send(EVENT, 503, "{\"message\":\"Service Unavailable\"}")),
        when(
            "a token that is revoked while it is used",
            it -> {
              Token token = it.token(CONSUMER);
              it.change(CONSUMER, Kind.REVOCATION, true);
              it.pass(Duration.ofSeconds(4));
              it.answer(Route.READ, token, 404, CODE);
              it.answer(Route.READ, token, 401, CODE);
            }),
        when(
            "a token that may have been revoked",
            it -> {
              Token token = it.token(CONNECTOR);
              it.change(CONNECTOR, Kind.REVOCATION, false);
              it.answer(Route.ME, token, 401, CODE);
              it.answer(Route.ME, token, 200, me(CONNECTOR));
            }),
        when(
            "a token of the key before",
            it -> {
              Token token = it.token(CONNECTOR);
              it.rotate("second");
              it.pass(Duration.ofMinutes(10));
              it.answer(Route.ME, token, 200, me(CONNECTOR));
            }),
        when(
            "an expired token right after a jump of the clock",
            it -> {
              Token token = it.token(CONNECTOR);
              it.pass(Duration.ofHours(2));
              it.jump();
              it.answer(Route.ME, token, 200, me(CONNECTOR));
            }),
        when(
            "a role that changes",
            it -> {
              it.change(CONNECTOR, Kind.TO_CONSUMER, true);
              it.answer(Route.READ, it.token(CONNECTOR), 404, CODE);
            }),
        when(
            "a login while the user may be disabled",
            it -> {
              it.change(CONNECTOR, Kind.DISABLING, false);
              it.login(CONNECTOR, 200);
              it.login(CONNECTOR, 401);
            }),
        when(
            "a user who has to wait after refused logins",
            it -> {
              it.change(CONNECTOR, Kind.DISABLING, true);
              it.login(CONNECTOR, 401);
              it.change(CONNECTOR, Kind.ENABLING, true);
              it.login(CONNECTOR, 429);
            }),
        when(
            "an event that is younger than complete_until",
            it -> {
              Instant completeUntil = it.now();
              it.acknowledge(EVENT);
              it.list("", "", completeUntil);
            }),
        when(
            "an event that the next page shows",
            it -> {
              TableRow old = it.acknowledge(EVENT);
              TableRow young = it.acknowledge(OTHER);
              Instant completeUntil = it.now();
              it.list("", "c", completeUntil, young);
              it.list("&cursor=c", "", completeUntil, old);
            }));
  }

  private static Arguments when(String name, Consumer<HandMadeHistory> steps) {
    return arguments(name, steps);
  }

  private static Event event(int number, String key) {
    String payload = "{\"n\":%d, \"x\":1}".formatted(number);
    return new Event(number, CONNECTOR, Optional.of(key), "t", 1, payload);
  }

  private static String me(Account account) {
    return "{\"id\":\"%s\"}".formatted(account.id());
  }
}
