package dev.connectorevents.acceptance.awscalls;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.secretsmanager.model.GetSecretValueRequest;

/**
 * Counts what the functions' own clients ask Secrets Manager for; the SDK finds it by {@code
 * execution.interceptors} among the test resources, since a function makes its clients itself.
 */
public final class SecretReads implements ExecutionInterceptor {

  private static final Map<String, Integer> BY_FUNCTION = new ConcurrentHashMap<>();

  /** Of all functions of that name so far: a call runs in a thread that is named for it. */
  public static int of(String function) {
    return BY_FUNCTION.getOrDefault(function, 0);
  }

  @Override
  public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes unused) {
    if (context.request() instanceof GetSecretValueRequest) {
      BY_FUNCTION.merge(Thread.currentThread().getName(), 1, Integer::sum);
    }
  }
}
