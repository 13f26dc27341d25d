package dev.connectorevents.acceptance.awscalls;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.secretsmanager.model.GetSecretValueRequest;

/**
 * Counts the functions' calls of {@code GetSecretValue}. The functions make their own clients, so
 * the SDK finds this interceptor through {@code execution.interceptors} among the test resources.
 */
public final class SecretReads implements ExecutionInterceptor {

  private static final Map<String, Integer> BY_FUNCTION = new ConcurrentHashMap<>();

  /**
   * The calls so far by all functions of that name. A function runs in a thread of the same name.
   */
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
