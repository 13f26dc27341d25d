package dev.connectorevents.event;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A set of event types: those that a user may send or read, or those that a list or an erasure is
 * asked for.
 *
 * @param patterns 1 to {@value #MAX_PATTERNS}, each once; an event type must match one of them
 */
public record EventTypes(List<EventTypePattern> patterns) {

  public static final int MAX_PATTERNS = 20;

  private static final String SEPARATOR = ",";

  /**
   * @throws IllegalArgumentException if there is no pattern, if there are too many, or if one is
   *     there twice
   */
  public EventTypes {
    patterns = List.copyOf(patterns);
    if (patterns.isEmpty()
        || patterns.size() > MAX_PATTERNS
        || Set.copyOf(patterns).size() < patterns.size()) {
      throw new IllegalArgumentException(
          "not a set of event types: " + patterns.size() + " patterns");
    }
  }

  /** The set of these patterns; empty if they are none, too many, or if one is there twice. */
  public static Optional<EventTypes> of(List<EventTypePattern> patterns) {
    try {
      return Optional.of(new EventTypes(patterns));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Parses {@link #text}; empty if the text is no such set. */
  public static Optional<EventTypes> parse(String text) {
    try {
      return of(Arrays.stream(text.split(SEPARATOR, -1)).map(EventTypePattern::new).toList());
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  public boolean contains(EventType type) {
    return patterns.stream().anyMatch(pattern -> pattern.matches(type));
  }

  /** Whether an event type may be in both sets. */
  public boolean overlaps(EventTypes others) {
    return patterns.stream()
        .anyMatch(pattern -> others.patterns().stream().anyMatch(pattern::overlaps));
  }

  /** Whether it contains every event type there may be. */
  public boolean containsAll() {
    return patterns.contains(EventTypePattern.ANY);
  }

  /**
   * Whether a pattern names this provider, so that the patterns name at most {@value
   * #MAX_PATTERNS}.
   */
  public boolean names(String provider) {
    return patterns.stream().anyMatch(pattern -> pattern.beginning().startsWith(provider + "."));
  }

  /** The texts of the patterns. */
  public List<String> values() {
    return patterns.stream().map(EventTypePattern::value).toList();
  }

  /** The patterns as the table stores them, separated by commas. No event type has a comma. */
  public String text() {
    return values().stream().collect(Collectors.joining(SEPARATOR));
  }
}
