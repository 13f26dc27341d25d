package dev.connectorevents.local.contract;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
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

  private BeyondSchemas() {}

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
