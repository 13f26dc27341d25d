package dev.connectorevents.acceptance.service;

import dev.connectorevents.emulator.iam.FunctionRole;
import dev.connectorevents.emulator.iam.NeededRights;
import dev.connectorevents.emulator.template.FunctionDefinition;
import dev.connectorevents.emulator.template.Right;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.SdkExecutionAttribute;

/**
 * An SDK interceptor that notes which of their IAM rights the functions use. The test resource
 * {@code execution.interceptors} makes the SDK add the interceptor to every client.
 */
public final class UsedRights implements ExecutionInterceptor {

  // Keyed by the granted rights' identity: two running services have equal ones, but different
  // objects, and a world's clock may give a function another time-out.
  private static final Map<List<Right>, Set<Right>> BY_FUNCTION =
      Collections.synchronizedMap(new IdentityHashMap<>());

  /** The rights that a running service's function has used so far. */
  public static Set<Right> of(FunctionDefinition function) {
    return Set.copyOf(used(function));
  }

  private static Set<Right> used(FunctionDefinition function) {
    return BY_FUNCTION.computeIfAbsent(function.rights(), _ -> ConcurrentHashMap.newKeySet());
  }

  /**
   * Records the rights just before the SDK sends the call. The SDK does not send a call that {@link
   * AccessCheck} refuses.
   */
  @Override
  public void beforeTransmission(
      Context.BeforeTransmission context, ExecutionAttributes attributes) {
    String operation = attributes.getAttribute(SdkExecutionAttribute.OPERATION_NAME);
    FunctionRole.current()
        .ifPresent(
            role -> used(role.function()).addAll(NeededRights.of(context.request(), operation)));
  }
}
