package dev.connectorevents.json;

import dev.connectorevents.http.Request;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Says why a request's headers mean that its body is not plain JSON in UTF-8. */
final class BodyHeaders {

  private static final String JSON = "application/json";
  private static final Set<String> UTF_8 = Set.of("utf-8", "utf8", "\"utf-8\"", "\"utf8\"");

  /** Such as {@code application/cloudevents+json} (RFC 6839, 3.1). */
  private static final Pattern JSON_BASED = Pattern.compile("[^\\s/,]+/[^\\s/,]+\\+json");

  private BodyHeaders() {}

  /** What to send instead; empty if the body may be JSON. */
  static Optional<String> mistake(Request request) {
    if (!isJson(request)) {
      return Optional.of(
          "Content-Type must be application/json, and its charset UTF-8 if it has one.");
    }
    return isPlain(request)
        ? Optional.empty()
        : Optional.of("Content-Encoding must be absent or identity: send the body uncompressed.");
  }

  private static boolean isPlain(Request request) {
    return request
        .header("content-encoding")
        .map(String::strip)
        .filter(coding -> !coding.isEmpty() && !coding.equalsIgnoreCase("identity"))
        .isEmpty();
  }

  /** A missing header counts as JSON: connectors that forget it send JSON. */
  private static boolean isJson(Request request) {
    Optional<String> contentType = request.header("content-type").filter(type -> !type.isBlank());
    if (contentType.isEmpty() || contentType.get().equals(JSON)) {
      return true;
    }
    List<String> parts = List.of(contentType.get().toLowerCase(Locale.ROOT).split(";", -1));
    String type = parts.getFirst().strip();
    return (type.equals(JSON) || JSON_BASED.matcher(type).matches())
        && parts.stream().skip(1).map(String::strip).allMatch(BodyHeaders::isAllowedParameter);
  }

  private static boolean isAllowedParameter(String parameter) {
    String[] nameAndValue = parameter.split("=", 2);
    return !nameAndValue[0].strip().equals("charset")
        || (nameAndValue.length == 2 && UTF_8.contains(nameAndValue[1].strip()));
  }
}
