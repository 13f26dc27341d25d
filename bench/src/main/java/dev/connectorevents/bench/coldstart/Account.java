package dev.connectorevents.bench.coldstart;

import dev.connectorevents.bench.BenchUser;
import dev.connectorevents.bench.OneKey;
import dev.connectorevents.token.KeyText;
import dev.connectorevents.user.PasswordHash;
import dev.connectorevents.user.User;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** What lies in the tables and in the secret: one user and one key. */
final class Account {

  /** Of the rotation that `events/rotate-signing-key.json` is a step of. */
  private static final String PENDING_VERSION = "8f6d0f3e-2f1c-4c8e-9d59-3b1f4f5f2a10";

  private static final String VERSION = "11111111-2222-3333-4444-555555555555";

  private final String key = KeyText.random(new SecureRandom());
  private final User user = BenchUser.create();
  private final PasswordHash passwordHash;

  /**
   * @param password of the user
   * @param bcryptCost of its hash: the service's own, else a login would replace it
   */
  Account(String password, int bcryptCost) {
    passwordHash = PasswordHash.of(password, bcryptCost);
  }

  /** A token of the user that lives for an hour. */
  String token(String issuer) {
    return OneKey.of(VERSION, key)
        .tokens(issuer)
        .issue(user, Instant.now(), Duration.ofHours(1))
        .value();
  }

  /** What AWS answers, by the operation. */
  Map<String, Map<String, ?>> answers() {
    return Map.of(
        // Login attempts are read by it as well. To them the user is an item of a source which
        // they know, as a connector's is, and without a count.
        "GetItem",
        Map.of(
            "Item",
            Map.of(
                "email", text(user.email().value()),
                "id", text(user.id().toString()),
                "name", text(String.valueOf(user.name())),
                "password_hash", text(passwordHash.value()),
                "state", text("active"),
                "created_at", text(user.createdAt().toString()),
                "tokens_valid_from", text(user.tokensValidFrom().toString()),
                "familiar_until", Map.of("N", "32503680000"))),
        "GetSecretValue",
        Map.of(
            "ARN",
            "arn:aws:secretsmanager:us-east-1:000000000000:secret:bench",
            "Name",
            "bench",
            "VersionId",
            VERSION,
            "VersionStages",
            List.of("AWSCURRENT"),
            "SecretString",
            key),
        "DescribeSecret",
        Map.of(
            "RotationEnabled",
            true,
            "VersionIdsToStages",
            Map.of(VERSION, List.of("AWSCURRENT"), PENDING_VERSION, List.of("AWSPENDING"))));
  }

  private static Map<String, String> text(String value) {
    return Map.of("S", value);
  }
}
