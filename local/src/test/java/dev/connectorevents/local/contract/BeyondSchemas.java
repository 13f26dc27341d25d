package dev.connectorevents.local.contract;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The rules of docs/api.md that no JSON Schema can express. */
public final class BeyondSchemas {

  private static final Pattern META_OF_EVENT_TYPE =
      Pattern.compile("/payload/_meta/(source|topic)");
  private static final Pattern FAR_OFFSET = Pattern.compile(".*[+-](1[89]|[2-9]\\d):\\d\\d");
  private static final Pattern NO_DATE =
      Pattern.compile("\\d{4}-(02-(29|3\\d)|0[469]-31|11-31|00|1[3-9]|\\d\\d-(00|3[2-9])).*");
  private static final Pattern FIRST_OR_LAST_DAY = Pattern.compile("(0000-01-01|9999-12-31).*");
  private static final Pattern NOT_IN_ADDRESSES = Pattern.compile(".*[\\p{Z}\\p{Cc}\\p{Cf}].*");

  /** Repeated parameters are joined by a comma, and U+FFFD replaces what is not UTF-8. */
  private static final Pattern NOT_ONE_BRAND = Pattern.compile("[,\\uFFFD]");

  private static final Set<String> EVENT = Set.of("id", "event_type", "created_at", "user_id");
  private static final Set<String> ERASURE = Set.of("position", "numbered_at", "id", "erased_at");
  private static final Set<String> STORED = Set.of("status", "event", "replayed");
  private static final Set<String> NOT_STORED = Set.of("status", "problem");
  private static final Set<String> PROBLEM =
      Set.of("type", "title", "status", "detail", "code", "request_id");

  /** The times that the service itself takes, but for those of a user. */
  private static final Set<String> OWN_TIMES =
      Set.of("created_at", "erased_at", "numbered_at", "whole_since", "whole_until");

  private static final Pattern OWN_TIME =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
  private static final Set<String> SENT_TIMES = Set.of("sent_at", "next_retry_at");

  private BeyondSchemas() {}

  /**
   * What an answer breaks of the rules that the document says in words: generators of clients
   * understand neither a schema for each form of an object, nor a pattern for a time.
   */
  static List<String> brokenBy(int status, JsonNode answer) {
    List<String> broken = new ArrayList<>();
    if (answer.path("more").asBoolean() && !answer.has("next")) {
      broken.add("more, but no next");
    }
    for (JsonNode result : answer.path("results")) {
      boolean isStored = result.path("status").asInt() == 201;
      if (!names(result).equals(isStored ? STORED : NOT_STORED)) {
        broken.add("a result has members that are not those of its status: " + result);
      }
    }
    for (JsonNode entry : answer.path("events")) {
      if (entry.has("erased_at")
          ? !names(entry).equals(ERASURE)
          : !names(entry).containsAll(EVENT)) {
        broken.add("an entry has members of neither an event nor an erasure: " + entry);
      }
    }
    if (status >= 400 && answer.has("message") == names(answer).containsAll(PROBLEM)) {
      broken.add("an error is neither the service's nor API Gateway's: " + answer);
    }
    if (!answer.has("role")) { // a user's times have no fraction
      addWrongTimes(answer, broken);
    }
    return broken;
  }

  private static Set<String> names(JsonNode object) {
    return object.propertyStream().map(Map.Entry::getKey).collect(Collectors.toSet());
  }

  private static void addWrongTimes(JsonNode answer, List<String> broken) {
    for (Map.Entry<String, JsonNode> member : answer.properties()) {
      String name = member.getKey();
      String text = member.getValue().asText();
      if ((OWN_TIMES.contains(name) && !OWN_TIME.matcher(text).matches())
          || (SENT_TIMES.contains(name) && !text.endsWith("Z"))) {
        broken.add(name + " has another form: " + text);
      }
    }
    answer.path("events").forEach(event -> addWrongTimes(event, broken));
    answer.path("results").forEach(result -> addWrongTimes(result.path("event"), broken));
  }

  /**
   * Whether the value at a pointer breaks, or may break, a rule that no JSON Schema can express.
   */
  static boolean breaks(String pointer, JsonNode value) {
    if (META_OF_EVENT_TYPE.matcher(pointer).matches() && value.isTextual()) {
      return true;
    }
    if (value.isFloatingPointNumber()) {
      return true; // a schema accepts 1.0 as an integer
    }
    if (!value.isTextual()) {
      return false;
    }
    String text = value.textValue();
    return !UTF_8.newEncoder().canEncode(text)
        || switch (pointer) {
          case "/response" -> text.getBytes(UTF_8).length > 65_536;
          case "/sent_at", "/next_retry_at" ->
              FAR_OFFSET.matcher(text).matches()
                  || NO_DATE.matcher(text).matches()
                  || FIRST_OR_LAST_DAY.matcher(text).matches();
          case "/email" -> NOT_IN_ADDRESSES.matcher(text).matches();
          default -> false;
        };
  }

  /**
   * Whether the query of a list request breaks one of these rules: erasures have no brand, {@code
   * from} must be before {@code to}, which the feed does not have, and only the feed has {@code
   * until} and shares, the last of which is {@code n/n}.
   */
  static boolean isBroken(Map<String, String> query) {
    boolean hasErasures = query.getOrDefault("include", "").contains("erasures");
    return (hasErasures && query.containsKey("brand_id"))
        || isEmptySpan(query)
        || (query.containsKey("to") && "asc".equals(query.get("order")))
        || (query.containsKey("until") && !"asc".equals(query.get("order")))
        || isWrongShare(query);
  }

  /**
   * Whether the query of a list request breaks a rule, or may break one. This class cannot check a
   * cursor, some values of {@code brand_id} or the number of patterns, so a query with one of them
   * may break a rule.
   */
  static boolean mayBeBroken(Map<String, String> query) {
    return isBroken(query)
        || query.containsKey("cursor")
        || query.containsKey("until")
        || query.getOrDefault("event_type", "").contains(",")
        || query.getOrDefault("brand_id", "").length() > 1_023
        || NOT_ONE_BRAND.matcher(query.getOrDefault("brand_id", "")).find();
  }

  private static boolean isWrongShare(Map<String, String> query) {
    String[] share = query.getOrDefault("share", "1/1").split("/", -1);
    return (query.containsKey("share") && !"asc".equals(query.get("order")))
        // The schema finds a share that is not two numbers.
        || (share.length == 2
            && share[0].matches("\\d+")
            && share[1].matches("\\d+")
            && Integer.parseInt(share[0]) > Integer.parseInt(share[1]));
  }

  private static boolean isEmptySpan(Map<String, String> query) {
    try {
      return query.containsKey("from")
          && query.containsKey("to")
          && !OffsetDateTime.parse(query.get("from"))
              .isBefore(OffsetDateTime.parse(query.get("to")));
    } catch (DateTimeParseException e) {
      return false; // the schema finds this fault
    }
  }

  /**
   * The JSON pointers to members that the service must refuse although the schema accepts them: an
   * {@code idempotency_key} that differs from the header, a misspelt {@code idempotency_key}, a
   * {@code _meta} or {@code brand_id} at the wrong level, and a batch.
   *
   * @param header the header {@code Idempotency-Key}; null if the request has none
   */
  public static Set<String> slips(JsonNode event, @Nullable String header) {
    Set<String> slips = new TreeSet<>();
    if (header != null
        && event.path("idempotency_key").isTextual()
        && !event.get("idempotency_key").textValue().equals(header)) {
      slips.add("/idempotency_key");
    }
    if (header == null && !event.hasNonNull("idempotency_key")) {
      slips.addAll(keys(event));
    }
    JsonNode payload = event.path("payload");
    if (event.hasNonNull("events")
        && !event.hasNonNull("event_type")
        && !event.hasNonNull("payload")) {
      slips.add("/events");
    }
    boolean mayHaveMeta = payload.isObject() || !event.hasNonNull("payload");
    if (event.hasNonNull("_meta") && mayHaveMeta && !payload.has("_meta")) {
      slips.add("/_meta");
    }
    JsonNode meta = payload.path("_meta");
    boolean mayHaveBrand = meta.isMissingNode() || meta.isObject();
    if (event.hasNonNull("brand_id") && mayHaveMeta && mayHaveBrand && !meta.has("brand_id")) {
      slips.add("/brand_id");
    }
    return slips;
  }

  /**
   * Like {@link #slips}, for a batch. Includes a misspelt {@code idempotency_key} beside {@code
   * events}.
   */
  static Set<String> slipsOfBatch(JsonNode batch) {
    Set<String> slips = new TreeSet<>();
    int index = 0;
    for (JsonNode event : batch.path("events")) {
      String pointer = "/events/" + index++;
      slips(event, null).stream()
          .filter(slip -> !slip.equals("/events"))
          .forEach(slip -> slips.add(pointer + slip));
      if (event.isObject() && !event.hasNonNull("idempotency_key")) {
        slips.addAll(keys(batch));
      }
    }
    return slips;
  }

  /**
   * The pointers to members whose names differ from {@code idempotency_key} at most in separators
   * and case, such as {@code idempotencyKey}. A null member does not count.
   */
  private static Set<String> keys(JsonNode object) {
    return object.properties().stream()
        .filter(member -> !member.getValue().isNull())
        .map(Map.Entry::getKey)
        .filter(
            name -> name.replaceAll("[-_ ]", "").toLowerCase(Locale.ROOT).equals("idempotencykey"))
        .map(name -> "/" + name)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
