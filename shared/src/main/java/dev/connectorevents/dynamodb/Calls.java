package dev.connectorevents.dynamodb;

import dev.connectorevents.DependencyUnavailableException;
import java.util.function.Supplier;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** Tells DynamoDB's failures from its answers, such as a condition that does not hold. */
public final class Calls {

  private Calls() {}

  /**
   * Makes a call.
   *
   * @param name for the log, such as {@code GetItem on users}
   * @throws ConditionalCheckFailedException if the item's condition does not hold
   * @throws TransactionCanceledException if a condition of one of its items does not hold
   * @throws AwsServiceException if DynamoDB finds the request invalid: a defect of ours
   * @throws DependencyUnavailableException if the call fails for any other reason
   */
  public static <T> T call(String name, Supplier<T> sdkCall) {
    try {
      return sdkCall.get();
    } catch (SdkException e) {
      throw isAnswer(e) ? e : new DependencyUnavailableException(name + " failed", e);
    }
  }

  /** DynamoDB understood the request and refused it: a retry would end the same. */
  private static boolean isAnswer(SdkException e) {
    return e instanceof ConditionalCheckFailedException
        || (e instanceof TransactionCanceledException canceled
            && Transactions.failedCondition(canceled).isPresent())
        || (e instanceof AwsServiceException service
            && service.awsErrorDetails() != null
            && "ValidationException".equals(service.awsErrorDetails().errorCode()));
  }
}
