package dev.connectorevents.user;

import dev.connectorevents.event.EventType;
import dev.connectorevents.event.EventTypePattern;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The event types that a user may send or read.
 *
 * @param patterns 1 to {@value #MAX_PATTERNS}, each once; an event type must match one of them
 */
public record Scope(List<EventTypePattern> patterns) {

  public static final int MAX_PATTERNS = 20;

  private static final String SEPARATOR = ",";

  /**
   * @throws IllegalArgumentException if there is no pattern, if there are too many, or if one is
   *     there twice
   */
  public Scope {
    patterns = List.copyOf(patterns);
    if (patterns.isEmpty()
        || patterns.size() > MAX_PATTERNS
        || Set.copyOf(patterns).size() < patterns.size()) {
      throw new IllegalArgumentException("not a scope: " + patterns.size() + " patterns");
    }
  }

  /** Parses {@link #text}; empty if the text is not a scope. */
  public static Optional<Scope> parse(String text) {
    try {
      return Optional.of(
          new Scope(Arrays.stream(text.split(SEPARATOR, -1)).map(EventTypePattern::new).toList()));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  public boolean contains(EventType type) {
    return patterns.stream().anyMatch(pattern -> pattern.matches(type));
  }

  /** Whether it contains every event type there may be. */
  public boolean containsAll() {
    return patterns.contains(EventTypePattern.ANY);
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
