package dev.connectorevents.emulator.stream;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.connectorevents.emulator.template.TemplateMistake;
import java.util.List;
import java.util.stream.StreamSupport;

/**
 * The filter of an event source mapping. Of the comparisons it knows values, {@code exists} and
 * {@code prefix}.
 *
 * @param patterns an event must match one of them
 * @see <a href="https://docs.aws.amazon.com/lambda/latest/dg/with-ddb-filtering.html">Using event
 *     filtering with a DynamoDB event source</a>
 */
record EventFilter(List<JsonNode> patterns) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * @throws TemplateMistake if a pattern is no JSON, or has a comparison that is unknown here
   */
  static EventFilter of(List<String> patterns) {
    EventFilter filter = new EventFilter(patterns.stream().map(EventFilter::parse).toList());
    filter.passes(JSON.createObjectNode()); // finds what is unknown
    return filter;
  }

  private static JsonNode parse(String pattern) {
    try {
      return JSON.readTree(pattern);
    } catch (JsonProcessingException e) {
      throw new TemplateMistake("FilterCriteria", "not JSON: " + pattern);
    }
  }

  boolean passes(JsonNode event) {
    return patterns.isEmpty()
        || patterns.stream().filter(pattern -> matches(pattern, event)).count() > 0;
  }

  /** Judges all members, so that an unknown comparison is found in any event. */
  private static boolean matches(JsonNode pattern, JsonNode value) {
    return pattern.isArray()
        ? StreamSupport.stream(pattern.spliterator(), false)
                .filter(allowed -> allows(allowed, value))
                .count()
            > 0
        : pattern.properties().stream()
                .filter(member -> !matches(member.getValue(), value.path(member.getKey())))
                .count()
            == 0;
  }

  private static boolean allows(JsonNode allowed, JsonNode value) {
    if (!allowed.isObject()) {
      return allowed.equals(value);
    }
    if (allowed.size() == 1 && allowed.has("exists")) {
      return allowed.get("exists").asBoolean() != value.isMissingNode();
    }
    if (allowed.size() == 1 && allowed.has("prefix")) {
      return value.isTextual() && value.textValue().startsWith(allowed.get("prefix").asText());
    }
    throw new TemplateMistake("FilterCriteria", allowed + " is not known here");
  }
}
