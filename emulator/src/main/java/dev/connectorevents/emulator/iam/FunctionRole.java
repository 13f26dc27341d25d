package dev.connectorevents.emulator.iam;

import dev.connectorevents.emulator.template.FunctionDefinition;
import dev.connectorevents.emulator.template.Right;
import java.lang.ScopedValue.CallableOp;
import java.util.Optional;

/** The role that SAM creates for a function. Calls within it have the function's rights. */
public record FunctionRole(FunctionDefinition function) {
  // The functions' SDK clients call in the caller's thread, or in one that the function has
  // started.
  private static final InheritableThreadLocal<FunctionRole> CURRENT =
      new InheritableThreadLocal<>();

  /** Empty outside a function: the emulator itself may call anything. */
  public static Optional<FunctionRole> current() {
    return Optional.ofNullable(CURRENT.get());
  }

  public <T, X extends Throwable> T call(CallableOp<? extends T, X> work) throws X {
    FunctionRole before = CURRENT.get();
    CURRENT.set(this);
    try {
      return work.call();
    } finally {
      CURRENT.set(before);
    }
  }

  boolean allows(Right needed) {
    return function.rights().stream().anyMatch(right -> right.allows(needed));
  }

  /** IAM's message. */
  String refusal(Right needed) {
    return "User: arn:aws:sts::000000000000:assumed-role/%sRole/%s is not authorized to perform: %s on resource: %s because no identity-based policy allows the %s action"
        .formatted(
            function.id(), function.id(), needed.action(), needed.resource(), needed.action());
  }
}
