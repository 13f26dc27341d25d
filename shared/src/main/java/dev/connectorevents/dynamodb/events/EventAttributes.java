package dev.connectorevents.dynamodb.events;

import dev.connectorevents.event.Delivery;

/**
 * The names of the attributes of the events table, besides its key {@code id} and what {@link
 * Delivery#NAMES} lists.
 */
public final class EventAttributes {

  /** The user whose connector sent the event. */
  public static final String USER_ID = "user_id";

  public static final String CREATED_AT = "created_at";

  /** No tombstone has a type. */
  public static final String EVENT_TYPE = "event_type";

  /** The event's brand and a lane: the partition key of the index of brands. */
  public static final String BRAND_KEY = "brand_key";

  /** The mark of a write, which only events with a key have. */
  public static final String REQUEST = "request";

  public static final String PAYLOAD = "payload";

  /** How many further items hold the payload. */
  public static final String PARTS = "parts";

  /** The table's attribute for the time to live, in seconds since the epoch. */
  public static final String EXPIRES_AT = "expires_at";

  /** Only a tombstone has this attribute. It stands where an erased event stood. */
  public static final String ERASED_AT = "erased_at";

  /** The erasure that left a tombstone. */
  public static final String ERASURE_ID = "erasure_id";

  /** When the item was given a new position in the feed. Absent if it has its first one. */
  public static final String RENUMBERED_AT = "renumbered_at";

  private EventAttributes() {}
}
