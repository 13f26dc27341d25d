package dev.connectorevents.acceptance.oracle;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The signing keys. The current one signs; it and the one before verify. */
final class KnownKeys {

  /** How long a key may verify after the second rotation that followed it. */
  private static final Duration CACHED = Duration.ofMinutes(5);

  /** How long a key may go on signing after the rotation that followed it. */
  private static final Duration SIGNS_ON = Duration.ofSeconds(5);

  private record SigningKey(String id, Instant since) {}

  private final List<SigningKey> keys = new ArrayList<>();

  void rotated(String id, Instant now) {
    keys.add(new SigningKey(id, now));
  }

  /** The number of the key that signed a new token. */
  int signedBy(String id, Instant now) {
    int last = keys.size() - 1;
    if (keys.get(last).id.equals(id)) {
      return last;
    }
    boolean isBefore =
        last > 0
            && keys.get(last - 1).id.equals(id)
            && !now.isAfter(keys.get(last).since.plus(SIGNS_ON));
    Oracle.require(isBefore, "a new token was signed with an old key");
    return last - 1;
  }

  boolean mayBeGone(int key, Instant now) {
    return key + 2 < keys.size() && !now.isBefore(keys.get(key + 2).since);
  }

  boolean isGone(int key, Instant now) {
    return mayBeGone(key, now) && now.isAfter(keys.get(key + 2).since.plus(CACHED));
  }
}
