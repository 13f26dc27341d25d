package dev.connectorevents.functions.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.event.Base64Url;
import dev.connectorevents.event.Sha256;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Where the calls of one request go on, as their caller carries it. It is valid only with the same
 * request.
 *
 * @param run what the calls belong to; without spaces
 * @param place where the next call begins
 */
public record RequestNext(String run, String place) {

  /** Detects mistakes. It need not resist forgery: the caller has all rights of the request. */
  private static final int CHECKSUM_BYTES = 8;

  /**
   * Parses the text of a next.
   *
   * @param requestDigest of the request that carries it
   * @return empty if the text is none, or belongs to another request
   */
  public static Optional<RequestNext> parse(String text, String requestDigest) {
    return Base64Url.parse(text)
        .map(bytes -> new String(bytes, UTF_8).split(" ", 3))
        .filter(it -> it.length == 3)
        .map(it -> new RequestNext(it[1], it[2]))
        .filter(it -> it.text(requestDigest).equals(text)); // this also checks the checksum
  }

  /** As the caller carries it: a checksum and the components, in base64url. */
  public String text(String requestDigest) {
    String content = run + " " + place;
    byte[] hash = Sha256.of((content + " of " + requestDigest).getBytes(UTF_8));
    String checksum = HexFormat.of().formatHex(Arrays.copyOf(hash, CHECKSUM_BYTES));
    return Base64Url.of((checksum + " " + content).getBytes(UTF_8));
  }
}
