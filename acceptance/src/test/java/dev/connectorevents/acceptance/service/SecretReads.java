package dev.connectorevents.acceptance.service;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.secretsmanager.model.GetSecretValueRequest;

/**
 * An SDK interceptor that counts the functions' calls of {@code GetSecretValue} and their retries.
 * The functions create their own clients: the test resource {@code execution.interceptors} makes
 * the SDK add the interceptor to them.
 */
public final class SecretReads implements ExecutionInterceptor {

  private static final Map<String, Integer> BY_FUNCTION = new ConcurrentHashMap<>();

  /**
   * The number of calls so far by the functions with this logical id, in all running services. A
   * function serves each request in a thread whose name is the function's logical id.
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
