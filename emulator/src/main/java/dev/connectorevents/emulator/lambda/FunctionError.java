package dev.connectorevents.emulator.lambda;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A failed call as Lambda's Java runtime reports it to the caller. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record FunctionError(
    @Nullable String errorMessage,
    String errorType,
    @Nullable List<String> stackTrace,
    @Nullable FunctionError cause) {

  static FunctionError of(Throwable thrown) {
    var cause = thrown.getCause();
    return new FunctionError(
        thrown.getMessage(),
        thrown.getClass().getName(),
        Arrays.stream(thrown.getStackTrace()).map(StackTraceElement::toString).toList(),
        cause == null ? null : of(cause));
  }

  static FunctionError of(String type, String message) {
    return new FunctionError(message, type, null, null);
  }
}
