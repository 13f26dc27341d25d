package dev.connectorevents.acceptance.oracle;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A list that a consumer asks for.
 *
 * @param share the number of a share, from 1 to {@value #SHARES}
 * @param wrong a part of the query that no list may have; empty if there is none
 */
record AskedList(
    Reach types,
    Optional<String> brand,
    Optional<Integer> share,
    boolean isFeed,
    boolean hasPayloads,
    boolean hasErasures,
    Optional<Instant> from,
    Optional<Instant> to,
    int limit,
    String wrong) {

  private static final int SHARES = 3;

  /** The first two bytes of the SHA-256 of each brand. */
  private static final Map<String, Integer> NUMBERS = Map.of("b0", 0xc02c, "b1", 0x7dc9);

  static final List<String> BRANDS = List.of("b0", "b1");

  private static final List<Integer> LIMITS = List.of(7, 50, 1_000);

  private static final List<String> WRONG =
      List.of(
          "limit=0",
          "order=up",
          "event_type=",
          "event_type=shopify.*/create",
          "from=yesterday",
          "include=all",
          "cursor=AAAA",
          "cursor=3f9a01c2",
          "cursor=3f9a01c2-01",
          "brand=b0",
          "share=4/3",
          "cursor=%FF");

  /** All events of a brand, newest first. */
  static AskedList ofBrand(String brand) {
    return new AskedList(
        Reach.UNLIMITED,
        Optional.of(brand),
        Optional.empty(),
        false,
        true,
        false,
        Optional.empty(),
        Optional.empty(),
        100,
        "");
  }

  /**
   * @param times when something happened
   */
  static AskedList draw(Step step, List<Instant> times) {
    int what = step.what();
    int how = step.how();
    return new AskedList(
        how % 3 == 0 ? Step.any(what, Reach.ALL) : Reach.UNLIMITED,
        Optional.of("b" + what % 3).filter(any -> what % 4 == 0),
        Optional.of(1 + what % SHARES).filter(any -> how % 10 == 4 || how % 10 == 9),
        how % 2 == 0,
        what % 3 == 0,
        what % 5 < 2,
        Optional.of(Step.any(how, times)).filter(any -> what % 7 < 2),
        Optional.of(Step.any(what, times)).filter(any -> how % 5 == 0 && how % 2 == 1),
        Step.any(what, LIMITS),
        how % 7 == 0 ? Step.any(what, WRONG) : "");
  }

  String path(Optional<String> cursor) {
    List<String> query = new ArrayList<>(List.of("limit=" + limit));
    if (types != Reach.UNLIMITED) {
      query.add("event_type=" + String.join(",", types.patterns));
    }
    brand.ifPresent(it -> query.add("brand_id=" + it));
    share.ifPresent(it -> query.add("share=" + it + "/" + SHARES));
    if (isFeed) {
      query.add("order=asc");
    }
    if (hasPayloads || hasErasures) {
      query.add(
          "include=" + (!hasErasures ? "payload" : hasPayloads ? "payload,erasures" : "erasures"));
    }
    from.ifPresent(it -> query.add("from=" + it));
    to.ifPresent(it -> query.add("to=" + it));
    cursor.ifPresent(it -> query.add("cursor=" + it));
    if (!wrong.isEmpty()) {
      query.add(wrong);
    }
    return Connectors.EVENTS + "?" + String.join("&", query);
  }

  /** Whether the query breaks a rule. */
  boolean isWrong() {
    return !wrong.isEmpty()
        || (hasErasures && brand.isPresent())
        || (share.isPresent() && !isFeed)
        || (to.isPresent() && isFeed)
        || (from.isPresent() && to.isPresent() && !from.get().isBefore(to.get()));
  }

  /** Whether the index of brands has the list, and not the feed. */
  boolean isOfBrandIndex() {
    return brand.isPresent() && !isFeed;
  }

  boolean selects(Slot.Fate.Stored stored) {
    return types.contains(stored.first().type())
        && (brand.isEmpty() || brand.equals(stored.first().brand()));
  }

  /** Whether the share has an event: by its brand, or else by its id. */
  boolean isInShare(SentEvent event, String id) {
    int number = event.brand().map(NUMBERS::get).orElseGet(() -> number(id));
    return share.filter(it -> number % SHARES + 1 != it).isEmpty();
  }

  /** The first two bytes of the SHA-256. */
  private static int number(String text) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
      return Byte.toUnsignedInt(hash[0]) * 256 + Byte.toUnsignedInt(hash[1]);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every JDK has it
    }
  }

  boolean covers(Instant time) {
    return from.filter(time::isBefore).isEmpty() && to.filter(it -> !time.isBefore(it)).isEmpty();
  }
}
