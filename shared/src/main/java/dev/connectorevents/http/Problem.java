package dev.connectorevents.http;

import java.util.LinkedHashMap;
import java.util.Map;

/** Makes error responses: {@code application/problem+json} (RFC 9457). */
public final class Problem {

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

  /** The body of {@link #of}, for functions without a route. */
  public static Map<String, Object> body(String requestId, ProblemCode code, String detail) {
    return body(requestId, new Reason(code, detail));
  }

  /** The body of {@link #of}, for an event of a batch, and for functions without a route. */
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

  private static Response response(ProblemCode code, Map<String, Object> body) {
    return Response.json(code.status(), body)
        .with("Content-Type", "application/problem+json")
        .noting("code", code.text());
  }

  /** The challenge of RFC 6750, 3: it has no error code if the request carried no token. */
  private static String challenge(ProblemCode code, String detail) {
    return switch (code) {
      case MISSING_TOKEN, INVALID_CREDENTIALS -> "Bearer realm=\"connector-events\"";
      default -> "Bearer error=\"invalid_token\", error_description=\"" + detail + "\"";
    };
  }
}
