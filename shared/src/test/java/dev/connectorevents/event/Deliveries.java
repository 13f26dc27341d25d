package dev.connectorevents.event;

import java.time.Instant;

/** Two deliveries for tests: one with every field, and one with none. */
public final class Deliveries {

  public static final Delivery FULL =
      new Delivery(
          Long.MAX_VALUE,
          "",
          "ok\0é😀",
          Integer.MAX_VALUE,
          Instant.parse("2026-11-20T12:00:00Z"),
          Instant.parse("2026-11-20T12:00:00.000000001Z"));

  public static final Delivery NONE = new Delivery(null, null, null, null, null, null);

  private Deliveries() {}
}
