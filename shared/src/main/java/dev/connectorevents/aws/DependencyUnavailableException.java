package dev.connectorevents.aws;

import java.util.function.Supplier;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** DynamoDB or Secrets Manager did not answer as it should: throttled, timed out, down, denied. */
public final class DependencyUnavailableException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /**
   * @param what the service answered that is of no use
   */
  DependencyUnavailableException(String what) {
    super(what);
  }

  private DependencyUnavailableException(String call, SdkException cause) {
    super(call + " failed", cause);
  }

  /**
   * Makes a call of the SDK.
   *
   * @throws DependencyUnavailableException if the service does not answer it
   */
  static <T> T calling(String call, Supplier<T> sdkCall) {
    try {
      return sdkCall.get();
    } catch (SdkException e) {
      throw isAnswer(e) ? e : new DependencyUnavailableException(call, e);
    }
  }

  /** The service understood the request and says something of it: no use in trying again. */
  private static boolean isAnswer(SdkException e) {
    return e instanceof ConditionalCheckFailedException
        || (e instanceof TransactionCanceledException canceled
            && Transactions.failedCondition(canceled).isPresent())
        || (e instanceof AwsServiceException service
            && service.awsErrorDetails() != null
            && "ValidationException".equals(service.awsErrorDetails().errorCode()));
  }
}
