package dev.connectorevents;

/**
 * A call to DynamoDB or Secrets Manager failed: AWS throttled or denied it, or did not answer in
 * time. The same call may succeed later.
 */
public final class DependencyUnavailableException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /**
   * @param message which call failed, or what its answer lacks; goes to the log
   */
  public DependencyUnavailableException(String message) {
    super(message);
  }

  /**
   * @param message which call failed; goes to the log
   */
  public DependencyUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
