package dev.connectorevents.erasure;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.connectorevents.Json;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Conditions on a payload, of which any one suffices.
 *
 * <p>They are judged in one pass over the payload, whose cost does not depend on where a value is:
 * a set of bits says which conditions lead to the current place. It skips what no condition is
 * about.
 *
 * @param all at most {@value #MOST}
 */
public record PayloadConditions(List<PayloadCondition> all) {

  /** The bits of an int. */
  private static final int MOST = Integer.SIZE;

  public PayloadConditions {
    all = List.copyOf(all);
    if (all.size() > MOST) {
      throw new IllegalArgumentException("too many conditions");
    }
  }

  public boolean isEmpty() {
    return all.isEmpty();
  }

  /** Where they look; empty texts for those that look anywhere. */
  public List<String> pointers() {
    return all.stream().map(it -> it.pointer().orElse("")).toList();
  }

  /** Whether one of them looks for a text inside of others. */
  public boolean anyIsContains() {
    return all.stream().anyMatch(PayloadCondition::isContains);
  }

  /** Collects what a payload has that nearly matches. */
  public static final class Hints {

    private final int room;
    private final Set<String> texts = new LinkedHashSet<>();

    /**
     * @param room for how many; others are dropped
     */
    public Hints(int room) {
      this.room = room;
    }

    private void add(PayloadCondition condition, JsonScalar found) {
      if (texts.size() < room) {
        condition.hint(found).ifPresent(texts::add);
      }
    }

    public List<String> texts() {
      return List.copyOf(texts);
    }
  }

  /**
   * Collects where a payload fulfils conditions: as JSON Pointers, with {@code *} for the index of
   * an array's element. A long pointer is cut, and ends in an ellipsis.
   */
  public static final class Places {

    /** A payload may have a text in each of a million members. */
    private static final int MOST_POINTERS = 20;

    /** In characters. */
    private static final int LONGEST = 255;

    private final StringBuilder path = new StringBuilder();
    private final Set<String> pointers = new LinkedHashSet<>();
    private boolean hasMore;

    private int enter(String segment) {
      int length = path.length();
      path.append('/').append(segment.replace("~", "~0").replace("/", "~1"));
      return length;
    }

    private void leave(int length) {
      path.setLength(length);
    }

    private void add() {
      String pointer = path.length() > LONGEST ? path.substring(0, LONGEST) + "…" : path.toString();
      if (pointers.size() < MOST_POINTERS) {
        pointers.add(pointer);
      } else {
        hasMore |= !pointers.contains(pointer);
      }
    }

    public Set<String> pointers() {
      return pointers;
    }

    /** Whether there were others. */
    public boolean hasMore() {
      return hasMore;
    }
  }

  /**
   * Whether a payload fulfils any of the conditions. Holds no more of it in memory than one value
   * that a condition is about.
   *
   * @throws IOException if the payload is not JSON, or cannot be read
   */
  public boolean anyHolds(InputStream payload, Hints hints) throws IOException {
    return anyHolds(payload, hints, Optional.empty());
  }

  /**
   * As the other, and reads on for further places.
   *
   * @param places gets them
   */
  public boolean anyHolds(InputStream payload, Hints hints, Places places) throws IOException {
    return anyHolds(payload, hints, Optional.of(places));
  }

  private boolean anyHolds(InputStream payload, Hints hints, Optional<Places> places)
      throws IOException {
    try (JsonParser parser = Json.FACTORY.createParser(payload)) {
      if (parser.nextToken() == null) {
        throw new EOFException("the payload is empty");
      }
      return new Walk(parser, hints, places).anyHolds(Walk.ALL, 0);
    }
  }

  /** One pass over a payload. A value's depth is how many segments lead to it. */
  private final class Walk {

    static final int ALL = -1;

    private final JsonParser parser;
    private final Hints hints;
    private final Optional<Places> places;

    Walk(JsonParser parser, Hints hints, Optional<Places> places) {
      this.parser = parser;
      this.hints = hints;
      this.places = places;
    }

    /** Whether nothing more is to be learnt. */
    private boolean suffices(boolean holds) {
      return holds && places.map(Places::hasMore).orElse(true);
    }

    /**
     * Reads the value whose first token was just read.
     *
     * @param leading the conditions whose first segments lead to this value: a bit for each
     */
    boolean anyHolds(int leading, int depth) throws IOException {
      if (leading == 0) {
        parser.skipChildren();
        return false;
      }
      return switch (parser.currentToken()) {
        case START_OBJECT -> anyMemberHolds(leading, depth);
        case START_ARRAY -> anyElementHolds(leading, depth);
        default -> anyMatches(leading, depth);
      };
    }

    private boolean anyMemberHolds(int leading, int depth) throws IOException {
      boolean holds = false;
      while (!suffices(holds) && parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        int further = those(leading, condition -> condition.leadsTo(depth, name));
        parser.nextToken();
        holds |= anyHolds(further, depth + 1, name);
      }
      return holds;
    }

    private boolean anyElementHolds(int leading, int depth) throws IOException {
      boolean holds = false;
      for (int i = 0; !suffices(holds) && parser.nextToken() != JsonToken.END_ARRAY; i++) {
        int index = i;
        int further = those(leading, condition -> condition.leadsTo(depth, index));
        holds |= anyHolds(further, depth + 1, "*");
      }
      return holds;
    }

    /**
     * @param segment leads to the value
     */
    private boolean anyHolds(int leading, int depth, String segment) throws IOException {
      if (places.isEmpty() || leading == 0) {
        return anyHolds(leading, depth);
      }
      int length = places.get().enter(segment);
      boolean holds = anyHolds(leading, depth);
      places.get().leave(length);
      return holds;
    }

    private boolean anyMatches(int leading, int depth) throws IOException {
      JsonToken token = parser.currentToken();
      int about = those(leading, condition -> condition.isAbout(depth, token));
      if (about == 0) {
        return false;
      }
      JsonScalar found = JsonScalar.of(token, parser.getText());
      if (those(about, condition -> condition.matches(found)) != 0) {
        places.ifPresent(Places::add);
        return true;
      }
      collectHints(about, found);
      return false;
    }

    private void collectHints(int about, JsonScalar found) {
      for (int i = 0; i < all.size(); i++) {
        if ((about & 1 << i) != 0) {
          hints.add(all.get(i), found);
        }
      }
    }

    private int those(int bits, Predicate<PayloadCondition> fit) {
      int those = 0;
      for (int i = 0; i < all.size(); i++) {
        int bit = 1 << i;
        if ((bits & bit) != 0 && fit.test(all.get(i))) {
          those |= bit;
        }
      }
      return those;
    }
  }
}
