package dev.connectorevents.dynamodb;

import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;
import software.amazon.awssdk.services.dynamodb.model.TransactionInProgressException;

/**
 * Why DynamoDB did not make a transaction: it gives a reason for each item, and {@code None} for
 * those that were not the cause.
 *
 * @see <a
 *     href="https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html#API_TransactWriteItems_Errors">
 *     Errors of TransactWriteItems</a>
 */
public final class Transactions {

  private static final String FAILED_CONDITION = "ConditionalCheckFailed";
  private static final String CONFLICT = "TransactionConflict";
  private static final Set<String> THROTTLING =
      Set.of("ThrottlingError", "ProvisionedThroughputExceeded");

  private Transactions() {}

  /** The item whose condition failed, if that is a reason: another try would end the same. */
  static Optional<CancellationReason> failedCondition(TransactionCanceledException canceled) {
    return canceled.cancellationReasons().stream()
        .filter(reason -> FAILED_CONDITION.equals(reason.code()))
        .findFirst();
  }

  /** Whether another try may succeed: the write met another one, or was throttled. */
  public static boolean isRetryable(Throwable failure) {
    return failure instanceof TransactionConflictException
        || failure instanceof TransactionInProgressException
        || isCanceledBy(failure, Set.of(CONFLICT))
        || isThrottled(failure);
  }

  /** Whether at least one of its items was throttled. */
  public static boolean isThrottled(Throwable failure) {
    return isCanceledBy(failure, THROTTLING);
  }

  private static boolean isCanceledBy(Throwable failure, Set<String> codes) {
    return failure instanceof TransactionCanceledException canceled
        && failedCondition(canceled).isEmpty()
        && canceled.cancellationReasons().stream()
            .anyMatch(reason -> reason.code() != null && codes.contains(reason.code()));
  }
}
