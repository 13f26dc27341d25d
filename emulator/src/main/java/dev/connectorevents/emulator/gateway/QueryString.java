package dev.connectorevents.emulator.gateway;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** The query string as an event has it: decoded, several values of a name joined by commas. */
final class QueryString {
  private QueryString() {}

  static Map<String, String> parse(String raw) {
    var parameters = new LinkedHashMap<String, String>();
    for (var pair : raw.split("&", -1)) {
      if (!pair.isEmpty()) {
        int equals = pair.indexOf('=');
        var name = equals < 0 ? pair : pair.substring(0, equals);
        var value = equals < 0 ? "" : pair.substring(equals + 1);
        parameters.merge(decoded(name), decoded(value), (first, next) -> first + "," + next);
      }
    }
    return parameters;
  }

  private static String decoded(String raw) {
    return URLDecoder.decode(raw, StandardCharsets.UTF_8);
  }
}
