package dev.connectorevents.event;

import java.time.Instant;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a connector says about its delivery of an event. A field that was not sent is null. A field
 * has the same name in requests, in the stored item and in answers. Its rule is in {@code
 * docs/api.md}, and is checked when a request is read.
 *
 * @param connectorInstallationId the connector's own number for an installation; not negative
 * @param status free text of at most 255 characters
 * @param response at most 64 KiB in UTF-8
 * @param attempts how often the connector has tried before; not negative
 * @param sentAt when the connector sent the event; has nanoseconds
 * @param nextRetryAt when the connector will try again; has nanoseconds
 */
public record Delivery(
    @Nullable Long connectorInstallationId,
    @Nullable String status,
    @Nullable String response,
    @Nullable Integer attempts,
    @Nullable Instant sentAt,
    @Nullable Instant nextRetryAt) {

  /** The longest field. Lists and the answers to batches leave it out. */
  public static final String RESPONSE = "response";

  /** The fields' names, in the order of the API. */
  public static final List<String> NAMES =
      List.of(
          "connector_installation_id", "status", RESPONSE, "attempts", "sent_at", "next_retry_at");

  /** Fields that were written as text. */
  @FunctionalInterface
  public interface Texts {

    /** Parses the text of a field; null if the field is absent. */
    <T> @Nullable T parse(String name, Function<String, T> parser);
  }

  /** The inverse of {@link #forEach}, from each value's text. */
  public static Delivery of(Texts fields) {
    return new Delivery(
        fields.parse("connector_installation_id", Long::valueOf),
        fields.parse("status", Function.identity()),
        fields.parse(RESPONSE, Function.identity()),
        fields.parse("attempts", Integer::valueOf),
        fields.parse("sent_at", Instant::parse),
        fields.parse("next_retry_at", Instant::parse));
  }

  /** Passes the name and the value of each field that was sent, in the order of the API. */
  public void forEach(BiConsumer<String, Object> field) {
    ifSent("connector_installation_id", connectorInstallationId, field);
    ifSent("status", status, field);
    ifSent(RESPONSE, response, field);
    ifSent("attempts", attempts, field);
    ifSent("sent_at", sentAt, field);
    ifSent("next_retry_at", nextRetryAt, field);
  }

  private static void ifSent(
      String name, @Nullable Object value, BiConsumer<String, Object> field) {
    if (value != null) {
      field.accept(name, value);
    }
  }
}
