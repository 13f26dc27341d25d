package dev.connectorevents.local.history;

import java.util.Optional;
import java.util.stream.IntStream;

/**
 * An event that a connector sends, once or several times.
 *
 * @param number of this event alone; the payload has it as its first member
 * @param key its Idempotency-Key
 * @param payload a JSON object
 */
record Event(int number, Account account, Optional<String> key, String type, String payload) {

  /** How many tries differ from each other. */
  static final int ATTEMPTS = 9;

  /** Stands in {@code payload} for the member of {@code _meta} that says which try it is. */
  static final String ATTEMPT = attempt(0);

  /** The body of one try. The service must take all of them for the same event. */
  String body(int attempt) {
    return "{\"event_type\":\"%s\",\"attempts\":%d,\"payload\":%s}"
        .formatted(type, attempt, payload.replace(ATTEMPT, attempt(attempt)));
  }

  private static String attempt(int attempt) {
    return "\"attempt\":\"%d\"".formatted(attempt);
  }

  /** As a member of a batch. */
  String inBatch(int attempt) {
    return key.map(it -> "{\"idempotency_key\":\"" + it + "\",").orElse("{")
        + body(attempt).substring(1);
  }

  boolean hasMeta() {
    return payload.contains("\"_meta\":");
  }

  /** Whether a stored payload has every byte of one of the tries. */
  boolean isKeptIn(String stored) {
    return IntStream.range(0, ATTEMPTS).anyMatch(attempt -> isKeptIn(stored, attempt));
  }

  /** Whether a stored payload has every byte of this try. */
  boolean isKeptIn(String stored, int attempt) {
    if (hasMeta()) {
      return stored.equals(payload.replace(ATTEMPT, attempt(attempt)));
    }
    String open = payload.substring(0, payload.length() - 1);
    return stored.startsWith(open + ",\"_meta\":{\"source\":\"") && stored.endsWith("\"}}");
  }

  /** What can hold one event: a key of an account, or a request without a key. */
  Object slot() {
    return key.<Object>map(it -> account.email() + " " + it).orElse(number);
  }

  boolean hasSameSlot(Event other) {
    return slot().equals(other.slot());
  }
}
