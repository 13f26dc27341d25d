package dev.connectorevents.dynamodb;

import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;
import software.amazon.awssdk.services.dynamodb.model.TransactionInProgressException;

/**
 * Tells why DynamoDB canceled a transaction. It gives one reason per item: {@code None} for an item
 * that was not the cause.
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

  /** The reason for an item whose condition failed, if there is one: a retry would end the same. */
  public static Optional<CancellationReason> failedCondition(
      TransactionCanceledException canceled) {
    return canceled.cancellationReasons().stream()
        .filter(reason -> FAILED_CONDITION.equals(reason.code()))
        .findFirst();
  }

  /** Whether a retry may succeed: the call conflicted with a transaction, or was throttled. */
  public static boolean isRetryable(Throwable failure) {
    return failure instanceof TransactionConflictException
        || failure instanceof TransactionInProgressException
        || isConflict(failure)
        || isThrottled(failure);
  }

  /** Whether DynamoDB canceled a transaction because another one was under way. */
  public static boolean isConflict(@Nullable Throwable failure) {
    return isCanceledBy(failure, Set.of(CONFLICT));
  }

  /** Whether DynamoDB canceled a transaction because it throttled an item. */
  public static boolean isThrottled(Throwable failure) {
    return isCanceledBy(failure, THROTTLING);
  }

  private static boolean isCanceledBy(@Nullable Throwable failure, Set<String> codes) {
    return failure instanceof TransactionCanceledException canceled
        && failedCondition(canceled).isEmpty()
        && canceled.cancellationReasons().stream()
            .anyMatch(reason -> reason.code() != null && codes.contains(reason.code()));
  }
}
