package dev.connectorevents.erasure;

import dev.connectorevents.event.EventTypes;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Which events an operator wants to erase. */
public sealed interface ErasureSelector {

  /** The kind, as the proof names it. */
  String kind();

  /** Whether this selects an event, whenever it was created. */
  boolean selects(ErasableEvent event);

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

    @Override
    public String kind() {
      return "ids";
    }

    @Override
    public boolean selects(ErasableEvent event) {
      return ids.contains(event.id());
    }
  }

  /** The events that the index lists under a brand. */
  record Brand(String brand) implements ErasureSelector {
    @Override
    public String kind() {
      return "brand_id";
    }

    @Override
    public boolean selects(ErasableEvent event) {
      return event.brand().equals(Optional.of(brand));
    }
  }

  /**
   * The events without a brand, of the providers that have sent events of a brand: what an erasure
   * by this brand leaves. Only to find them.
   */
  record WithoutBrand(String brand) implements ErasureSelector {
    @Override
    public String kind() {
      return "without_brand";
    }

    /** Only the store knows the providers. */
    @Override
    public boolean selects(ErasableEvent event) {
      return event.brand().isEmpty();
    }
  }

  /**
   * What a user has sent.
   *
   * @param types of these event types; empty: of all
   */
  record Sender(UUID userId, Optional<EventTypes> types) implements ErasureSelector {

    @Override
    public String kind() {
      return "user_id";
    }

    @Override
    public boolean selects(ErasableEvent event) {
      return event.userId().equals(userId)
          && types.map(it -> it.contains(event.type())).orElse(true);
    }
  }

  /** All events of the table. The conditions on the payload select among them. */
  record All() implements ErasureSelector {
    @Override
    public String kind() {
      return "where";
    }

    @Override
    public boolean selects(ErasableEvent event) {
      return true;
    }
  }
}
