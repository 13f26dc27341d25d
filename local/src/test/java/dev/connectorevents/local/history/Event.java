package dev.connectorevents.local.history;

import java.util.Optional;

/**
 * An event that a connector sends, once or several times.
 *
 * @param number of this event alone; the payload has it as its first member
 * @param key its Idempotency-Key
 * @param payload a JSON object
 */
record Event(int number, Account account, Optional<String> key, String type, String payload) {

  /** A member of {@code _meta}. */
  static final String FIRST_ATTEMPT = attempt(0);

  /** As the body of a request. What says which attempt it is makes no other event of it. */
  String body(int attempt) {
    return "{\"event_type\":\"%s\",\"attempts\":%d,\"payload\":%s}"
        .formatted(type, attempt, payload.replace(FIRST_ATTEMPT, attempt(attempt)));
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

  /** Whether a stored payload has every byte that was sent. */
  boolean isKeptIn(String stored) {
    if (hasMeta()) {
      return stored.replaceFirst("\"attempt\":\"\\d\"", FIRST_ATTEMPT).equals(payload);
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
