package dev.connectorevents.functions.operators;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.event.EventTypePattern;
import dev.connectorevents.event.EventTypes;
import dev.connectorevents.event.Sha256;
import dev.connectorevents.eventformat.Rfc3339;
import dev.connectorevents.http.Fault;
import dev.connectorevents.json.Body;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Reads an operator's event, or an object in it, and collects all faults. A member that nobody has
 * asked for is one too: a slip must neither erase more than was meant, nor create a user without a
 * scope.
 */
public final class OperatorEvent {

  /** The longest {@link #label}, in characters. */
  private static final int MAX_LABEL = 255;

  /** The rule of a {@link #label}. */
  public static final String LABEL_RULE =
      "1 to " + MAX_LABEL + " characters, without control and formatting characters";

  private static final Pattern LABEL = Pattern.compile("[^\\p{Cc}\\p{Cf}\\p{Cs}]+");

  private static final String MALFORMED =
      "The event must be one JSON object in UTF-8, and no name may appear twice.";

  private static final Fault NUMBER_OUT_OF_RANGE =
      new Fault("", "no number may have an exponent of more than 9 digits");

  /** The rule of {@link #eventTypes}. */
  public static final String EVENT_TYPES_RULE =
      "an array of 1 to " + EventTypes.MAX_PATTERNS + " patterns of event types, each a string";

  private static final String PATTERN_RULE =
      "a pattern that is in the array once: " + EventTypePattern.RULE;

  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(JsonNodeFeature.WRITE_PROPERTIES_SORTED)
          .build();

  private final ObjectNode object;
  private final String place;
  private final List<Fault> faults;

  /** The members that were asked for, whether they are there or not. */
  private final Set<String> known = new LinkedHashSet<>();

  /** Asks an event for its members. What it returns makes the request, if there are no faults. */
  @FunctionalInterface
  public interface Reader<T> {
    Supplier<? extends T> read(OperatorEvent event);
  }

  private OperatorEvent(ObjectNode object, String place, List<Fault> faults) {
    this.object = object;
    this.place = place;
    this.faults = faults;
  }

  /**
   * Reads an event.
   *
   * @throws IllegalStateException if the event came through an API
   */
  public static <T> Body<T> read(byte[] text, Reader<T> reader) {
    JsonNode event;
    try {
      event = JSON.readTree(text);
    } catch (IOException e) {
      return new Body.Malformed<>(MALFORMED);
    } catch (NumberFormatException e) {
      return new Body.Invalid<>(List.of(NUMBER_OUT_OF_RANGE));
    }
    return event instanceof ObjectNode object
        ? read(new OperatorEvent(object, "", new ArrayList<>()), reader)
        : new Body.Malformed<>(MALFORMED);
  }

  private static <T> Body<T> read(OperatorEvent event, Reader<T> reader) {
    if (event.object.has("requestContext")) {
      throw new IllegalStateException("this function must not have a route");
    }
    Supplier<? extends T> request = reader.read(event);
    return event.isValid() ? new Body.Read<>(request.get()) : new Body.Invalid<>(event.faults);
  }

  /** Whether no rule is broken so far, in the whole event. */
  public boolean isValid() {
    return faults.isEmpty();
  }

  /** Adds a fault of a member, unless a rule holds. An empty name stands for the object. */
  public void check(boolean holds, String name, String rule) {
    if (!holds) {
      faults.add(new Fault(name.isEmpty() ? place : Fault.pointer(place, name), rule));
    }
  }

  /**
   * Adds a fault for each member that was not asked for. Call it after all others.
   *
   * @param whose what has the members that were asked for: the first fault names them
   */
  public void refuseOthers(String whose) {
    String rule = "unknown member: " + whose + " has " + String.join(", ", known);
    for (Map.Entry<String, JsonNode> member : object.properties()) {
      if (!known.contains(member.getKey())) {
        check(false, member.getKey(), rule);
        rule = "unknown member"; // there may be thousands
      }
    }
  }

  /** Whether a member is there that tells the kind of the event. This does not ask for it. */
  public boolean isOf(String name) {
    return object.has(name);
  }

  /** Whether a member is there, be it null. */
  public boolean has(String name) {
    known.add(name);
    return object.has(name);
  }

  /** Whether a member is there, and not null. */
  public boolean hasNonNull(String name) {
    return has(name) && object.hasNonNull(name);
  }

  /** The value of a member that must be there; empty if its rule is broken. */
  public <T> Optional<T> required(String name, String rule, Function<JsonNode, Optional<T>> read) {
    known.add(name);
    Optional<T> value = read.apply(object.path(name));
    check(value.isPresent(), name, rule);
    return value;
  }

  /** The value of a member that may be absent or null; empty also if its rule is broken. */
  public <T> Optional<T> optional(String name, String rule, Function<JsonNode, Optional<T>> read) {
    return hasNonNull(name) ? required(name, rule, read) : Optional.empty();
  }

  /** As {@link #optional}, but null breaks the rule. */
  public <T> Optional<T> optionalNotNull(
      String name, String rule, Function<JsonNode, Optional<T>> read) {
    return has(name) ? required(name, rule, read) : Optional.empty();
  }

  /** Adds a fault unless a member is {@code true}. */
  public void checkIsTrue(String name) {
    required(name, "true", node -> bool(node).filter(value -> value));
  }

  /** An object that must be there, to ask for its members; empty if it is none. */
  public Optional<OperatorEvent> object(String name, String rule) {
    return required(name, rule, it -> part(it, Fault.pointer(place, name)));
  }

  private Optional<OperatorEvent> part(JsonNode node, String pointer) {
    return node instanceof ObjectNode part
        ? Optional.of(new OperatorEvent(part, pointer, faults))
        : Optional.empty();
  }

  /**
   * The elements of an array that must be there, and has 1 to {@code max}. Those that break their
   * rule are left out.
   */
  public <T> List<T> elements(
      String name, String rule, int max, String ruleOfEach, Function<JsonNode, Optional<T>> read) {
    return parts(name, rule, max, ruleOfEach, (node, _) -> read.apply(node));
  }

  /** As {@link #elements}, for objects. */
  public List<OperatorEvent> objects(String name, String rule, int max, String ruleOfEach) {
    return parts(name, rule, max, ruleOfEach, this::part);
  }

  private interface PartReader<T> {
    Optional<T> read(JsonNode node, String pointer);
  }

  private <T> List<T> parts(
      String name, String rule, int max, String ruleOfEach, PartReader<T> reader) {
    known.add(name);
    JsonNode array = object.path(name);
    if (!array.isArray() || array.isEmpty() || array.size() > max) {
      check(false, name, rule + (array.isArray() ? "; there are " + array.size() : ""));
      return List.of();
    }
    List<T> parts = new ArrayList<>();
    for (int i = 0; i < array.size(); i++) {
      String each = name + "/" + i;
      Optional<T> part = reader.read(array.path(i), place + "/" + each);
      if (part.isEmpty()) {
        faults.add(new Fault(place + "/" + each, ruleOfEach));
      }
      part.ifPresent(parts::add);
    }
    return parts;
  }

  /** A set of event types that must be there; empty if its rule is broken. */
  public Optional<EventTypes> eventTypes(String name) {
    Set<EventTypePattern> patterns = new LinkedHashSet<>();
    elements(
        name,
        EVENT_TYPES_RULE,
        EventTypes.MAX_PATTERNS,
        PATTERN_RULE,
        text(text -> EventTypePattern.parse(text).filter(patterns::add)));
    return EventTypes.of(List.copyOf(patterns));
  }

  /**
   * A time that must be there; empty if its rule is broken.
   *
   * @param why it must be there: the end of a sentence
   */
  public Optional<Instant> time(String name, String why) {
    return required(name, Rfc3339.RULE + why, text(Rfc3339::parse));
  }

  /** Adds a fault of {@code to} unless it is after {@code from}, if both are there. */
  public void checkOrder(Optional<Instant> from, Optional<Instant> to) {
    boolean isInOrder = from.isEmpty() || to.isEmpty() || from.get().isBefore(to.get());
    check(isInOrder, "to", "a time after from");
  }

  /** SHA-256 of the event without a member, whatever the order of the others. */
  public String digestWithout(String name) {
    try {
      return Sha256.hex(JSON.writeValueAsString(object.deepCopy().without(name)));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e); // it was read
    }
  }

  /** Reads strings. */
  public static <T> Function<JsonNode, Optional<T>> text(Function<String, Optional<T>> parse) {
    return node -> Optional.ofNullable(node.textValue()).flatMap(parse);
  }

  /**
   * A text that people read, such as a name: characters that hide or reorder others could deceive
   * them.
   */
  public static Optional<String> label(String text) {
    return Optional.of(text)
        .filter(it -> it.length() <= MAX_LABEL && LABEL.matcher(it).matches())
        .filter(it -> !it.isBlank());
  }

  public static Optional<Boolean> bool(JsonNode node) {
    return node.isBoolean() ? Optional.of(node.booleanValue()) : Optional.empty();
  }

  public static Optional<Integer> integer(JsonNode node) {
    return longInteger(node).filter(it -> it == it.intValue()).map(Long::intValue);
  }

  public static Optional<Long> longInteger(JsonNode node) {
    return node.isIntegralNumber() && node.canConvertToLong()
        ? Optional.of(node.longValue())
        : Optional.empty();
  }
}
