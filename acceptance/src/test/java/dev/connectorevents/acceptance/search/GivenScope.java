package dev.connectorevents.acceptance.search;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A scope that an operator gives to an account. It knows which of the {@link Sender#TYPES} it
 * contains.
 */
enum GivenScope {
  /** No scope: the account may use every type. */
  NONE(List.of(), Sender.TYPES),
  ALL(List.of("*"), Sender.TYPES),
  SHOPIFY(List.of("shopify.orders/*"), List.of("shopify.orders/create")),
  STRIPE(List.of("stripe.charge"), List.of("stripe.charge")),
  NEITHER(List.of("shopify.orders/create/*", "stripe.charged"), List.of());

  @SuppressWarnings("ImmutableEnumChecker") // it is immutable
  private final List<String> patterns;

  @SuppressWarnings("ImmutableEnumChecker") // it is immutable
  private final List<String> types;

  GivenScope(List<String> patterns, List<String> types) {
    this.patterns = patterns;
    this.types = types;
  }

  /**
   * The JSON value of {@code event_types} in the operator's request.
   *
   * @param number makes the scope differ from all other scopes; {@link #NONE} ignores the number
   */
  String json(int number) {
    return this == NONE
        ? "null"
        : Stream.concat(patterns.stream(), Stream.of("number." + number))
            .collect(Collectors.joining("\",\"", "[\"", "\"]"));
  }

  boolean contains(String type) {
    return isWhole() || types.contains(type);
  }

  /**
   * Whether the scope contains every event. Only such a scope contains an erased event, because the
   * type of an erased event is no longer known.
   */
  boolean isWhole() {
    return this == NONE || this == ALL;
  }
}
