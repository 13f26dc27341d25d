package dev.connectorevents.event;

import java.util.List;
import java.util.UUID;

/** Which events an operator wants to erase. */
public sealed interface ErasureSelector {

  /** The kind, as the proof names it. */
  String kind();

  /** The events with these ids, 1 to 100. */
  record Ids(List<UUID> ids) implements ErasureSelector {
    public Ids {
      ids = List.copyOf(ids);
    }

    @Override
    public String kind() {
      return "ids";
    }
  }

  /** The events that the index lists under a brand. */
  record Brand(EventQuery.OfBrand brand) implements ErasureSelector {
    @Override
    public String kind() {
      return "brand_id";
    }
  }

  /** All events. A condition on the payload chooses among them. */
  record All() implements ErasureSelector {
    @Override
    public String kind() {
      return "where";
    }
  }
}
