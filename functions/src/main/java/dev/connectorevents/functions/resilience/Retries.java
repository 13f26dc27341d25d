package dev.connectorevents.functions.resilience;

import dev.connectorevents.dynamodb.Transactions;
import java.time.Duration;
import java.util.random.RandomGenerator;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.exception.SdkServiceException;
import software.amazon.awssdk.retries.api.AcquireInitialTokenRequest;
import software.amazon.awssdk.retries.api.AcquireInitialTokenResponse;
import software.amazon.awssdk.retries.api.RecordSuccessRequest;
import software.amazon.awssdk.retries.api.RecordSuccessResponse;
import software.amazon.awssdk.retries.api.RefreshRetryTokenRequest;
import software.amazon.awssdk.retries.api.RefreshRetryTokenResponse;
import software.amazon.awssdk.retries.api.RetryStrategy;
import software.amazon.awssdk.retries.api.TokenAcquisitionFailedException;

/**
 * Retries a failed call to AWS: up to twice, after a random wait, and only if the request's
 * deadline leaves time for the wait and the call.
 */
public final class Retries implements RetryStrategy {

  private static final int MAX_ATTEMPTS = 3;

  /** The longest wait before the first retry; before the second it is twice as long. */
  private static final Duration BACKOFF = Duration.ofMillis(50);

  /** As {@link #BACKOFF}, after the service has throttled the call. */
  private static final Duration THROTTLING_BACKOFF = Duration.ofSeconds(1);

  /** The SDK numbers the attempts from 1, and asks for the wait before attempts 2 and 3. */
  private static final int FIRST_RETRY = 2;

  private final RetryStrategy standard;
  private final RequestDeadline deadline;

  /**
   * @param random for the waits: the SDK's own jitter is the same in all instances of one snapshot
   */
  public Retries(RequestDeadline deadline, RandomGenerator random) {
    this.deadline = deadline;
    this.standard =
        AwsRetryStrategy.standardRetryStrategy().toBuilder()
            .maxAttempts(MAX_ATTEMPTS)
            .retryOnException(Transactions::isRetryable)
            .treatAsThrottling(Retries::isThrottled)
            // After a lost answer, a write's retry finds what the first try wrote, and its
            // condition fails. The breaker would count that as a failure and stop such retries.
            .circuitBreakerEnabled(false)
            .backoffStrategy(attempt -> fullJitter(BACKOFF, attempt, random))
            .throttlingBackoffStrategy(attempt -> fullJitter(THROTTLING_BACKOFF, attempt, random))
            .build();
  }

  /** "Exponential Backoff And Jitter", AWS Architecture Blog. */
  private static Duration fullJitter(Duration base, int attempt, RandomGenerator random) {
    return Duration.ofMillis(random.nextLong(base.toMillis() << (attempt - FIRST_RETRY)));
  }

  private static boolean isThrottled(Throwable failure) {
    return Transactions.isThrottled(failure)
        || (failure instanceof SdkServiceException service && service.isThrottlingException());
  }

  /**
   * Decides on each retry, before the wait for it.
   *
   * @throws TokenAcquisitionFailedException if there is no retry; the call then fails with the
   *     failure of its last try
   */
  @Override
  public RefreshRetryTokenResponse refreshRetryToken(RefreshRetryTokenRequest request) {
    RefreshRetryTokenResponse retry = standard.refreshRetryToken(request);
    if (!deadline.leavesTimeForCallAfter(retry.delay())) {
      throw new TokenAcquisitionFailedException(
          "no time is left for a retry", retry.token(), request.failure());
    }
    return retry;
  }

  @Override
  public AcquireInitialTokenResponse acquireInitialToken(AcquireInitialTokenRequest request) {
    return standard.acquireInitialToken(request);
  }

  @Override
  public RecordSuccessResponse recordSuccess(RecordSuccessRequest request) {
    return standard.recordSuccess(request);
  }

  @Override
  public int maxAttempts() {
    return MAX_ATTEMPTS;
  }

  /** False: a client that added its own settings would lose the deadline. */
  @Override
  public boolean useClientDefaults() {
    return false;
  }

  @Override
  public Builder<?, ?> toBuilder() {
    throw new UnsupportedOperationException("this strategy cannot be changed");
  }
}
