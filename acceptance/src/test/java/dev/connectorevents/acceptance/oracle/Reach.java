package dev.connectorevents.acceptance.oracle;

import java.util.List;

/** Event types that an operator gives to a user as its scope, or that a list asks for. */
enum Reach {
  /** No scope. */
  UNLIMITED,
  EVERY_TYPE("*"),
  SHOPIFY("shopify.orders/*"),
  STRIPE("stripe.charge"),
  NEITHER("shopify.orders/create/*", "stripe.charged");

  static final List<Reach> ALL = List.of(values());

  @SuppressWarnings("ImmutableEnumChecker") // it is immutable
  final List<String> patterns;

  Reach(String... patterns) {
    this.patterns = List.of(patterns);
  }

  /** The JSON value of {@code event_types}. */
  String json() {
    return patterns.isEmpty() ? "null" : "[\"" + String.join("\",\"", patterns) + "\"]";
  }

  boolean contains(String type) {
    return patterns.isEmpty() || patterns.stream().anyMatch(it -> matches(it, type));
  }

  /** Whether an event type may be in both. */
  boolean overlaps(Reach other) {
    return patterns.isEmpty()
        || other.patterns.isEmpty()
        || patterns.stream()
            .anyMatch(one -> other.patterns.stream().anyMatch(it -> overlap(one, it)));
  }

  private static boolean overlap(String one, String other) {
    return matches(one, beginning(other)) || matches(other, beginning(one));
  }

  private static boolean matches(String pattern, String type) {
    return pattern.endsWith("*") ? type.startsWith(beginning(pattern)) : type.equals(pattern);
  }

  private static String beginning(String pattern) {
    return pattern.replace("*", "");
  }

  /** Whether it contains erased events too: nobody knows their types any more. */
  boolean isWhole() {
    return this == UNLIMITED || this == EVERY_TYPE;
  }
}
