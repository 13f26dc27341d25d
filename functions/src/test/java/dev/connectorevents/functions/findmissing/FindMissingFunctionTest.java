package dev.connectorevents.functions.findmissing;

import static dev.connectorevents.user.TestUsers.CONNECTOR;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.Promise;
import dev.connectorevents.event.EventIds;
import dev.connectorevents.event.EventPresence;
import dev.connectorevents.event.IdempotencyKey;
import dev.connectorevents.functions.GatewayEvent;
import dev.connectorevents.functions.GatewayEvent.ParsedAnswer;
import dev.connectorevents.functions.RecordingContext;
import dev.connectorevents.functions.TestService;
import dev.connectorevents.http.Handler;
import dev.connectorevents.user.Role;
import dev.connectorevents.user.TestUsers;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FindMissingFunctionTest {

  private final TestService service = new TestService();
  private final KnownIds events = new KnownIds();
  private final Handler route = FindMissingFunction.handler(service.guard, events);
  private final RecordingContext context = new RecordingContext();

  @Test
  @Promise("in the order sent, each once")
  void keys_without_an_event_are_named_in_the_order_sent() {
    events.store(CONNECTOR.id(), "b");

    ParsedAnswer answer = ask("\"c\",\"b\",\"a\"");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).hasToString("{\"missing\":[\"c\",\"a\"]}");
    assertThat(context.lines().getFirst()).contains("\"keys\":3", "\"missing\":2");
  }

  @Test
  @Promise("in the order sent, each once")
  void a_key_that_is_sent_twice_is_named_once() {
    assertThat(missing(ask("\"b\",\"a\",\"b\""))).containsExactly("b", "a");
    assertThat(events.asked).hasSize(2);
  }

  @Test
  void a_hundred_keys_are_asked_for_at_once() {
    String keys = IntStream.range(0, 100).mapToObj(i -> "\"k" + i + "\"").collect(joining(","));

    assertThat(missing(ask(keys))).hasSize(100);
    assertThat(events.asked).hasSize(100);
  }

  @Test
  @Promise("the same answer as without a scope: the keys are the user's own")
  void a_scope_changes_nothing_since_the_keys_are_the_users_own() {
    service.users.put(TestUsers.withScope(Role.CONNECTOR, "nothing.sent"));
    events.store(CONNECTOR.id(), "b");

    assertThat(missing(ask("\"b\",\"a\""))).containsExactly("a");
  }

  @Test
  @Promise("A key of another user is missing.")
  void another_users_event_is_missing() {
    events.store(new UUID(0, 1), "a");

    assertThat(missing(ask("\"a\""))).containsExactly("a");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                                    | /idempotency_keys: required
          {"idempotency_keys": null}            | /idempotency_keys: required
          {"idempotency_keys": []}              | /idempotency_keys: an array of 1 to 100 keys, each a string: the Idempotency-Key of an event, not its id; there are 0
          {"idempotency_keys": ["a", 1]}        | /idempotency_keys/1: a key: 1 to 255 printable
          {"idempotency_keys": [null]}          | /idempotency_keys/0: a key
          {"idempotency_keys": [["a"]]}         | /idempotency_keys/0: a key
          {"idempotency_keys": [""]}            | /idempotency_keys/0: a key
          """)
  @Promise("1 to 100 keys, each by the rule of the header")
  void a_body_that_breaks_a_rule_is_refused_with_its_pointer(String body, String fault) {
    ParsedAnswer answer = send(body);

    assertThat(answer.status()).isEqualTo(422);
    JsonNode first = answer.body().at("/errors/0");
    assertThat(first.get("pointer").textValue() + ": " + first.get("detail").textValue())
        .startsWith(fault);
    assertThat(events.asked).isEmpty();
  }

  @Test
  @Promise("1 to 100 keys, each by the rule of the header")
  void a_hundred_and_one_keys_are_refused_with_their_number() {
    ParsedAnswer answer = ask("\"k\",".repeat(100) + "\"k\"");

    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.body().at("/errors/0/detail").textValue())
        .isEqualTo(
            "an array of 1 to 100 keys, each a string: the Idempotency-Key of an event, not its id; there are 101");
  }

  private ParsedAnswer ask(String keys) {
    return send("{\"idempotency_keys\":[" + keys + "]}");
  }

  private ParsedAnswer send(String body) {
    return GatewayEvent.read("find-missing-webhook-events")
        .withToken(service.token())
        .withBody(body)
        .sendTo(route, context);
  }

  private static List<String> missing(ParsedAnswer answer) {
    assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
    return answer.body().get("missing").valueStream().map(JsonNode::textValue).toList();
  }

  /** A store that has only the ids of events. */
  private static final class KnownIds implements EventPresence {

    private final Set<UUID> known = new HashSet<>();
    private Set<UUID> asked = Set.of();

    void store(UUID user, String key) {
      known.add(EventIds.of(user, new IdempotencyKey(key)));
    }

    @Override
    public Set<UUID> stored(Set<UUID> ids) {
      asked = ids;
      Set<UUID> found = new HashSet<>(ids);
      found.retainAll(known);
      return found;
    }
  }
}
