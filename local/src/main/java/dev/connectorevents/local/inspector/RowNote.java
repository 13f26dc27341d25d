package dev.connectorevents.local.inspector;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * One thing that a row says of its request.
 *
 * @param word such as {@code replayed} or {@code 3 new}
 * @param detail why, or which; null if the word says everything
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record RowNote(NoteKind meaning, String word, @Nullable String detail) {

  /** A note with the word that its meaning usually has. */
  static RowNote of(NoteKind meaning, @Nullable String detail) {
    return new RowNote(meaning, meaning.word(), detail);
  }

  @Override
  public String toString() {
    return detail == null ? word : word + ": " + detail;
  }
}
