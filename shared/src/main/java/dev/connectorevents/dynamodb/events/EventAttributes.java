package dev.connectorevents.dynamodb.events;

import dev.connectorevents.event.Delivery;

/**
 * The names of the attributes of the events table, besides its key {@code id} and what {@link
 * Delivery#NAMES} lists.
 */
final class EventAttributes {

  /** The user whose connector sent the event. */
  static final String USER_ID = "user_id";

  static final String CREATED_AT = "created_at";

  /** No tombstone has a type. */
  static final String EVENT_TYPE = "event_type";

  /** The event's brand and a lane: the partition key of the index of brands. */
  static final String BRAND_KEY = "brand_key";

  /** The mark of a write, which only events with a key have. */
  static final String REQUEST = "request";

  static final String PAYLOAD = "payload";

  /** How many further items hold the payload. */
  static final String PARTS = "parts";

  /** The table's attribute for the time to live, in seconds since the epoch. */
  static final String EXPIRES_AT = "expires_at";

  /** Only a tombstone has this attribute. It stands where an erased event stood. */
  static final String ERASED_AT = "erased_at";

  /** The erasure that left a tombstone. */
  static final String ERASURE_ID = "erasure_id";

  /** When the item was given a new position in the feed. Absent if it has its first one. */
  static final String RENUMBERED_AT = "renumbered_at";

  private EventAttributes() {}
}
