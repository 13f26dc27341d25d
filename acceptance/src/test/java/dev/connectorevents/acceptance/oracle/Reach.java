package dev.connectorevents.acceptance.oracle;

import java.util.List;

/** A scope that an operator gives to a user, and which of {@link SentEvent#TYPES} it contains. */
enum Reach {
  /** No scope. */
  UNLIMITED("null", SentEvent.TYPES),
  EVERY_TYPE("[\"*\"]", SentEvent.TYPES),
  SHOPIFY("[\"shopify.orders/*\"]", List.of(SentEvent.TYPES.getFirst())),
  STRIPE("[\"stripe.charge\"]", List.of(SentEvent.TYPES.getLast())),
  NEITHER("[\"shopify.orders/create/*\",\"stripe.charged\"]", List.of());

  /** The JSON value of {@code event_types}. */
  final String json;

  @SuppressWarnings("ImmutableEnumChecker") // it is immutable
  private final List<String> types;

  Reach(String json, List<String> types) {
    this.json = json;
    this.types = types;
  }

  boolean contains(String type) {
    return types.contains(type);
  }

  /** Whether it contains erased events too: nobody knows their types any more. */
  boolean isWhole() {
    return this == UNLIMITED || this == EVERY_TYPE;
  }
}
