package dev.connectorevents.eventformat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.connectorevents.Json;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashSet;
import java.util.List;
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
   * Whether a payload fulfils any of the conditions. Holds no more of it in memory than one value
   * that a condition is about.
   *
   * @throws IOException if the payload is not JSON, or cannot be read
   */
  public boolean anyHolds(InputStream payload, Hints hints) throws IOException {
    try (JsonParser parser = Json.FACTORY.createParser(payload)) {
      if (parser.nextToken() == null) {
        throw new EOFException("the payload is empty");
      }
      return new Walk(parser, hints).anyHolds(Walk.ALL, 0);
    }
  }

  /** One pass over a payload. A value's depth is how many segments lead to it. */
  private final class Walk {

    static final int ALL = -1;

    private final JsonParser parser;
    private final Hints hints;

    Walk(JsonParser parser, Hints hints) {
      this.parser = parser;
      this.hints = hints;
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
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        int further = those(leading, condition -> condition.leadsTo(depth, name));
        parser.nextToken();
        if (anyHolds(further, depth + 1)) {
          return true;
        }
      }
      return false;
    }

    private boolean anyElementHolds(int leading, int depth) throws IOException {
      for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
        int index = i;
        int further = those(leading, condition -> condition.leadsTo(depth, index));
        if (anyHolds(further, depth + 1)) {
          return true;
        }
      }
      return false;
    }

    private boolean anyMatches(int leading, int depth) throws IOException {
      int about = those(leading, condition -> condition.endsAt(depth));
      if (about == 0) {
        return false;
      }
      JsonScalar found = JsonScalar.of(parser.currentToken(), parser.getText());
      if (those(about, condition -> condition.matches(found)) != 0) {
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
