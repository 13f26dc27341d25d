package dev.connectorevents.http;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Refuses requests whose {@code Content-Type} is not JSON in UTF-8. */
public final class JsonBody {

  private static final Set<String> UTF_8 = Set.of("utf-8", "utf8", "\"utf-8\"", "\"utf8\"");

  /** Such as {@code application/cloudevents+json} (RFC 6839, 3.1). */
  private static final Pattern JSON_BASED = Pattern.compile("[^\\s/,]+/[^\\s/,]+\\+json");

  private JsonBody() {}

  public static ProtectedHandler required(ProtectedHandler handler) {
    return (request, caller) ->
        isJson(request) ? handler.handle(request, caller) : unsupported(request);
  }

  public static Handler required(Handler handler) {
    return request -> isJson(request) ? handler.handle(request) : unsupported(request);
  }

  private static Response unsupported(Request request) {
    return Problem.of(
        request,
        ProblemCode.UNSUPPORTED_MEDIA_TYPE,
        "The Content-Type must be application/json, in UTF-8.");
  }

  /** A missing header counts as JSON: connectors that forget it send JSON. */
  private static boolean isJson(Request request) {
    Optional<String> contentType = request.header("content-type").filter(type -> !type.isBlank());
    if (contentType.isEmpty()) {
      return true;
    }
    List<String> parts = List.of(contentType.get().toLowerCase(Locale.ROOT).split(";", -1));
    String type = parts.getFirst().strip();
    return (type.equals("application/json") || JSON_BASED.matcher(type).matches())
        && parts.stream().skip(1).map(String::strip).allMatch(JsonBody::isAllowedParameter);
  }

  private static boolean isAllowedParameter(String parameter) {
    String[] nameAndValue = parameter.split("=", 2);
    return !nameAndValue[0].strip().equals("charset")
        || (nameAndValue.length == 2 && UTF_8.contains(nameAndValue[1].strip()));
  }
}
