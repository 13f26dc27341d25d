package dev.connectorevents.emulator.function;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a call of a function ended. */
public sealed interface Invocation {

  /** Its error; empty if it returned. */
  default Optional<String> error() {
    return switch (this) {
      case Answered _ -> Optional.empty();
      case Throttled _ -> Optional.of("too many calls at once");
      case Failed failed -> Optional.of(failed.errorType() + ": " + failed.errorMessage());
    };
  }

  /** It returned; the payload is unchecked. */
  @SuppressWarnings("ArrayRecordComponent") // never compared, and never changed
  record Answered(byte[] payload) implements Invocation {}

  /** It was not called: the reserved concurrency is in use. */
  record Throttled() implements Invocation {}

  /** It threw, timed out or returned too much. As JSON, what Lambda's Java runtime reports. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Failed(
      @Nullable String errorMessage,
      String errorType,
      @Nullable List<String> stackTrace,
      @Nullable Failed cause)
      implements Invocation {

    static Failed of(Throwable thrown) {
      Throwable cause = thrown.getCause();
      return new Failed(
          thrown.getMessage(),
          thrown.getClass().getName(),
          Arrays.stream(thrown.getStackTrace()).map(StackTraceElement::toString).toList(),
          cause == null ? null : of(cause));
    }

    public static Failed of(String type, String message) {
      return new Failed(message, type, null, null);
    }
  }
}
