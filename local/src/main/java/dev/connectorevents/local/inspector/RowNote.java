package dev.connectorevents.local.inspector;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One thing that a row says of its request.
 *
 * @param word such as {@code replayed} or {@code 3 new}
 * @param detail why, or which; null if the word says everything
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record RowNote(Meaning meaning, String word, @Nullable String detail) {

  /** On the page, each meaning has a look of its own. */
  enum Meaning {
    NEW,
    REPLAYED,
    REFUSED,
    FAILED,
    IGNORED,
    INFORMED;

    /** What became of one event of a batch. */
    static Meaning of(JsonNode result) {
      int status = result.path("status").intValue();
      if (status >= 400) {
        return ofError(status);
      }
      return result.path("replayed").booleanValue() ? REPLAYED : NEW;
    }

    /** What became of a request whose status is at least 400. */
    static Meaning ofError(int status) {
      return status < 500 ? REFUSED : FAILED;
    }

    @JsonValue
    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** A note with the word that its meaning usually has. */
  static RowNote of(Meaning meaning, @Nullable String detail) {
    return new RowNote(meaning, meaning.word(), detail);
  }

  @Override
  public String toString() {
    return detail == null ? word : word + ": " + detail;
  }
}
