package dev.connectorevents.functions.operators.find;

import static dev.connectorevents.functions.operators.OperatorEvent.text;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.erasure.EventSelection;
import dev.connectorevents.event.Base64Url;
import dev.connectorevents.event.EventIds;
import dev.connectorevents.event.Sha256;
import dev.connectorevents.event.Timestamp;
import dev.connectorevents.feed.FeedCursor;
import dev.connectorevents.functions.operators.OperatorEvent;
import dev.connectorevents.functions.operators.SelectionReader;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** The function's event, checked. */
sealed interface FindEventsRequest {

  /**
   * Asks for events.
   *
   * @param next empty for the first call
   * @param digest of all members but {@code next}: each call of a search must have the same
   */
  record Find(EventSelection selection, Optional<Place> next, String digest)
      implements FindEventsRequest {

    /**
     * Where the search goes on. As text, it is valid only with the same request.
     *
     * @param begun when it began
     */
    record Place(Instant begun, String page) {

      /** Detects mistakes. It need not resist forgery: a search changes nothing. */
      private static final int CHECKSUM_BYTES = 8;

      private static Optional<Place> parse(String text, String requestDigest) {
        try {
          return Base64Url.parse(text)
              .map(bytes -> new String(bytes, UTF_8).split(" ", 3))
              .filter(it -> it.length == 3)
              .map(it -> new Place(Instant.parse(it[1]), it[2]))
              .filter(it -> it.text(requestDigest).equals(text)) // this also checks the checksum
              .filter(it -> !it.begun().isBefore(Timestamp.EARLIEST));
        } catch (DateTimeException e) {
          return Optional.empty();
        }
      }

      String text(String requestDigest) {
        return text(begun.toString(), page, requestDigest);
      }

      static String text(String begun, String page, String requestDigest) {
        String content = begun + " " + page;
        byte[] hash = Sha256.of((content + " of " + requestDigest).getBytes(UTF_8));
        String checksum = HexFormat.of().formatHex(Arrays.copyOf(hash, CHECKSUM_BYTES));
        return Base64Url.of((checksum + " " + content).getBytes(UTF_8));
      }
    }

    static final String OTHER_NEXT = SelectionReader.NEXT_RULE + ", with the same other members";

    private static Supplier<Find> read(OperatorEvent event) {
      Supplier<EventSelection> selection = SelectionReader.read(event, true);
      boolean goesOn = event.has("next");
      event.refuseOthers("a search");
      // To copy what is refused anyway takes memory.
      String digest = event.isValid() ? event.digestWithout("next") : "";
      Optional<Place> next =
          goesOn && event.isValid()
              ? event.required(
                  "next", OTHER_NEXT, OperatorEvent.text(it -> Place.parse(it, digest)))
              : Optional.empty();
      return () -> new Find(selection.get(), next, digest);
    }
  }

  /**
   * Asks for a proof.
   *
   * @param step whose ids are asked for, too; empty if only the proof is
   */
  record Show(UUID erasureId, Optional<Integer> step) implements FindEventsRequest {

    private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,6}");

    private static Supplier<Show> read(OperatorEvent event) {
      Optional<UUID> id = event.required("show", SelectionReader.ID_RULE, text(EventIds::parse));
      boolean hasIds = event.has("ids");
      if (hasIds) {
        event.checkIsTrue("ids");
      }
      Optional<Integer> next = hasIds ? next(event) : Optional.empty();
      event.refuseOthers("this event");
      return () ->
          new Show(id.orElseThrow(), hasIds ? next.or(() -> Optional.of(1)) : Optional.empty());
    }

    private static Optional<Integer> next(OperatorEvent event) {
      return event.optionalNotNull(
          "next",
          SelectionReader.NEXT_RULE,
          text(step -> Optional.of(step).filter(NUMBER.asMatchPredicate()).map(Integer::valueOf)));
    }
  }

  /**
   * Asks for all proofs.
   *
   * @param after where the page before ended
   */
  record ListProofs(Optional<String> after) implements FindEventsRequest {

    /** What a page may begin after: the key of any item of the ledger. */
    private static final Pattern PLACE = Pattern.compile("(run#)?[0-9a-f-]{36}(#[0-9]{1,9})?");

    private static Supplier<ListProofs> read(OperatorEvent event) {
      event.checkIsTrue("list");
      Optional<String> after =
          event.optionalNotNull(
              "next",
              "the next of the page before",
              text(place -> Optional.of(place).filter(PLACE.asMatchPredicate())));
      event.refuseOthers("this event");
      return () -> new ListProofs(after);
    }
  }

  /** Asks what is stored under an id. */
  record Look(UUID id) implements FindEventsRequest {

    private static Supplier<Look> read(OperatorEvent event) {
      Optional<UUID> id = event.required("event", SelectionReader.ID_RULE, text(EventIds::parse));
      event.refuseOthers("this event");
      return () -> new Look(id.orElseThrow());
    }
  }

  /**
   * Asks for entries of the feed, also of what is gone.
   *
   * @param ids only these; empty: all
   * @param from where to begin without {@code after}: at what was created at this time or later
   * @param until the last position
   * @param after where to begin
   */
  record Entries(
      Optional<Set<UUID>> ids, Optional<Instant> from, long until, Optional<FeedCursor> after)
      implements FindEventsRequest {

    static final int MOST_IDS = 1_000;

    private static Supplier<Entries> read(OperatorEvent event) {
      event.checkIsTrue("entries");
      Optional<Set<UUID>> ids =
          event.has("ids")
              ? Optional.of(
                  Set.copyOf(
                      event.elements(
                          "ids",
                          "an array of 1 to " + MOST_IDS + " ids",
                          MOST_IDS,
                          SelectionReader.ID_RULE,
                          text(EventIds::parse))))
              : Optional.empty();
      Optional<Instant> from = event.has("from") ? event.time("from", "") : Optional.empty();
      Optional<Long> until =
          event.optionalNotNull("until", "the last position", OperatorEvent::longInteger);
      Optional<FeedCursor> after =
          event.optionalNotNull("next", "a cursor of the feed", text(FeedCursor::parse));
      event.refuseOthers("this event");
      return () -> new Entries(ids, from, until.orElse(Long.MAX_VALUE), after);
    }
  }

  /** Reads an event. */
  static Supplier<? extends FindEventsRequest> read(OperatorEvent event) {
    if (event.isOf("show")) {
      return Show.read(event);
    }
    if (event.isOf("event")) {
      return Look.read(event);
    }
    if (event.isOf("entries")) {
      return Entries.read(event);
    }
    if (event.isOf("list")) {
      return ListProofs.read(event);
    }
    return Find.read(event);
  }
}
