package dev.connectorevents.acceptance.storm;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * An event that a connector sends, once or several times.
 *
 * @param number the value of {@code n}, the first member of the payload; unique, except that {@code
 *     of} copies it
 * @param key the event's Idempotency-Key
 * @param installation the id of the connector's installation
 * @param payload a JSON object; it may contain {@link #ATTEMPT}
 */
record Event(
    int number,
    Account account,
    Optional<String> key,
    String type,
    int installation,
    String payload) {

  /** The number of different bodies of one event: one for each of the attempts 0 to 8. */
  static final int ATTEMPTS = 9;

  /**
   * A member of {@code _meta} in the payload that holds the number of the attempt. It is a
   * placeholder: the body of each attempt has the attempt's own number there.
   */
  static final String ATTEMPT = attempt(0);

  private static final String APPENDED = ",\"_meta\":{\"source\":\"";
  private static final String APPENDED_END = "\"}}";

  /** The body of one attempt. The service must treat all attempts as the same event. */
  String body(int attempt) {
    return """
    {"event_type":"%s","connector_installation_id":%d,"attempts":%d,"status":"%s",\
    "sent_at":"2026-01-01T00:00:0%dZ","payload":%s}\
    """
        .formatted(
            type,
            installation,
            attempt,
            status(attempt),
            attempt,
            payload.replace(ATTEMPT, attempt(attempt)));
  }

  private static String status(int attempt) {
    return "try " + attempt;
  }

  /** Another event with the same key and number, but with another type. */
  Event of(String otherType) {
    return new Event(number, account, key, otherType, installation, payload);
  }

  /** Another event with the same key and number, but from another installation. */
  Event of(int otherInstallation) {
    return new Event(number, account, key, type, otherInstallation, payload);
  }

  boolean isIn(TableRow row) {
    return number == row.number() && type.equals(row.type()) && installation == row.installation();
  }

  private static String attempt(int attempt) {
    return "\"attempt\":\"%d\"".formatted(attempt);
  }

  /** The JSON object of one attempt in the body of a batch. */
  String inBatch(int attempt) {
    return key.map(it -> "{\"idempotency_key\":\"" + it + "\",").orElse("{")
        + body(attempt).substring(1);
  }

  /**
   * The payload that the service stores for one attempt. If the service appends a {@code _meta},
   * the result has only the start and the end of this {@code _meta}.
   */
  String kept(int attempt) {
    return hasMeta()
        ? payload.replace(ATTEMPT, attempt(attempt))
        : payload.substring(0, payload.length() - 1) + APPENDED + APPENDED_END;
  }

  /** Whether DynamoDB needs several items to store the event. */
  boolean isLarge() {
    return payload.length() > 500_000;
  }

  boolean hasMeta() {
    return payload.contains("\"_meta\":");
  }

  /**
   * Whether a stored payload is, byte for byte, the payload of one of the attempts. If the service
   * appended a {@code _meta}, the middle of this {@code _meta} may be anything.
   */
  boolean isKeptIn(String stored) {
    return IntStream.range(0, ATTEMPTS).anyMatch(attempt -> isKeptIn(stored, attempt));
  }

  /** Whether the stored payload and the answer's members come from the same attempt. */
  boolean isKeptIn(String stored, JsonNode answer) {
    int attempt = answer.path("attempts").asInt();
    return isKeptIn(stored, attempt) && answer.path("status").asText().equals(status(attempt));
  }

  private boolean isKeptIn(String stored, int attempt) {
    String kept = kept(attempt);
    return hasMeta()
        ? stored.equals(kept)
        : stored.startsWith(kept.substring(0, kept.length() - APPENDED_END.length()))
            && stored.endsWith(APPENDED_END);
  }

  /**
   * The account and the Idempotency-Key. The service stores at most one event for each such pair.
   * For an event without a key: the account and the event's number.
   */
  String slot() {
    return account.email() + key.map(it -> " under " + it).orElse(" " + number);
  }

  boolean hasSameSlot(Event other) {
    return slot().equals(other.slot());
  }
}
