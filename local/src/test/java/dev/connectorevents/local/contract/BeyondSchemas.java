package dev.connectorevents.local.contract;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.regex.Pattern;

/** The rules of docs/api.md that no JSON Schema can express. */
final class BeyondSchemas {

  private static final Pattern META_OF_EVENT_TYPE =
      Pattern.compile("/payload/_meta/(source|topic)");
  private static final Pattern FAR_OFFSET = Pattern.compile(".*[+-](1[89]|[2-9]\\d):\\d\\d");
  private static final Pattern NO_DATE =
      Pattern.compile("\\d{4}-(02-(29|3\\d)|0[469]-31|11-31|00|1[3-9]|\\d\\d-(00|3[2-9])).*");
  private static final Pattern FIRST_OR_LAST_DAY = Pattern.compile("(0000-01-01|9999-12-31).*");
  private static final Pattern NOT_IN_ADDRESSES = Pattern.compile(".*[\\p{Z}\\p{Cc}\\p{Cf}].*");

  private BeyondSchemas() {}

  /** Whether a value may break such a rule. */
  static boolean breaks(String pointer, JsonNode value) {
    if (META_OF_EVENT_TYPE.matcher(pointer).matches() && value.isTextual()) {
      return true;
    }
    if (value.isFloatingPointNumber()) {
      return true; // 1.0 is an integer to a schema
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

  /** Whether a query breaks a rule of lists: one filter, and the cursor of the same list. */
  static boolean isBroken(Map<String, String> query) {
    return query.containsKey("event_type") == query.containsKey("brand_id")
        || query.containsKey("cursor")
        || query.getOrDefault("brand_id", "").length() > 1_023;
  }
}
