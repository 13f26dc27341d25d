package dev.connectorevents.aws;

import java.util.function.Supplier;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.exception.SdkServiceException;

/** DynamoDB or Secrets Manager did not answer as it should: throttled, timed out, down, denied. */
public final class DependencyUnavailableException extends RuntimeException {

  private static final long serialVersionUID = 1;
  private static final int BAD_REQUEST = 400;

  private DependencyUnavailableException(String call, SdkException cause) {
    super(call + " failed", cause);
  }

  /**
   * Makes a call of the SDK.
   *
   * @throws DependencyUnavailableException if it fails for a reason that is not the request's own
   */
  static <T> T calling(String call, Supplier<T> sdkCall) {
    try {
      return sdkCall.get();
    } catch (SdkServiceException e) {
      throw isOurDefect(e) ? e : new DependencyUnavailableException(call, e);
    } catch (SdkException e) {
      throw new DependencyUnavailableException(call, e);
    }
  }

  /** The service understood us and found the request itself wrong: trying again is no use. */
  private static boolean isOurDefect(SdkServiceException e) {
    return e.statusCode() == BAD_REQUEST
        && e instanceof software.amazon.awssdk.awscore.exception.AwsServiceException aws
        && aws.awsErrorDetails().errorCode().equals("ValidationException");
  }
}
