package dev.connectorevents.emulator.dynamodb;

import java.lang.ScopedValue.CallableOp;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;

/**
 * Reports what puts have written. It leaves out a transaction that also deletes or updates: its
 * request does not have these items. The resource {@code execution.interceptors} adds it to every
 * client of the process: functions create their own clients.
 */
public final class WriteObserver implements ExecutionInterceptor {

  /**
   * One write.
   *
   * @param isTransaction whether the items were written in one, which costs twice the units
   */
  public record Write(List<Map<String, AttributeValue>> items, boolean isTransaction) {
    public Write {
      items = List.copyOf(items);
    }
  }

  // The SDK creates the interceptors itself, and calls them in the caller's thread or in one that
  // the caller has started.
  private static final InheritableThreadLocal<Consumer<Write>> WRITES =
      new InheritableThreadLocal<>();

  /** Does the work; the consumer receives each of its writes, also from threads that it starts. */
  public static <T, X extends Throwable> T record(
      Consumer<Write> writes, CallableOp<? extends T, X> work) throws X {
    Consumer<Write> before = WRITES.get();
    WRITES.set(writes);
    try {
      return work.call();
    } finally {
      WRITES.set(before);
    }
  }

  @Override
  public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
    Consumer<Write> writes = WRITES.get();
    if (writes == null) {
      return;
    }
    if (context.request() instanceof PutItemRequest put
        && context.response() instanceof PutItemResponse) {
      writes.accept(new Write(List.of(put.item()), false));
    }
    if (context.request() instanceof TransactWriteItemsRequest write
        && write.transactItems().stream().allMatch(each -> each.put() != null)
        && context.response() instanceof TransactWriteItemsResponse) {
      writes.accept(
          new Write(write.transactItems().stream().map(each -> each.put().item()).toList(), true));
    }
  }
}
