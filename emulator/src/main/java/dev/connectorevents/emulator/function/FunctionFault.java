package dev.connectorevents.emulator.function;

import dev.connectorevents.emulator.template.FunctionDefinition;
import org.jspecify.annotations.Nullable;

/** A function of the template that cannot start, with the reason. */
public final class FunctionFault extends RuntimeException {
  private static final long serialVersionUID = 1;

  FunctionFault(FunctionDefinition function, String what) {
    this(function, what, null);
  }

  FunctionFault(FunctionDefinition function, String what, @Nullable Throwable cause) {
    super(function.id() + " (Handler " + function.handler() + "): " + what, cause);
  }
}
