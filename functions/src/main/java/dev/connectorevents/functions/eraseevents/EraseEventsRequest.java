package dev.connectorevents.functions.eraseevents;

import static dev.connectorevents.functions.lambda.OperatorEvent.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.event.Erasure;
import dev.connectorevents.event.ErasureSelector;
import dev.connectorevents.event.EventIds;
import dev.connectorevents.event.EventQuery;
import dev.connectorevents.event.EventTypes;
import dev.connectorevents.event.Sha256;
import dev.connectorevents.event.Timestamp;
import dev.connectorevents.eventformat.JsonScalar;
import dev.connectorevents.eventformat.PayloadCondition;
import dev.connectorevents.eventformat.PayloadConditions;
import dev.connectorevents.functions.lambda.OperatorEvent;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The function's event, checked. */
sealed interface EraseEventsRequest {

  /** The rule of an id. */
  String ID_RULE = "a UUID in lower case, as the service makes it";

  /** The rule of {@code next}. */
  String NEXT_RULE = "the next of the call before";

  /**
   * Events to erase.
   *
   * @param from only events that were created at this time or later
   * @param to only events that were created before this time
   * @param where conditions on the payload, of which one suffices; empty if the selector suffices
   * @param isDryRun whether to change nothing
   * @param reason why, for the proof
   * @param progress where the call before this one ended; empty for the first call
   * @param digest of all members but {@code next}: each call of an erasure must have the same
   */
  record Erase(
      ErasureSelector selector,
      Optional<Instant> from,
      Optional<Instant> to,
      PayloadConditions where,
      boolean isDryRun,
      Optional<String> reason,
      Optional<ErasureProgress> progress,
      String digest)
      implements EraseEventsRequest {

    /** Whether conditions or event types narrow the selector: it alone would select more. */
    boolean isNarrowed() {
      return switch (selector) {
        case ErasureSelector.All _ -> false;
        case ErasureSelector.Sender(_, Optional<EventTypes> types) ->
            types.isPresent() || !where.isEmpty();
        case ErasureSelector.Brand _, ErasureSelector.Ids _ -> !where.isEmpty();
      };
    }

    /**
     * Whether what the proof of an erasure says is true of this request. An operator may have made
     * up its {@code next}.
     */
    boolean fits(Erasure erasure) {
      return erasure.selectorKind().equals(selector.kind())
          && erasure.isNarrowed() == isNarrowed()
          && erasure.reason().equals(reason)
          && erasure.brand().map(this::isOf).orElse(true);
    }

    private boolean isOf(Erasure.SaltedBrand salted) {
      return selector instanceof ErasureSelector.Brand(String brand) && salted.isOf(brand);
    }

    private static final int MAX_CONDITIONS = 10;

    private static final String BRAND_RULE =
        "a string of 1 to %d bytes in UTF-8. The index cannot have a longer one: select it by where, with"
                .formatted(EventQuery.MAX_BRAND_BYTES)
            + " the pointer /_meta/brand_id";

    private static final String CONTAINS_RULE =
        "a string of %d to %d characters"
            .formatted(PayloadCondition.LEAST_CONTAINED, PayloadCondition.MOST_CONTAINED);

    private static Supplier<Erase> read(OperatorEvent event) {
      boolean isDryRun =
          event.optionalNotNull("dry_run", "a boolean", OperatorEvent::bool).orElse(false);
      List<PayloadCondition> where = event.has("where") ? conditions(event) : List.of();
      Optional<Instant> from = createdAt("from", isDryRun, event);
      Optional<Instant> to = createdAt("to", isDryRun, event);
      event.checkOrder(from, to);
      Optional<ErasureSelector> selector = selector(event);
      Optional<String> reason =
          event.optionalNotNull("reason", OperatorEvent.LABEL_RULE, text(OperatorEvent::label));
      boolean hasNext = event.has("next");
      event.refuseOthers("an erasure");
      // A next is judged by the members beside it. To copy what is refused anyway takes memory.
      String digest = event.isValid() ? Sha256.hex(event.textWithout("next")) : "";
      Optional<ErasureProgress> progress =
          hasNext && event.isValid()
              ? event.required(
                  "next",
                  NEXT_RULE + ", with the same other members",
                  text(next -> ErasureProgress.parse(next, digest, isDryRun)))
              : Optional.empty();
      return () ->
          new Erase(
              selector.orElseThrow(),
              from,
              to,
              new PayloadConditions(where),
              isDryRun,
              reason,
              progress,
              digest);
    }

    /** One of the two times. An erasure has them for what a user has sent. */
    private static Optional<Instant> createdAt(String name, boolean isDryRun, OperatorEvent event) {
      boolean isGiven = event.has(name);
      if (event.has("user_id")) {
        return event.time(name, "; required with user_id");
      }
      event.check(!isGiven || isDryRun, name, "only with user_id, or in a dry run");
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
                    .required("contains", CONTAINS_RULE, text(Erase::containable))
                    .map(text -> PayloadCondition.contains(pointer, text));
            case "equals_ignoring_case" ->
                condition
                    .required("equals_ignoring_case", "a string", text(Optional::of))
                    .flatMap(
                        text -> pointer.map(it -> PayloadCondition.equalIgnoringCase(it, text)));
            default ->
                condition
                    .required("equals", "a string, a number, true, false or null", Erase::scalar)
                    .flatMap(value -> pointer.map(it -> PayloadCondition.equal(it, value)));
          };
      condition.refuseOthers("a condition");
      return read;
    }

    private static Optional<String> containable(String text) {
      return Optional.of(text).filter(PayloadCondition::isContainable);
    }

    private static Optional<JsonScalar> scalar(JsonNode node) {
      return node.isValueNode()
          ? Optional.of(JsonScalar.of(node.asToken(), node.asText()))
          : Optional.empty();
    }
  }

  /** Asks for a proof. */
  record Show(UUID erasureId) implements EraseEventsRequest {

    private static Supplier<Show> read(OperatorEvent event) {
      Optional<UUID> id = event.required("show", ID_RULE, text(EventIds::parse));
      event.refuseOthers("this event");
      return () -> new Show(id.orElseThrow());
    }
  }

  /**
   * Asks for all proofs.
   *
   * @param after where the page before ended
   */
  record ListProofs(Optional<String> after) implements EraseEventsRequest {

    /** What a page may begin after: the key of any item of the ledger. */
    private static final Pattern PLACE = Pattern.compile("[0-9a-f-]{36}(#(digests#)?[0-9]{1,9})?");

    private static Supplier<ListProofs> read(OperatorEvent event) {
      event.checkIsTrue("list");
      Optional<String> after =
          event.optionalNotNull(
              "next",
              "the next of the page before",
              text(place -> Optional.of(place).filter(PLACE.asMatchPredicate())));
      event.refuseOthers("this event");
      return () -> new ListProofs(after);
    }
  }

  /**
   * Asks for the events of a restored table.
   *
   * @param place where to go on
   */
  record Restore(String table, RestorePlace place) implements EraseEventsRequest {

    private static Supplier<Restore> read(OperatorEvent event) {
      Optional<String> table =
          event.required("restore_from", "the name of a restored table", text(Optional::of));
      Optional<RestorePlace> place =
          event.optionalNotNull("next", NEXT_RULE, text(RestorePlace::parse));
      event.refuseOthers("this event");
      return () -> new Restore(table.orElseThrow(), place.orElse(RestorePlace.InLedger.FIRST));
    }
  }

  /**
   * Asks for new positions of what the feed lacks of a time.
   *
   * @param from included; in whole milliseconds, as {@code to}
   * @param to excluded
   * @param place where to go on; empty for the first call
   */
  record Fill(Instant from, Instant to, Optional<FillPlace> place) implements EraseEventsRequest {

    private static Supplier<Fill> read(OperatorEvent event) {
      Optional<FillPlace> place = event.optionalNotNull("next", NEXT_RULE, text(FillPlace::parse));
      Optional<OperatorEvent> times = event.object("fill", "an object with from and to");
      Optional<Instant> from = times.flatMap(it -> it.time("from", "; required with fill"));
      Optional<Instant> to = times.flatMap(it -> it.time("to", "; required with fill"));
      times.ifPresent(it -> it.checkOrder(from, to));
      times.ifPresent(it -> it.refuseOthers("fill"));
      event.refuseOthers("this event");
      return () -> new Fill(roundedUp(from), roundedUp(to), place);
    }

    private static Instant roundedUp(Optional<Instant> time) {
      return Timestamp.roundedUp(time.orElseThrow());
    }
  }

  /** Asks how far the feed is. */
  record ShowFeed() implements EraseEventsRequest {

    private static Supplier<ShowFeed> read(OperatorEvent event) {
      event.checkIsTrue("feed");
      event.refuseOthers("this event");
      return ShowFeed::new;
    }
  }

  /** Reads an event. */
  static Supplier<? extends EraseEventsRequest> read(OperatorEvent event) {
    if (event.isOf("show")) {
      return Show.read(event);
    }
    if (event.isOf("list")) {
      return ListProofs.read(event);
    }
    if (event.isOf("feed")) {
      return ShowFeed.read(event);
    }
    if (event.isOf("fill")) {
      return Fill.read(event);
    }
    return event.isOf("restore_from") ? Restore.read(event) : Erase.read(event);
  }
}
