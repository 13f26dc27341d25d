package dev.connectorevents.functions.operators;

import static dev.connectorevents.functions.operators.OperatorEvent.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.erasure.ErasureSelector;
import dev.connectorevents.erasure.EventSelection;
import dev.connectorevents.erasure.JsonScalar;
import dev.connectorevents.erasure.PayloadCondition;
import dev.connectorevents.erasure.PayloadConditions;
import dev.connectorevents.event.EventIds;
import dev.connectorevents.event.EventQuery;
import dev.connectorevents.event.EventTypes;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Reads an operator's selection of events: the same for finding and for erasing. One of {@code
 * ids}, {@code brand_id} and {@code user_id}, or {@code where} alone, selects:
 *
 * <ul>
 *   <li>{@code ids}: 1 to 100 ids of events.
 *   <li>{@code brand_id}: 1 to 2,046 bytes. Selects the events of this brand, as a list does. The
 *       index cannot have a longer one: select it by {@code where}, with the pointer {@code
 *       /_meta/brand_id}.
 *   <li>{@code user_id}: a UUID. Selects what this user has sent from {@code from} until before
 *       {@code to}, by {@code created_at}; both are required. {@code event_type}, an array of 1 to
 *       20 patterns as in a scope, narrows it. It reads the feed from {@code from} to its end,
 *       whoever sent the events.
 *   <li>{@code where}: 1 to 10 conditions, of which one suffices. Beside {@code ids}, {@code
 *       brand_id} or {@code user_id}, it narrows the selection. Alone, it reads the whole table.
 *   <li>{@code to}: beside any selector, only what was created before it: an erasure that is made
 *       again gets it, and so takes nothing that came after its request. {@code from} beside others
 *       than {@code user_id} only a search takes: it then looks at what was created in this time.
 *       Both are date-times with an offset.
 *   <li>{@code scan}: {@code true}, only with {@code brand_id} or {@code user_id}. Reads the table
 *       itself, as {@code where} alone does: it needs no feed, and costs what reading all events
 *       costs.
 * </ul>
 *
 * <p>A condition is {@code {"pointer": "/customer/id", "equals": 207119551}}:
 *
 * <ul>
 *   <li>{@code pointer} is a JSON Pointer (RFC 6901) into the payload, and begins with {@code /}. A
 *       segment {@code *} is every element of an array, and a member of this name.
 *   <li>{@code equals} is a string, a number, {@code true}, {@code false} or {@code null}. {@code
 *       55} does not find {@code "55"}. Numbers are equal by value, as {@code 1.0} and {@code 1}.
 *       If one has more than 1,000 characters, its text must be the same.
 *   <li>{@code equals_ignoring_case} in its place finds strings that differ at most in their case
 *       or in their Unicode form. Both sides are brought to NFC, upper case, lower case and NFC
 *       again. A text must be the same if more than 30 of its characters in a row are accents or
 *       other characters that NFC composes with the one before.
 *   <li>{@code contains} in its place. It is a string of 3 to 255 characters, and finds string
 *       values that have it in them, compared in the same way. Without a {@code pointer}, it looks
 *       in every string value of the payload, never in the names of members.
 *   <li>If a payload repeats a name, any of its values may match.
 * </ul>
 */
public final class SelectionReader {

  /** The rule of an id. */
  public static final String ID_RULE = "a UUID in lower case, as the service makes it";

  /** The rule of {@code next}. */
  public static final String NEXT_RULE = "the next of the call before";

  private static final int MAX_CONDITIONS = 10;

  private static final String BRAND_RULE =
      "a string of 1 to %d bytes in UTF-8. The index cannot have a longer one: select it by where, with"
              .formatted(EventQuery.MAX_BRAND_BYTES)
          + " the pointer /_meta/brand_id";

  private static final String CONTAINS_RULE =
      "a string of %d to %d characters"
          .formatted(PayloadCondition.LEAST_CONTAINED, PayloadCondition.MOST_CONTAINED);

  private SelectionReader() {}

  /**
   * Reads the members that select events.
   *
   * @param isSearch whether {@code from} may be beside any selector, as {@code to} may, and {@code
   *     without_brand} beside a brand
   */
  public static Supplier<EventSelection> read(OperatorEvent event, boolean isSearch) {
    List<PayloadCondition> where = event.has("where") ? conditions(event) : List.of();
    Optional<Instant> from = createdAt("from", isSearch, event);
    Optional<Instant> to = createdAt("to", true, event);
    event.checkOrder(from, to);
    Optional<ErasureSelector> selector =
        isSearch && event.has("without_brand") ? withoutBrand(event) : selector(event);
    boolean isScan = event.has("scan");
    if (isScan) {
      event.checkIsTrue("scan");
      boolean isBehind = selector.map(ErasureSelector::isBehind).orElse(true);
      event.check(isBehind, "scan", "only with brand_id or user_id: others never wait");
    }
    return () ->
        new EventSelection(selector.orElseThrow(), from, to, new PayloadConditions(where), isScan);
  }

  /** One of the two times. They are necessary for what a user has sent. */
  private static Optional<Instant> createdAt(String name, boolean isFree, OperatorEvent event) {
    boolean isGiven = event.has(name);
    if (event.has("user_id")) {
      return event.time(name, "; required with user_id");
    }
    event.check(!isGiven || isFree, name, "only with user_id");
    return isGiven ? event.time(name, "") : Optional.empty();
  }

  private static Optional<ErasureSelector> selector(OperatorEvent event) {
    List<String> given = Stream.of("brand_id", "ids", "user_id").filter(event::has).toList();
    boolean hasTypes = event.has("event_type");
    if (given.size() > 1) {
      event.check(false, given.getLast(), "only one of brand_id, ids and user_id");
      return Optional.empty();
    }
    if (given.isEmpty()) {
      event.check(event.has("where"), "", "one of brand_id, ids, user_id and where is required");
    }
    String selector = given.isEmpty() ? "where" : given.getFirst();
    event.check(!hasTypes || selector.equals("user_id"), "event_type", "only with user_id");
    return switch (selector) {
      case "brand_id" ->
          event
              .required("brand_id", BRAND_RULE, text(EventQuery::brand))
              .map(ErasureSelector.Brand::new);
      case "ids" -> ids(event);
      case "user_id" -> sender(hasTypes, event);
      default -> Optional.of(new ErasureSelector.All());
    };
  }

  /** What an erasure by a brand leaves. */
  private static Optional<ErasureSelector> withoutBrand(OperatorEvent event) {
    event.checkIsTrue("without_brand");
    boolean isOfBrand = event.has("brand_id") && !event.has("scan");
    event.check(isOfBrand, "without_brand", "only with brand_id, and without scan");
    return selector(event)
        .filter(ErasureSelector.Brand.class::isInstance)
        .map(ErasureSelector.Brand.class::cast)
        .map(it -> new ErasureSelector.WithoutBrand(it.brand()));
  }

  private static Optional<ErasureSelector> ids(OperatorEvent event) {
    int max = ErasureSelector.Ids.MAX_IDS;
    List<UUID> ids =
        event.elements(
            "ids", "an array of 1 to " + max + " ids", max, ID_RULE, text(EventIds::parse));
    return ids.isEmpty()
        ? Optional.empty()
        : Optional.of(new ErasureSelector.Ids(ids.stream().distinct().toList()));
  }

  private static Optional<ErasureSelector> sender(boolean hasTypes, OperatorEvent event) {
    Optional<UUID> userId = event.required("user_id", ID_RULE, text(EventIds::parse));
    Optional<EventTypes> types = hasTypes ? event.eventTypes("event_type") : Optional.empty();
    return userId.map(id -> new ErasureSelector.Sender(id, types));
  }

  private static List<PayloadCondition> conditions(OperatorEvent event) {
    return event
        .objects(
            "where",
            "an array of 1 to " + MAX_CONDITIONS + " conditions",
            MAX_CONDITIONS,
            "an object with equals, equals_ignoring_case or contains")
        .stream()
        .flatMap(each -> condition(each).stream())
        .toList();
  }

  private static Optional<PayloadCondition> condition(OperatorEvent condition) {
    boolean isInPlace = condition.has("pointer");
    List<String> given =
        Stream.of("equals", "equals_ignoring_case", "contains").filter(condition::has).toList();
    String comparison = given.isEmpty() ? "equals" : given.getLast();
    if (given.size() > 1) {
      condition.check(false, given.getFirst(), "only one of " + String.join(", ", given));
    }
    Optional<String> pointer =
        isInPlace || !comparison.equals("contains")
            ? condition.required(
                "pointer",
                "a JSON Pointer (RFC 6901) that begins with /",
                text(it -> Optional.of(it).filter(PayloadCondition::isPointer)))
            : Optional.empty();
    Optional<PayloadCondition> read =
        switch (comparison) {
          case "contains" ->
              condition
                  .required(
                      "contains",
                      CONTAINS_RULE,
                      text(it -> Optional.of(it).filter(PayloadCondition::isContainable)))
                  .map(text -> PayloadCondition.contains(pointer, text));
          case "equals_ignoring_case" ->
              condition
                  .required("equals_ignoring_case", "a string", text(Optional::of))
                  .flatMap(text -> pointer.map(it -> PayloadCondition.equalIgnoringCase(it, text)));
          default ->
              condition
                  .required(
                      "equals", "a string, a number, true, false or null", SelectionReader::scalar)
                  .flatMap(value -> pointer.map(it -> PayloadCondition.equal(it, value)));
        };
    condition.refuseOthers("a condition");
    return read;
  }

  private static Optional<JsonScalar> scalar(JsonNode node) {
    return node.isValueNode()
        ? Optional.of(JsonScalar.of(node.asToken(), node.asText()))
        : Optional.empty();
  }
}
