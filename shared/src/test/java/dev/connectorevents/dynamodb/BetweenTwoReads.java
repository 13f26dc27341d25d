package dev.connectorevents.dynamodb;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;

/** Changes the table after a reader's first read: before its next {@code BatchGetItem}. */
final class BetweenTwoReads implements ExecutionInterceptor {

  private final AtomicReference<Optional<Runnable>> pending =
      new AtomicReference<>(Optional.empty());

  /** Registers a change for the next {@code BatchGetItem}. It happens once. */
  void once(Runnable change) {
    pending.set(Optional.of(change));
  }

  @Override
  public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
    if (context.request() instanceof BatchGetItemRequest) {
      pending.getAndSet(Optional.empty()).ifPresent(Runnable::run);
    }
  }
}
