package dev.connectorevents.functions.eraseevents;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.event.Sha256;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How far an erasure or a dry run is, as its caller carries it from call to call.
 *
 * <p>An erasure reads its whole selection, up to where the feed stands after a wait. Then it checks
 * the pages of the ledger.
 *
 * @param run the erasure, or when the dry run began
 * @param after where the selection goes on; empty at its beginning
 * @param written what the ledger has of this erasure
 * @param checked how many blocks of pages are checked; empty while events are selected
 */
record ErasureProgress(
    Run run, Optional<String> after, Written written, Optional<Integer> checked) {

  /** Detects mistakes. It need not resist forgery: the caller may erase all events anyway. */
  private static final int CHECKSUM_BYTES = 8;

  private static final String NONE = "-";

  /** What the calls belong to. */
  sealed interface Run {

    record OfErasure(UUID id) implements Run {
      @Override
      public String toString() {
        return id.toString();
      }
    }

    /** It finds only events that were created before it began. */
    record DryRun(Instant begun) implements Run {
      @Override
      public String toString() {
        return begun.toString();
      }
    }
  }

  /**
   * The pages of the ledger up to a page, as {@link LedgerPages} needs them.
   *
   * @param pages the number of the page
   * @param unsettled those ids in these pages that a later call may select again
   */
  record Written(int pages, Set<UUID> unsettled) {

    static final Written NOTHING = new Written(0, Set.of());

    Written {
      unsettled = Set.copyOf(unsettled);
    }
  }

  static ErasureProgress first(Run run) {
    return new ErasureProgress(run, Optional.empty(), Written.NOTHING, Optional.empty());
  }

  ErasureProgress afterPage(Optional<String> next) {
    return new ErasureProgress(run, next, written, checked);
  }

  ErasureProgress with(Written nowWritten) {
    return new ErasureProgress(run, after, nowWritten, checked);
  }

  ErasureProgress afterChecking(int blocks) {
    return new ErasureProgress(run, Optional.empty(), Written.NOTHING, Optional.of(blocks));
  }

  /**
   * Parses the text of a progress.
   *
   * @param requestDigest of the request that carries it
   * @param isDryRun whether the request is a dry run
   * @return empty if the text is no progress, or belongs to another request
   */
  static Optional<ErasureProgress> parse(String text, String requestDigest, boolean isDryRun) {
    try {
      String content = new String(Base64.getUrlDecoder().decode(text), UTF_8);
      String[] parts = content.split(" ", 6); // the last one may contain spaces
      if (parts.length < 6) {
        return Optional.empty();
      }
      ErasureProgress progress =
          new ErasureProgress(
              isDryRun
                  ? new Run.DryRun(Instant.parse(parts[1]))
                  : new Run.OfErasure(UUID.fromString(parts[1])),
              optional(parts[5]),
              new Written(
                  Integer.parseInt(parts[2]),
                  optional(parts[3]).stream()
                      .flatMap(ids -> Stream.of(ids.split(",", -1)))
                      .map(UUID::fromString)
                      .collect(Collectors.toSet())),
              optional(parts[4]).map(Integer::valueOf));
      // The comparison also checks parts[0], the checksum.
      return Optional.of(progress).filter(it -> it.text(requestDigest).equals(text));
    } catch (IllegalArgumentException | DateTimeException e) {
      return Optional.empty();
    }
  }

  private static Optional<String> optional(String part) {
    return Optional.of(part).filter(it -> !it.equals(NONE));
  }

  /**
   * The progress as the caller carries it: a checksum and the components, separated by spaces, in
   * base64url (RFC 4648, 5).
   */
  String text(String requestDigest) {
    String unsettled =
        written.unsettled().stream().map(UUID::toString).sorted().collect(Collectors.joining(","));
    String content =
        String.join(
            " ",
            run.toString(),
            Integer.toString(written.pages()),
            unsettled.isEmpty() ? NONE : unsettled,
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
