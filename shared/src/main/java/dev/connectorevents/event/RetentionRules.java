package dev.connectorevents.event;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How long events of each type are kept: the most specific pattern decides. */
public final class RetentionRules {

  static final int MAX_RULES = 20;

  /** Of all rules together, in characters. */
  static final int MAX_LENGTH = 200;

  /** About ten years. */
  static final int MAX_DAYS = 3650;

  private static final Pattern RULE = Pattern.compile("(.*)=(0|[1-9]\\d{0,3})", Pattern.DOTALL);

  private final Map<EventTypePattern, Duration> kept;

  private RetentionRules(Map<EventTypePattern, Duration> kept) {
    this.kept = Map.copyOf(kept);
  }

  /**
   * Parses rules such as {@code shopify.customers/*=30,github.*=90}: a pattern and a number of
   * days, 0 for ever.
   *
   * @param rules may be empty
   * @param otherwise for event types that no rule matches; zero means for ever
   * @throws IllegalArgumentException if a rule is wrong or there are too many; the message names it
   */
  public static RetentionRules parse(String rules, Duration otherwise) {
    Map<EventTypePattern, Duration> kept = new HashMap<>();
    if (!rules.isEmpty()) {
      String[] each = rules.split(",", -1);
      if (each.length > MAX_RULES || rules.length() > MAX_LENGTH) {
        throw new IllegalArgumentException(
            "%d rules with %d characters in all; at most %d rules with %d are allowed"
                .formatted(each.length, rules.length(), MAX_RULES, MAX_LENGTH));
      }
      for (String rule : each) {
        add(rule, kept);
      }
    }
    kept.putIfAbsent(EventTypePattern.ANY, otherwise);
    return new RetentionRules(kept);
  }

  private static void add(String rule, Map<EventTypePattern, Duration> kept) {
    Matcher parts = RULE.matcher(rule);
    if (!parts.matches()) {
      throw wrong(rule, "it must be <pattern>=<days>");
    }
    EventTypePattern pattern =
        EventTypePattern.parse(parts.group(1))
            .orElseThrow(() -> wrong(rule, "no event type matches its pattern"));
    int days = Integer.parseInt(parts.group(2));
    if (days > MAX_DAYS) {
      throw wrong(rule, "days are 0 to " + MAX_DAYS);
    }
    if (kept.put(pattern, Duration.ofDays(days)) != null) {
      throw wrong(rule, "there are two rules for its pattern");
    }
  }

  private static IllegalArgumentException wrong(String rule, String why) {
    return new IllegalArgumentException("the rule " + rule + " is wrong: " + why);
  }

  /** How long an event of this type is kept; empty for ever. */
  public Optional<Duration> of(EventType type) {
    return kept.keySet().stream()
        .filter(pattern -> pattern.matches(type))
        .max(EventTypePattern.BY_SPECIFICITY)
        .map(kept::get)
        .filter(Duration::isPositive);
  }
}
