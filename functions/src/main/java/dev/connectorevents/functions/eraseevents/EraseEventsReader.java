package dev.connectorevents.functions.eraseevents;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.Unicode;
import dev.connectorevents.event.ErasureSelector;
import dev.connectorevents.event.EventTypePattern;
import dev.connectorevents.event.EventTypes;
import dev.connectorevents.event.Sha256;
import dev.connectorevents.event.Timestamp;
import dev.connectorevents.eventformat.JsonScalar;
import dev.connectorevents.eventformat.PayloadCondition;
import dev.connectorevents.eventformat.PayloadConditions;
import dev.connectorevents.eventformat.Rfc3339;
import dev.connectorevents.functions.lambda.OperatorHandler;
import dev.connectorevents.http.Fault;
import dev.connectorevents.json.Body;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads an operator's event, and collects all faults: a slip must erase nothing. */
final class EraseEventsReader {

  private static final int MAX_CONDITIONS = 10;

  /** In characters. */
  private static final int MAX_REASON = 255;

  /** In bytes: with its shard, a longer name cannot be the key of an index. */
  private static final int MAX_BRAND = 2_046;

  private static final Pattern REASON = Pattern.compile("[^\\p{Cc}\\p{Cf}\\p{Cs}]+");

  private static final String EVENT_TYPE = "event_type";
  private static final Set<String> MEMBERS =
      Set.of(
          "brand_id",
          "ids",
          "user_id",
          "from",
          "to",
          EVENT_TYPE,
          "where",
          "dry_run",
          "reason",
          "next");
  private static final List<String> SELECTORS = List.of("brand_id", "ids", "user_id");

  private static final String EQUALS = "equals";
  private static final String IGNORING_CASE = "equals_ignoring_case";
  private static final String CONTAINS = "contains";
  private static final Set<String> MEMBERS_OF_CONDITION =
      Set.of("pointer", EQUALS, IGNORING_CASE, CONTAINS);
  private static final String RESTORE = "restore_from";
  private static final Set<String> MEMBERS_OF_RESTORE = Set.of(RESTORE, "next");
  private static final String FILL = "fill";
  private static final Set<String> MEMBERS_OF_FILL = Set.of(FILL, "next");
  private static final Set<String> MEMBERS_OF_TIMES = Set.of("from", "to");
  private static final Set<String> MEMBERS_OF_LIST = Set.of("list", "next");

  /** What a page of proofs may begin after: the key of any item of the ledger. */
  private static final Pattern PLACE = Pattern.compile("[0-9a-f-]{36}(#(digests#)?[0-9]{1,9})?");

  private static final Fault NUMBER_OUT_OF_RANGE =
      new Fault("", "no number may have an exponent of more than 9 digits");

  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  private final ObjectNode event;
  private final List<Fault> faults = new ArrayList<>();

  private EraseEventsReader(ObjectNode event) {
    this.event = event;
  }

  static Body<EraseEventsRequest> read(byte[] text) {
    try {
      return JSON.readTree(text) instanceof ObjectNode object
          ? new EraseEventsReader(object).request()
          : new Body.Malformed<>(OperatorHandler.MALFORMED);
    } catch (IOException e) {
      return new Body.Malformed<>(OperatorHandler.MALFORMED);
    } catch (NumberFormatException e) {
      return new Body.Invalid<>(List.of(NUMBER_OUT_OF_RANGE));
    }
  }

  private Body<EraseEventsRequest> request() {
    if (event.has("requestContext")) {
      throw new IllegalStateException("this function must not have a route");
    }
    if (event.has("show")) {
      refuseOthers(Set.of("show"), event, "");
      Optional<UUID> id = uuid(event.get("show"), "/show");
      return faults.isEmpty()
          ? new Body.Read<>(new EraseEventsRequest.Show(id.orElseThrow()))
          : new Body.Invalid<>(faults);
    }
    if (event.has("list")) {
      refuseOthers(MEMBERS_OF_LIST, event, "");
      checkIsTrue("list");
      Optional<String> after = Optional.ofNullable(event.path("next").textValue());
      check(
          !event.has("next") || after.filter(PLACE.asMatchPredicate()).isPresent(),
          "/next",
          "the next of the page before");
      return faults.isEmpty()
          ? new Body.Read<>(new EraseEventsRequest.ListProofs(after))
          : new Body.Invalid<>(faults);
    }
    if (event.has("feed")) {
      refuseOthers(Set.of("feed"), event, "");
      checkIsTrue("feed");
      return faults.isEmpty()
          ? new Body.Read<>(new EraseEventsRequest.ShowFeed())
          : new Body.Invalid<>(faults);
    }
    if (event.has(FILL)) {
      return fill();
    }
    return event.has(RESTORE) ? restore() : erase();
  }

  private Body<EraseEventsRequest> fill() {
    refuseOthers(MEMBERS_OF_FILL, event, "");
    JsonNode times = event.get(FILL);
    refuseOthers(MEMBERS_OF_TIMES, times, "/" + FILL);
    Optional<Instant> from = time(times, "from", "/" + FILL);
    Optional<Instant> to = time(times, "to", "/" + FILL);
    Optional<FillPlace> place =
        Optional.ofNullable(event.path("next").textValue()).flatMap(FillPlace::parse);
    check(!event.has("next") || place.isPresent(), "/next", "the next of the call before");
    checkOrder(from, to, "/" + FILL + "/to");
    return faults.isEmpty()
        ? new Body.Read<>(
            new EraseEventsRequest.Fill(
                Timestamp.roundedUp(from.orElseThrow()),
                Timestamp.roundedUp(to.orElseThrow()),
                place))
        : new Body.Invalid<>(faults);
  }

  private Body<EraseEventsRequest> restore() {
    refuseOthers(MEMBERS_OF_RESTORE, event, "");
    Optional<String> table = Optional.ofNullable(event.get(RESTORE).textValue());
    check(table.isPresent(), "/" + RESTORE, "the name of a restored table");
    Optional<RestorePlace> place =
        event.has("next")
            ? Optional.ofNullable(event.get("next").textValue()).flatMap(RestorePlace::parse)
            : Optional.of(RestorePlace.InLedger.FIRST);
    check(place.isPresent(), "/next", "the next of the call before");
    return faults.isEmpty()
        ? new Body.Read<>(new EraseEventsRequest.Restore(table.orElseThrow(), place.orElseThrow()))
        : new Body.Invalid<>(faults);
  }

  private Body<EraseEventsRequest> erase() {
    refuseOthers(MEMBERS, event, "");
    boolean isDryRun = event.path("dry_run").asBoolean();
    List<PayloadCondition> where = where();
    Optional<ErasureSelector> selector = selector();
    Optional<Instant> from = createdAt("from", isDryRun);
    Optional<Instant> to = createdAt("to", isDryRun);
    checkOrder(from, to, "/to");
    check(!event.has("dry_run") || event.get("dry_run").isBoolean(), "/dry_run", "a boolean");
    Optional<String> reason = text("reason");
    check(
        reason.map(EraseEventsReader::isReason).orElse(true),
        "/reason",
        "1 to " + MAX_REASON + " characters, without control and formatting characters");
    if (!faults.isEmpty()) {
      return new Body.Invalid<>(faults); // a next is judged by the members beside it
    }
    String digest = digest();
    Optional<ErasureProgress> progress =
        Optional.ofNullable(event.path("next").textValue())
            .flatMap(next -> ErasureProgress.parse(next, digest, isDryRun));
    check(
        !event.has("next") || progress.isPresent(),
        "/next",
        "the next of the call before, with the same other members");
    return faults.isEmpty()
        ? new Body.Read<>(
            new EraseEventsRequest.Erase(
                selector.orElseThrow(),
                from,
                to,
                new PayloadConditions(where),
                isDryRun,
                reason,
                progress,
                digest))
        : new Body.Invalid<>(faults);
  }

  private void check(boolean holds, String pointer, String rule) {
    if (!holds) {
      faults.add(new Fault(pointer, rule));
    }
  }

  private void checkIsTrue(String name) {
    check(event.get(name).isBoolean() && event.get(name).booleanValue(), "/" + name, "true");
  }

  private void refuseOthers(Set<String> known, JsonNode object, String place) {
    object
        .fieldNames()
        .forEachRemaining(
            name -> check(known.contains(name), Fault.pointer(place, name), "unknown member"));
  }

  private Optional<ErasureSelector> selector() {
    List<String> given = SELECTORS.stream().filter(event::has).toList();
    if (given.size() > 1) {
      faults.add(new Fault("/" + given.getLast(), "only one of brand_id, ids and user_id"));
      return Optional.empty();
    }
    if (event.has("user_id")) {
      return sender();
    }
    check(!event.has(EVENT_TYPE), "/" + EVENT_TYPE, "only with user_id");
    if (event.has("brand_id")) {
      return brand();
    }
    if (event.has("ids")) {
      return ids();
    }
    check(event.has("where"), "", "one of brand_id, ids, user_id and where is required");
    return Optional.of(new ErasureSelector.All());
  }

  /** One of the two times of a dry run. Beside a user, they are the selector's. */
  private Optional<Instant> createdAt(String name, boolean isDryRun) {
    if (event.has("user_id") || !event.has(name)) {
      return Optional.empty();
    }
    check(isDryRun, "/" + name, "only with user_id, or in a dry run");
    return time(event, name, "").map(Timestamp::roundedUp);
  }

  private void checkOrder(Optional<Instant> from, Optional<Instant> to, String place) {
    check(
        from.isEmpty() || to.isEmpty() || from.get().isBefore(to.get()),
        place,
        "a time after from");
  }

  private Optional<ErasureSelector> sender() {
    Optional<UUID> userId = uuid(event.get("user_id"), "/user_id");
    Optional<Instant> from = time(event, "from", "");
    Optional<Instant> to = time(event, "to", "");
    Optional<EventTypes> types = types();
    if (from.isEmpty() || to.isEmpty()) {
      return Optional.empty();
    }
    checkOrder(from, to, "/to");
    return userId.map(id -> new ErasureSelector.Sender(id, from.get(), to.get(), types));
  }

  /**
   * A required time.
   *
   * @param place of the object
   */
  private Optional<Instant> time(JsonNode object, String name, String place) {
    Optional<Instant> time =
        Optional.ofNullable(object.path(name).textValue()).flatMap(Rfc3339::parse);
    check(
        time.isPresent(),
        Fault.pointer(place, name),
        "a date-time with an offset (RFC 3339), as in 2026-11-20T12:00:00Z; required with "
            + (place.isEmpty() ? "user_id" : FILL));
    return time;
  }

  private Optional<EventTypes> types() {
    if (!event.has(EVENT_TYPE)) {
      return Optional.empty();
    }
    JsonNode texts = event.get(EVENT_TYPE);
    List<EventTypePattern> patterns = new ArrayList<>();
    texts.forEach(text ->
        Optional.ofNullable(text.textValue())
            .flatMap(EventTypePattern::parse)
            .ifPresent(patterns::add));
    Optional<EventTypes> types =
        EventTypes.of(patterns).filter(it -> texts.isArray() && patterns.size() == texts.size());
    check(
        types.isPresent(),
        "/" + EVENT_TYPE,
        "an array of 1 to %d patterns, each once; a pattern is %s"
            .formatted(EventTypes.MAX_PATTERNS, EventTypePattern.RULE));
    return types;
  }

  private Optional<ErasureSelector> brand() {
    Optional<String> brand =
        Optional.ofNullable(event.get("brand_id").textValue())
            .filter(name -> !name.isEmpty() && name.getBytes(UTF_8).length <= MAX_BRAND)
            .filter(Unicode::isWellFormed);
    check(
        brand.isPresent(),
        "/brand_id",
        "a string of 1 to %d bytes in UTF-8. No index has a longer brand: select it by where, with"
                .formatted(MAX_BRAND)
            + " the pointer /_meta/brand_id");
    return brand.map(ErasureSelector.Brand::new);
  }

  private Optional<ErasureSelector> ids() {
    JsonNode ids = event.get("ids");
    if (!ids.isArray() || ids.isEmpty() || ids.size() > ErasureSelector.Ids.MAX_IDS) {
      faults.add(new Fault("/ids", "an array of 1 to " + ErasureSelector.Ids.MAX_IDS + " ids"));
      return Optional.empty();
    }
    Set<UUID> distinct = new LinkedHashSet<>();
    for (int i = 0; i < ids.size(); i++) {
      uuid(ids.get(i), "/ids/" + i).ifPresent(distinct::add);
    }
    return distinct.isEmpty()
        ? Optional.empty()
        : Optional.of(new ErasureSelector.Ids(List.copyOf(distinct)));
  }

  private Optional<UUID> uuid(JsonNode node, String place) {
    try {
      UUID id = UUID.fromString(node.asText());
      if (id.toString().equals(node.textValue())) {
        return Optional.of(id);
      }
    } catch (IllegalArgumentException e) {
      // the fault below
    }
    faults.add(new Fault(place, "a UUID in lower case, as the service makes it"));
    return Optional.empty();
  }

  private List<PayloadCondition> where() {
    JsonNode where = event.path("where");
    if (!event.has("where")) {
      return List.of();
    }
    if (!where.isArray() || where.isEmpty() || where.size() > MAX_CONDITIONS) {
      faults.add(new Fault("/where", "an array of 1 to " + MAX_CONDITIONS + " conditions"));
      return List.of();
    }
    List<PayloadCondition> conditions = new ArrayList<>();
    for (int i = 0; i < where.size(); i++) {
      condition(where.get(i), "/where/" + i).ifPresent(conditions::add);
    }
    return conditions;
  }

  private Optional<PayloadCondition> condition(JsonNode condition, String place) {
    if (!condition.isObject()) {
      faults.add(new Fault(place, "an object with pointer and equals"));
      return Optional.empty();
    }
    refuseOthers(MEMBERS_OF_CONDITION, condition, place);
    String member = memberOf(condition, place);
    String pointer = condition.path("pointer").asText();
    boolean isAnywhere = member.equals(CONTAINS) && !condition.has("pointer");
    boolean isPlace =
        isAnywhere
            || (condition.path("pointer").isTextual() && PayloadCondition.isPointer(pointer));
    check(isPlace, place + "/pointer", "a JSON Pointer (RFC 6901) that begins with /");
    JsonNode value = condition.path(member);
    String rule =
        switch (member) {
          case IGNORING_CASE -> value.isTextual() ? "" : "a string";
          case CONTAINS ->
              value.isTextual() && PayloadCondition.isContainable(value.textValue())
                  ? ""
                  : "a string of %d to %d characters"
                      .formatted(PayloadCondition.LEAST_CONTAINED, PayloadCondition.MOST_CONTAINED);
          default -> value.isValueNode() ? "" : "a string, a number, true, false or null";
        };
    check(rule.isEmpty(), place + "/" + member, rule);
    if (!isPlace || !rule.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        switch (member) {
          case IGNORING_CASE -> PayloadCondition.equalIgnoringCase(pointer, value.textValue());
          case CONTAINS ->
              PayloadCondition.contains(
                  isAnywhere ? Optional.empty() : Optional.of(pointer), value.textValue());
          default ->
              PayloadCondition.equal(pointer, JsonScalar.of(value.asToken(), value.asText()));
        });
  }

  /** The member that says what is expected: one of three. */
  private String memberOf(JsonNode condition, String place) {
    List<String> given = Stream.of(EQUALS, IGNORING_CASE, CONTAINS).filter(condition::has).toList();
    if (given.size() > 1) {
      check(false, place + "/" + given.getFirst(), "only one of " + String.join(", ", given));
    }
    return given.isEmpty() ? EQUALS : given.getLast();
  }

  private static boolean isReason(String text) {
    return text.length() <= MAX_REASON && !text.isBlank() && REASON.matcher(text).matches();
  }

  private Optional<String> text(String name) {
    check(!event.has(name) || event.get(name).isTextual(), "/" + name, "a string");
    return Optional.ofNullable(event.path(name).textValue());
  }

  private String digest() {
    ObjectNode same = event.deepCopy().without("next");
    return Sha256.hex(same.toString());
  }
}
