package dev.connectorevents.http;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes error responses: {@code application/problem+json} (RFC 9457). */
public final class Problem {

  /** Most faults that one answer lists: its size must stay below Lambda's limit. */
  public static final int MAX_FAULTS = 100;

  private static final String RETRY_AFTER_SECONDS = "1";

  private Problem() {}

  /**
   * An error response.
   *
   * @param detail for humans; never a secret, a class name or request data other than an event type
   */
  public static Response of(Request request, ProblemCode code, String detail) {
    return of(request, new Reason(code, detail));
  }

  /** An error response. */
  public static Response of(Request request, Reason reason) {
    Response response = response(reason.code(), body(request.id(), reason));
    return switch (reason.code().status()) {
      case 401 -> response.with("WWW-Authenticate", challenge(reason.code(), reason.detail()));
      case 503 -> response.with("Retry-After", RETRY_AFTER_SECONDS);
      default -> response;
    };
  }

  /** The 422 for a well-formed body that breaks these rules. */
  public static Response invalid(Request request, List<Fault> faults) {
    return response(ProblemCode.VALIDATION_FAILED, invalidBody(request.id(), faults));
  }

  /** The body of {@link #of}, for functions without a route. */
  public static Map<String, Object> body(String requestId, ProblemCode code, String detail) {
    return body(requestId, new Reason(code, detail));
  }

  /** The body of {@link #of}, for an event of a batch. */
  public static Map<String, Object> body(String requestId, Reason reason) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("type", "about:blank");
    body.put("title", reason.code().title());
    body.put("status", reason.code().status());
    body.put("detail", reason.detail());
    body.put("code", reason.code().text());
    body.put("request_id", requestId);
    body.putAll(reason.members());
    return body;
  }

  /**
   * The body of the 400 for an event that is not one JSON object, for functions without a route.
   */
  public static Map<String, Object> malformedEvent(String requestId) {
    return body(
        requestId,
        ProblemCode.MALFORMED_JSON,
        "The event must be one JSON object in UTF-8, and no name may appear twice.");
  }

  /** The body of {@link #invalid}, for functions without a route. */
  public static Map<String, Object> invalidBody(String requestId, List<Fault> faults) {
    return invalidBody(requestId, "The body", faults, MAX_FAULTS);
  }

  /**
   * The body of a 422.
   *
   * @param subject what has the faults, as the beginning of a sentence
   * @param room how many faults the answer still has room for
   */
  public static Map<String, Object> invalidBody(
      String requestId, String subject, List<Fault> faults, int room) {
    String count = faults.size() == 1 ? "1 fault" : faults.size() + " faults";
    String places;
    if (faults.size() <= room) {
      places = "The member errors has the place and the rule of each.";
    } else if (room > 0) {
      places =
          "The member errors has the place and the rule of the first %d: an answer lists at most %d."
              .formatted(room, MAX_FAULTS);
    } else {
      places =
          "An answer lists at most %d, and this one has as many. Send the event again to see them."
              .formatted(MAX_FAULTS);
    }
    Map<String, Object> body =
        body(
            requestId,
            ProblemCode.VALIDATION_FAILED,
            "%s has %s. %s".formatted(subject, count, places));
    if (!faults.isEmpty() && room > 0) {
      body.put("errors", faults.stream().limit(room).map(Problem::error).toList());
    }
    return body;
  }

  private static Response response(ProblemCode code, Map<String, Object> body) {
    return Response.json(code.status(), body)
        .with("Content-Type", "application/problem+json")
        .noting("code", code.text());
  }

  private static Map<String, String> error(Fault fault) {
    Map<String, String> error = new LinkedHashMap<>();
    error.put("pointer", fault.pointer());
    error.put("detail", fault.detail());
    return error;
  }

  /** The challenge of RFC 6750, 3: it has no error code if the request carried no token. */
  private static String challenge(ProblemCode code, String detail) {
    return switch (code) {
      case MISSING_TOKEN, INVALID_CREDENTIALS -> "Bearer realm=\"connector-events\"";
      default -> "Bearer error=\"invalid_token\", error_description=\"" + detail + "\"";
    };
  }
}
