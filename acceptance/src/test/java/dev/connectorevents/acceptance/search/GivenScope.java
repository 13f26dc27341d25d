package dev.connectorevents.acceptance.search;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A scope that the administrator gives to an account, and which types of the senders it contains.
 */
enum GivenScope {
  /** The account has no scope, so it may use every type. */
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
   * The member {@code event_types} of the operator's event.
   *
   * @param number makes the scope differ from all others; {@link #NONE} ignores it
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

  /** Whether the scope contains every event, also an erased one, whose type is no longer known. */
  boolean isWhole() {
    return this == NONE || this == ALL;
  }
}
