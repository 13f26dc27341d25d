package dev.connectorevents.erasure;

import com.fasterxml.jackson.core.JsonToken;
import dev.connectorevents.Json;
import dev.connectorevents.Unicode;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** A condition on a payload: it has a certain value at a certain place, or a text anywhere. */
public final class PayloadCondition {

  /** A tilde that escapes nothing (RFC 6901, 3). */
  private static final Pattern BARE_TILDE = Pattern.compile("~(?![01])");

  /** The least characters of a text to contain: nearly every payload has a shorter one. */
  public static final int LEAST_CONTAINED = 3;

  /** The most of them: each character of a payload may be compared with all. */
  public static final int MOST_CONTAINED = 255;

  private final Optional<String> pointer; // empty: anywhere
  private final List<Segment> segments;
  private final JsonScalar value;
  private final Comparison comparison;
  private final int kept; // by folding: what cannot match need not be folded

  private enum Comparison {
    EQUALS,
    EQUALS_IGNORING_CASE,
    CONTAINS
  }

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

  /** Where to look; empty: anywhere. */
  Optional<String> pointer() {
    return pointer;
  }

  private PayloadCondition(Optional<String> pointer, JsonScalar value, Comparison comparison) {
    if (!pointer.map(PayloadCondition::isPointer).orElse(comparison == Comparison.CONTAINS)) {
      throw new IllegalArgumentException("not a JSON Pointer into a payload");
    }
    this.pointer = pointer;
    this.segments =
        pointer.stream()
            .flatMap(text -> Arrays.stream(text.substring(1).split("/", -1)))
            .map(Segment::unescaped)
            .toList();
    this.value = value;
    this.comparison = comparison;
    this.kept = Unicode.keptByFolding(value.text());
  }

  /**
   * A value of the same type is there.
   *
   * @param pointer the place (RFC 6901); a segment {@code *} is every element of an array
   */
  public static PayloadCondition equal(String pointer, JsonScalar value) {
    return new PayloadCondition(Optional.of(pointer), value, Comparison.EQUALS);
  }

  /** A string is there that differs at most in its case, or in its form in Unicode. */
  public static PayloadCondition equalIgnoringCase(String pointer, String text) {
    return new PayloadCondition(
        Optional.of(pointer), JsonScalar.string(text), Comparison.EQUALS_IGNORING_CASE);
  }

  /**
   * A string is there that has this text in it, in any case and form in Unicode.
   *
   * @param pointer as above; empty: any string value of the payload, but no name of a member
   * @param text of {@value #LEAST_CONTAINED} to {@value #MOST_CONTAINED} characters
   */
  public static PayloadCondition contains(Optional<String> pointer, String text) {
    if (!isContainable(text)) {
      throw new IllegalArgumentException("too short or too long to be contained");
    }
    return new PayloadCondition(pointer, JsonScalar.string(text), Comparison.CONTAINS);
  }

  /** Whether a condition may look for this text inside of others. */
  public static boolean isContainable(String text) {
    int length = text.codePointCount(0, text.length());
    return LEAST_CONTAINED <= length && length <= MOST_CONTAINED;
  }

  /** Whether a text is a JSON Pointer. The empty one, to the whole payload, is none here. */
  public static boolean isPointer(String text) {
    return text.startsWith("/") && !BARE_TILDE.matcher(text).find();
  }

  /** Whether the segment at this depth is a member of this name. */
  boolean leadsTo(int depth, String name) {
    return pointer.isEmpty()
        || (depth < segments.size() && segments.get(depth).name().equals(name));
  }

  /** Whether the segment at this depth is an element of this index. */
  boolean leadsTo(int depth, int index) {
    return pointer.isEmpty() || (depth < segments.size() && segments.get(depth).isElement(index));
  }

  /** Whether it is about a value of this kind at this depth. */
  boolean isAbout(int depth, JsonToken token) {
    boolean isThere = pointer.isEmpty() || depth == segments.size();
    return isThere && (token == JsonToken.VALUE_STRING || comparison != Comparison.CONTAINS);
  }

  boolean isContains() {
    return comparison == Comparison.CONTAINS;
  }

  boolean matches(JsonScalar found) {
    return switch (comparison) {
      case EQUALS -> value.isSameAs(found);
      case EQUALS_IGNORING_CASE -> found.isString() && found.foldsTo(value);
      case CONTAINS ->
          found.isString()
              && (kept < 0 || found.text().indexOf(kept) >= 0)
              && found.foldedContains(value);
    };
  }

  /**
   * For people: the condition that a value would have matched which this one does not match; empty
   * if the two have nothing in common.
   */
  Optional<String> hint(JsonScalar found) {
    if (comparison == Comparison.CONTAINS) {
      return Optional.empty();
    }
    if (value.differsOnlyInQuotes(found)) {
      return Optional.of("an event has it as " + found.type() + ": " + json("equals", found));
    }
    if (!value.isString() || !found.isString()) {
      return Optional.empty();
    }
    if (found.foldsTo(value)) {
      return Optional.of(
          "an event has it in another case or form: " + json("equals_ignoring_case", value));
    }
    return isContainable(value.text()) && found.foldedContains(value)
        ? Optional.of("an event has it inside a longer text: " + json("contains", value))
        : Optional.empty();
  }

  private String json(String member, JsonScalar wanted) {
    return "{\"pointer\":%s,\"%s\":%s}"
        .formatted(
            quoted(pointer.orElseThrow()),
            member,
            wanted.isString() ? quoted(wanted.text()) : wanted.text());
  }

  private static String quoted(String text) {
    String object = Json.write(Map.of("", text)); // {"":"…"}
    return object.substring("{\"\":".length(), object.length() - 1);
  }
}
