package dev.connectorevents.acceptance.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;

/**
 * One try to store an event.
 *
 * @param number a member of the payload
 * @param odd another member of the payload, as JSON text
 * @param hasMeta whether the payload has a {@code _meta}; it differs with each attempt
 */
record SentEvent(
    Optional<String> key,
    String type,
    int installation,
    int number,
    String odd,
    boolean hasMeta,
    int attempt) {

  static final List<String> TYPES = List.of("shopify.orders/create", "stripe.charge");

  /** Whether two tries under one key are the same event: neither attempt nor _meta counts. */
  boolean isSameEventAs(SentEvent other) {
    return type.equals(other.type)
        && installation == other.installation
        && number == other.number
        && odd.equals(other.odd);
  }

  String payload() {
    String members = "{\"n\":%d, \"odd\":%s".formatted(number, odd);
    return hasMeta
        ? members
            + metaUpToMore()
            + ",\"attempt\":\"%d\",\"brand_id\":\"%s\"}}".formatted(attempt, ofBrand())
        : members + "}";
  }

  private String ofBrand() {
    return "b" + number % 2;
  }

  /** The brand by which lists find it. */
  Optional<String> brand() {
    return hasMeta ? Optional.of(ofBrand()) : Optional.empty();
  }

  private String metaUpToMore() {
    int dot = type.indexOf('.');
    return ",\"_meta\":{\"source\":\"%s\",\"topic\":\"%s\""
        .formatted(type.substring(0, dot), type.substring(dot + 1));
  }

  /** The body of a request, with the key if it is an event of a batch. */
  String body(boolean isInBatch) {
    String ownKey = isInBatch ? key.map("\"idempotency_key\":\"%s\","::formatted).orElse("") : "";
    return "{%s\"event_type\":\"%s\",\"connector_installation_id\":%d,\"attempts\":%d,\"payload\":%s}"
        .formatted(ownKey, type, installation, attempt, payload());
  }

  /** Whether this text is the stored payload. The service appends a _meta if there is none. */
  boolean isStoredAs(String text) {
    String sent = payload();
    return hasMeta
        ? text.equals(sent)
        : text.startsWith(sent.substring(0, sent.length() - 1) + metaUpToMore())
            && text.endsWith("\"}}");
  }

  /** Whether the text of an event has the stored payload. */
  boolean isPartOf(String text) {
    String sent = payload();
    String begin = sent.substring(0, sent.length() - 1);
    return text.contains("\"payload\":" + (hasMeta ? sent : begin + metaUpToMore()));
  }

  /** Whether an answer shows the members of this try. */
  boolean isShownIn(JsonNode event) {
    return event.path("event_type").asText().equals(type)
        && event.path("connector_installation_id").asInt(-1) == installation
        && event.path("attempts").asInt(-1) == attempt;
  }

  @Override
  public String toString() {
    return "%s n=%d of %s, installation %d, attempt %d%s, %d characters"
        .formatted(
            key.orElse("no key"),
            number,
            type,
            installation,
            attempt,
            hasMeta ? ", _meta" : "",
            payload().length());
  }
}
