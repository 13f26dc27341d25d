package dev.connectorevents.dynamodb.events;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;

/**
 * Records calls, and lets a test change a table between two reads: before a {@code BatchGetItem},
 * which readers call second.
 */
public final class BetweenTwoReads implements ExecutionInterceptor {

  public final List<SdkRequest> calls = new CopyOnWriteArrayList<>();

  private final AtomicReference<Optional<Runnable>> pending =
      new AtomicReference<>(Optional.empty());

  /** Sets a change that happens once, before the next {@code BatchGetItem}. */
  public void once(Runnable change) {
    pending.set(Optional.of(change));
  }

  @Override
  public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
    calls.add(context.request());
    if (context.request() instanceof BatchGetItemRequest) {
      pending.getAndSet(Optional.empty()).ifPresent(Runnable::run);
    }
  }
}
