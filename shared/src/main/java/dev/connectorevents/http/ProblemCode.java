package dev.connectorevents.http;

import java.util.Locale;

/** All error codes that clients read, each with its one status. */
public enum ProblemCode {
  MALFORMED_JSON(400),
  MISSING_TOKEN(401),
  INVALID_TOKEN(401),
  EXPIRED_TOKEN(401),
  REVOKED_TOKEN(401),
  SESSION_ENDED(401),
  INVALID_CREDENTIALS(401),
  FORBIDDEN(403),
  NOT_FOUND(404),
  USER_NOT_FOUND(404),
  NOT_ACCEPTABLE(406),
  ADDRESS_TAKEN(409),
  USER_DISABLED(409),
  FEED_NOT_WHOLE(409),
  EVENT_ERASED(410),
  PAYLOAD_TOO_LARGE(413),
  UNSUPPORTED_MEDIA_TYPE(415),
  VALIDATION_FAILED(422),
  IDEMPOTENCY_KEY_REUSED(422),
  TOO_MANY_ATTEMPTS(429),
  INTERNAL_ERROR(500),
  TEMPORARILY_UNAVAILABLE(503);

  private final int status;

  ProblemCode(int status) {
    this.status = status;
  }

  /** The name that clients read. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  public int status() {
    return status;
  }

  /** The status's phrase in RFC 9110: RFC 9457, 4.2.1 requires it as the title. */
  String title() {
    return switch (status) {
      case 400 -> "Bad Request";
      case 401 -> "Unauthorized";
      case 403 -> "Forbidden";
      case 404 -> "Not Found";
      case 406 -> "Not Acceptable";
      case 409 -> "Conflict";
      case 410 -> "Gone";
      case 413 -> "Content Too Large";
      case 415 -> "Unsupported Media Type";
      case 422 -> "Unprocessable Content";
      case 429 -> "Too Many Requests";
      case 503 -> "Service Unavailable";
      default -> "Internal Server Error";
    };
  }
}
