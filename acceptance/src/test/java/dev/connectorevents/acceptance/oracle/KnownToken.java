package dev.connectorevents.acceptance.oracle;

import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.World;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A token that the service issued, or one that was made from it.
 *
 * @param begunAt the number of the request that began its session
 * @param authTime the login; empty for a static token
 * @param key the number of its signing key, from 0
 * @param flaw the reply to a token that the service never issued
 */
record KnownToken(
    String text,
    KnownUser user,
    int begunAt,
    Optional<Instant> authTime,
    Instant expires,
    int key,
    Optional<String> flaw) {

  KnownToken forged() {
    String signed = text.substring(0, text.lastIndexOf('.') + 1);
    Optional<String> reply = Optional.of("401 invalid_token");
    return new KnownToken(signed + "A".repeat(43), user, begunAt, authTime, expires, key, reply);
  }

  /** No token at all. */
  static KnownToken none(KnownUser user) {
    Optional<String> reply = Optional.of("401 missing_token");
    return new KnownToken("", user, 0, Optional.empty(), Instant.MIN, 0, reply);
  }

  /** The headers of a request with this token. */
  String[] headers(String... more) {
    Stream<String> own =
        text.isEmpty() ? Stream.of() : Stream.of("Authorization", "Bearer " + text);
    return Stream.concat(own, Stream.of(more)).toArray(String[]::new);
  }

  Answer get(World world, String path) {
    return world.client().send("GET", path, BodyPublishers.noBody(), headers());
  }
}
