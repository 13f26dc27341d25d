package dev.connectorevents.functions.eraseevents;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.event.Sha256;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;

/**
 * How far an erasure is, as its caller carries it from call to call.
 *
 * <p>An erasure reads its whole selection in a pass, and repeats the pass if events may have become
 * visible meanwhile. Then it checks the pages of the ledger.
 *
 * @param erasureId empty for a dry run
 * @param begun when the erasure began; it erases only events that were created before this
 * @param notBefore when the current pass may begin
 * @param after where the current pass goes on; empty at its beginning
 * @param absent how many ids of the current pass have neither an event nor a tombstone
 * @param pages the last page of the ledger that the caller knows; a call whose answer was lost may
 *     have added more
 * @param checked the last page that is checked; empty while events are selected
 */
record ErasureProgress(
    Optional<UUID> erasureId,
    Instant begun,
    Instant notBefore,
    Optional<String> after,
    int absent,
    int pages,
    Optional<Integer> checked) {

  /** Detects mistakes. It need not resist forgery: the caller may erase all events anyway. */
  private static final int CHECKSUM_BYTES = 8;

  private static final String NONE = "-";

  static ErasureProgress first(Optional<UUID> erasureId, Instant begun, Instant notBefore) {
    return new ErasureProgress(
        erasureId, begun, notBefore, Optional.empty(), 0, 0, Optional.empty());
  }

  ErasureProgress afterPage(Optional<String> next, int absentIds, int ledgerPages) {
    return new ErasureProgress(erasureId, begun, notBefore, next, absentIds, ledgerPages, checked);
  }

  /** The same erasure, before it selects all events once more. */
  ErasureProgress nextPass(Instant time) {
    return new ErasureProgress(
        erasureId, begun, time, Optional.empty(), 0, pages, Optional.empty());
  }

  ErasureProgress afterChecking(int pagesChecked) {
    return new ErasureProgress(
        erasureId, begun, notBefore, Optional.empty(), absent, pages, Optional.of(pagesChecked));
  }

  /**
   * Parses the text of a progress.
   *
   * @param requestDigest of the request that carries it
   * @return empty if the text is no progress, or belongs to another request
   */
  static Optional<ErasureProgress> parse(String text, String requestDigest) {
    try {
      String content = new String(Base64.getUrlDecoder().decode(text), UTF_8);
      String[] parts = content.split(" ", 8); // the last one may contain spaces
      if (parts.length < 8) {
        return Optional.empty();
      }
      ErasureProgress progress =
          new ErasureProgress(
              Optional.of(parts[1]).filter(it -> !it.equals(NONE)).map(UUID::fromString),
              Instant.parse(parts[2]),
              Instant.parse(parts[3]),
              Optional.of(parts[7]).filter(it -> !it.equals(NONE)),
              Integer.parseInt(parts[4]),
              Integer.parseInt(parts[5]),
              Optional.of(parts[6]).filter(it -> !it.equals(NONE)).map(Integer::valueOf));
      // The comparison also checks parts[0], the checksum.
      return Optional.of(progress).filter(it -> it.text(requestDigest).equals(text));
    } catch (IllegalArgumentException | DateTimeException e) {
      return Optional.empty();
    }
  }

  /**
   * The progress as the caller carries it: a checksum and the components, separated by spaces, in
   * base64url (RFC 4648, 5).
   */
  String text(String requestDigest) {
    String content =
        String.join(
            " ",
            erasureId.map(UUID::toString).orElse(NONE),
            begun.toString(),
            notBefore.toString(),
            Integer.toString(absent),
            Integer.toString(pages),
            checked.map(String::valueOf).orElse(NONE),
            after.orElse(NONE));
    String text = checksum(content + " of " + requestDigest) + " " + content;
    return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(UTF_8));
  }

  private static String checksum(String content) {
    byte[] hash = Sha256.of(content.getBytes(UTF_8));
    return HexFormat.of().formatHex(Arrays.copyOf(hash, CHECKSUM_BYTES));
  }
}
