package dev.connectorevents.local.inspector;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.connectorevents.Json;
import dev.connectorevents.http.Fault;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Where a body breaks a rule.
 *
 * @param pointer to the value, or empty if the text is not JSON
 * @param start index of the first character (UTF-16) of the member's name and value
 * @param end index after the last; of an object or array, only its first character belongs to it
 */
record FaultPlace(String pointer, String detail, int start, int end) {

  private static final Pattern PLACE = Pattern.compile("line (\\d+), column (\\d+)");

  private static final Pattern LINE = Pattern.compile("\\r\\n|\\r|\\n");

  /** Finds the faults' places. Those of missing members have none. */
  static List<FaultPlace> of(String body, List<Fault> faults) {
    Map<String, Fault> byPointer =
        faults.stream().collect(Collectors.toMap(Fault::pointer, Function.identity(), (a, b) -> a));
    List<FaultPlace> places = new ArrayList<>();
    try (JsonParser parser = Json.FACTORY.createParser(body)) {
      while (!byPointer.isEmpty() && parser.nextToken() != null) {
        if (parser.currentToken().isStructEnd()) {
          continue;
        }
        String pointer = parser.getParsingContext().pathAsPointer().toString();
        Fault fault = byPointer.remove(pointer);
        if (fault != null) {
          int start = start(parser);
          if (parser.currentToken() == JsonToken.FIELD_NAME) {
            parser.nextToken();
          }
          places.add(new FaultPlace(pointer, fault.detail(), start, end(parser)));
        }
        skipWithoutFaults(parser, pointer, byPointer.keySet());
      }
    } catch (JsonProcessingException e) {
      return places; // the rest of the text is not JSON
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory", e);
    }
    return places;
  }

  /** Skips what has no fault: otherwise each element of a long array would cost a pointer. */
  private static void skipWithoutFaults(JsonParser parser, String pointer, Set<String> faults)
      throws IOException {
    if (parser.currentToken().isStructStart()
        && faults.stream().noneMatch(fault -> fault.startsWith(pointer + "/"))) {
      parser.skipChildren();
    }
  }

  /** The place that a problem's detail names by line and column. */
  static List<FaultPlace> named(String body, String detail) {
    Matcher place = PLACE.matcher(detail);
    if (!place.find()) {
      return List.of();
    }
    Matcher lines = LINE.matcher(body);
    for (int line = 1; line < Integer.parseInt(place.group(1)); line++) {
      if (!lines.find()) {
        return List.of();
      }
    }
    int lineStart = place.group(1).equals("1") ? 0 : lines.end();
    int start = Math.min(lineStart + Integer.parseInt(place.group(2)) - 1, body.length());
    return List.of(new FaultPlace("", detail, start, Math.min(start + 1, body.length())));
  }

  private static int start(JsonParser parser) {
    return (int) parser.currentTokenLocation().getCharOffset();
  }

  private static int end(JsonParser parser) throws IOException {
    if (parser.currentToken().isStructStart()) {
      return start(parser) + 1;
    }
    parser.finishToken();
    return (int) parser.currentLocation().getCharOffset();
  }
}
