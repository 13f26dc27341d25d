package dev.connectorevents.bench;

/** The bodies that connectors send around a payload. */
public final class RequestBody {

  private RequestBody() {}

  /** With what most of them send. */
  public static String usual(String eventType, String payload) {
    return """
    {"event_type":"%s","connector_installation_id":42,"payload":%s}\
    """
        .formatted(eventType, payload);
  }

  /** With how it was sent, as well. */
  public static String withSending(String eventType, String payload) {
    return """
    {"event_type":"%s","connector_installation_id":42,"status":"received","attempts":1,\
    "sent_at":"2026-11-20T11:59:59.250Z","payload":%s}\
    """
        .formatted(eventType, payload);
  }

  /** A body of exactly that size in UTF-8, with an {@link OrderPayload}. */
  public static String ofSize(int bytes) {
    String type = "shopify.orders/create";
    return withSending(type, OrderPayload.ofSize(bytes - withSending(type, "").length()));
  }
}
