package dev.connectorevents.acceptance.awscalls;

import dev.connectorevents.emulator.iam.NeededRights;
import dev.connectorevents.emulator.iam.Role;
import dev.connectorevents.emulator.template.FunctionDefinition;
import dev.connectorevents.emulator.template.Right;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.SdkExecutionAttribute;

/**
 * Notes which rights the functions use; the SDK finds it by {@code execution.interceptors} among
 * the test resources, as it finds {@link AccessCheck}.
 */
public final class UsedRights implements ExecutionInterceptor {

  // By identity: each running service has read its own definitions.
  private static final Map<FunctionDefinition, Set<Right>> BY_FUNCTION =
      Collections.synchronizedMap(new IdentityHashMap<>());

  /** Of a running service's function, so far. */
  public static Set<Right> of(FunctionDefinition function) {
    return Set.copyOf(BY_FUNCTION.getOrDefault(function, Set.of()));
  }

  /** Not at the execution's beginning: what was refused is not used. */
  @Override
  public void beforeTransmission(
      Context.BeforeTransmission context, ExecutionAttributes attributes) {
    String operation = attributes.getAttribute(SdkExecutionAttribute.OPERATION_NAME);
    Role.current()
        .ifPresent(role ->
            BY_FUNCTION
                .computeIfAbsent(role.function(), _ -> ConcurrentHashMap.newKeySet())
                .addAll(NeededRights.of(context.request(), operation)));
  }
}
