package dev.connectorevents.eventformat;

import dev.connectorevents.Json;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** A condition on a payload: it has a certain value at a certain place. */
public final class PayloadCondition {

  /** A tilde that escapes nothing (RFC 6901, 3). */
  private static final Pattern BARE_TILDE = Pattern.compile("~(?![01])");

  private final String pointer;
  private final List<Segment> segments;
  private final JsonScalar value;
  private final boolean ignoresCase;

  /**
   * A segment of a pointer.
   *
   * @param index -1 if it is none
   */
  private record Segment(String name, int index) {

    private static final Pattern INDEX = Pattern.compile("0|[1-9]\\d{0,8}");

    static Segment unescaped(String text) {
      String name = text.replace("~1", "/").replace("~0", "~");
      return new Segment(name, INDEX.matcher(name).matches() ? Integer.parseInt(name) : -1);
    }

    boolean isElement(int wanted) {
      return index == wanted || name.equals("*");
    }
  }

  private PayloadCondition(String pointer, JsonScalar value, boolean ignoresCase) {
    if (!isPointer(pointer)) {
      throw new IllegalArgumentException("not a JSON Pointer into a payload");
    }
    this.pointer = pointer;
    this.segments =
        Arrays.stream(pointer.substring(1).split("/", -1)).map(Segment::unescaped).toList();
    this.value = value;
    this.ignoresCase = ignoresCase;
  }

  /**
   * A value of the same type is there.
   *
   * @param pointer the place (RFC 6901); a segment {@code *} is every element of an array
   */
  public static PayloadCondition equal(String pointer, JsonScalar value) {
    return new PayloadCondition(pointer, value, false);
  }

  /** A string is there that differs at most in its case, or in its form in Unicode. */
  public static PayloadCondition equalIgnoringCase(String pointer, String text) {
    return new PayloadCondition(pointer, JsonScalar.string(text), true);
  }

  /** Whether a text is a JSON Pointer. The empty one, to the whole payload, is none here. */
  public static boolean isPointer(String text) {
    return text.startsWith("/") && !BARE_TILDE.matcher(text).find();
  }

  /** Whether the segment at this depth is a member of this name. */
  boolean leadsTo(int depth, String name) {
    return depth < segments.size() && segments.get(depth).name().equals(name);
  }

  /** Whether the segment at this depth is an element of this index. */
  boolean leadsTo(int depth, int index) {
    return depth < segments.size() && segments.get(depth).isElement(index);
  }

  boolean endsAt(int depth) {
    return depth == segments.size();
  }

  boolean matches(JsonScalar found) {
    return ignoresCase ? isFolded(found) : value.isSameAs(found);
  }

  private boolean isFolded(JsonScalar found) {
    return found.isString() && found.foldsTo(value);
  }

  /**
   * For people: the condition that a value would have matched which this one does not match; empty
   * if the two have nothing in common.
   */
  Optional<String> hint(JsonScalar found) {
    if (value.differsOnlyInQuotes(found)) {
      return Optional.of("an event has it as " + found.type() + ": " + json("equals", found));
    }
    return value.isString() && isFolded(found)
        ? Optional.of(
            "an event has it in another case or form: " + json("equals_ignoring_case", value))
        : Optional.empty();
  }

  private String json(String member, JsonScalar wanted) {
    return "{\"pointer\":%s,\"%s\":%s}"
        .formatted(
            quoted(pointer), member, wanted.isString() ? quoted(wanted.text()) : wanted.text());
  }

  private static String quoted(String text) {
    String object = Json.write(Map.of("", text)); // {"":"…"}
    return object.substring("{\"\":".length(), object.length() - 1);
  }
}
