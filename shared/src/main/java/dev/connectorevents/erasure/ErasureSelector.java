package dev.connectorevents.erasure;

import dev.connectorevents.event.EventTypes;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Which events an operator wants to erase. */
public sealed interface ErasureSelector {

  /** The kind, as the proof names it. */
  default String kind() {
    return switch (this) {
      case Ids _ -> "ids";
      case Brand _ -> "brand_id";
      case WithoutBrand _ -> "without_brand";
      case Sender _ -> "user_id";
      case All _ -> "where";
    };
  }

  /** Whether this selects an event, whenever it was created. */
  default boolean selects(ErasableEvent event) {
    return switch (this) {
      case Ids(List<UUID> ids) -> ids.contains(event.id());
      case Brand(String brand) -> event.brand().equals(Optional.of(brand));
      case WithoutBrand _ -> event.brand().isEmpty(); // only the store knows the providers
      case Sender(UUID userId, Optional<EventTypes> types) ->
          event.userId().equals(userId) && types.map(it -> it.contains(event.type())).orElse(true);
      case All _ -> true;
    };
  }

  /** Whether the index or the feed has to find the events: both come after the table. */
  default boolean isBehind() {
    return switch (this) {
      case Brand _, WithoutBrand _, Sender _ -> true;
      case Ids _, All _ -> false;
    };
  }

  /**
   * The events with these ids.
   *
   * @param ids 1 to {@value #MAX_IDS}
   */
  record Ids(List<UUID> ids) implements ErasureSelector {

    public static final int MAX_IDS = 100;

    public Ids {
      ids = List.copyOf(ids);
      if (ids.isEmpty() || ids.size() > MAX_IDS) {
        throw new IllegalArgumentException(ids.size() + " ids");
      }
    }
  }

  /** The events that the index lists under a brand. */
  record Brand(String brand) implements ErasureSelector {}

  /**
   * The events without a brand, of the providers that have sent events of a brand: what an erasure
   * by this brand leaves. Only to find them.
   */
  record WithoutBrand(String brand) implements ErasureSelector {}

  /**
   * What a user has sent.
   *
   * @param types of these event types; empty: of all
   */
  record Sender(UUID userId, Optional<EventTypes> types) implements ErasureSelector {}

  /** All events of the table. The conditions on the payload select among them. */
  record All() implements ErasureSelector {}
}
