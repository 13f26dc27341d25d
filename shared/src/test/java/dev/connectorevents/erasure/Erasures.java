package dev.connectorevents.erasure;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Erasures for tests. */
public final class Erasures {

  private Erasures() {}

  /** An erasure of ids that has begun. */
  public static Erasure begun(UUID id, Optional<String> reason, Instant at) {
    return new Erasure(
        id,
        reason,
        "ids",
        SaltedHash.of("request", "salt"),
        Optional.empty(),
        false,
        Optional.empty(),
        false,
        at,
        Optional.empty(),
        Optional.empty(),
        List.of(),
        Optional.empty());
  }
}
