package dev.connectorevents.functions.manageusers;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.connectorevents.event.EventTypePattern;
import dev.connectorevents.event.EventTypes;
import dev.connectorevents.http.Fault;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.PasswordHash;
import dev.connectorevents.user.Role;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Reads the members of an operator's event, and collects all faults. A member that an action does
 * not have is one too: a misspelled scope must not create a user without a scope.
 */
final class Members {

  /** The longest name of a user, in characters. */
  private static final int MAX_NAME = 255;

  private static final Pattern NAME = Pattern.compile("[^\\p{Cc}\\p{Cf}\\p{Cs}]+");

  private static final String ROLE_RULE = "one of " + Role.names();

  private static final String SCOPE = "event_types";
  private static final String SCOPE_RULE =
      "an array of 1 to " + EventTypes.MAX_PATTERNS + " patterns of event types, each a string";
  private static final String PATTERN_RULE =
      "a pattern that is in the array once: " + EventTypePattern.RULE;

  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final JsonNode body;
  private final List<Fault> faults = new ArrayList<>();

  /** The members that the action has: each is looked up, whether it is there or not. */
  private final Set<String> known = new LinkedHashSet<>();

  private Members(JsonNode body) {
    this.body = body;
  }

  /** Reads an event; empty if it is not one JSON object, or has a name twice. */
  static Optional<Members> read(byte[] event) {
    try {
      JsonNode body = JSON.readTree(event);
      return body.isObject() ? Optional.of(new Members(body)) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  boolean areOfAnApi() {
    return body.has("requestContext");
  }

  List<Fault> faults() {
    return List.copyOf(faults);
  }

  /** Call after all members of the action have been read. */
  void refuseOthers(ActionName action) {
    String rule = "unknown member: " + action + " has " + String.join(", ", known);
    body.fieldNames()
        .forEachRemaining(name -> {
          if (!known.contains(name)) {
            faults.add(new Fault(Fault.pointer("", name), rule));
          }
        });
  }

  Optional<ActionName> action() {
    String rule = "required: one of " + ActionName.list();
    return required("action", rule, node -> text(node).flatMap(ActionName::parse));
  }

  Optional<Email> email() {
    String rule = "required: an e-mail address of at most " + Email.MAX_LENGTH + " characters";
    return required("email", rule, node -> text(node).flatMap(Email::parse));
  }

  Optional<String> name() {
    String rule =
        "a string of 1 to " + MAX_NAME + " characters, without control and formatting characters";
    return optional("name", rule, node -> text(node).filter(Members::isName));
  }

  Optional<Password> password() {
    String rule =
        "a string of at least %d characters and at most %d bytes in UTF-8, without NUL"
            .formatted(Password.MIN_LENGTH, PasswordHash.MAX_PASSWORD_BYTES);
    return optional("password", rule, node -> text(node).flatMap(Password::parse));
  }

  Optional<Role> role() {
    return optional("role", ROLE_RULE, node -> text(node).flatMap(Role::parse));
  }

  Optional<Role> requiredRole() {
    return required("role", "required: " + ROLE_RULE, node -> text(node).flatMap(Role::parse));
  }

  /** The scope; empty if it is absent, null or wrong. */
  Optional<EventTypes> scope() {
    known.add(SCOPE);
    return body.hasNonNull(SCOPE) ? readScope(body.path(SCOPE)) : Optional.empty();
  }

  /** As {@link #scope}, but it must not be absent: null lifts the scope. */
  Optional<EventTypes> requiredScope() {
    if (!body.has(SCOPE)) {
      faults.add(new Fault("/" + SCOPE, "required: null for all, or " + SCOPE_RULE));
    }
    return scope();
  }

  private Optional<EventTypes> readScope(JsonNode array) {
    int size = array.size();
    if (!array.isArray() || size == 0 || size > EventTypes.MAX_PATTERNS) {
      String count = array.isArray() ? "; there are " + size : "";
      faults.add(new Fault("/" + SCOPE, SCOPE_RULE + count));
      return Optional.empty();
    }
    Set<EventTypePattern> patterns = new LinkedHashSet<>();
    for (int i = 0; i < size; i++) {
      Optional<EventTypePattern> pattern = text(array.path(i)).flatMap(EventTypePattern::parse);
      if (pattern.isEmpty() || !patterns.add(pattern.get())) {
        faults.add(new Fault("/" + SCOPE + "/" + i, PATTERN_RULE));
      }
    }
    return patterns.size() == size
        ? Optional.of(new EventTypes(List.copyOf(patterns)))
        : Optional.empty();
  }

  Optional<UserCursor> next() {
    String rule = "the value of next in the previous answer, unchanged";
    return optional("next", rule, node -> text(node).flatMap(UserCursor::parse));
  }

  int days(int max) {
    String rule = "an integer from 1 to " + max;
    return optional("days", rule, node -> integer(node).filter(days -> days >= 1 && days <= max))
        .orElse(max);
  }

  /** People read names: characters that hide or reorder text could deceive them. */
  private static boolean isName(String text) {
    return text.length() <= MAX_NAME && NAME.matcher(text).matches();
  }

  private static Optional<String> text(JsonNode node) {
    return Optional.ofNullable(node.textValue());
  }

  private static Optional<Integer> integer(JsonNode node) {
    return node.isIntegralNumber() && node.canConvertToInt()
        ? Optional.of(node.intValue())
        : Optional.empty();
  }

  private <T> Optional<T> required(String name, String rule, Function<JsonNode, Optional<T>> read) {
    known.add(name);
    Optional<T> value = read.apply(body.path(name));
    if (value.isEmpty()) {
      faults.add(new Fault("/" + name, rule));
    }
    return value;
  }

  private <T> Optional<T> optional(String name, String rule, Function<JsonNode, Optional<T>> read) {
    known.add(name);
    return body.hasNonNull(name) ? required(name, rule, read) : Optional.empty();
  }
}
