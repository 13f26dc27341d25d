package dev.connectorevents;

/** DynamoDB or Secrets Manager did not answer as it should: throttled, timed out, down, denied. */
public final class DependencyUnavailableException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /**
   * @param message which call failed, or what its answer lacks; it ends up in the log
   */
  public DependencyUnavailableException(String message) {
    super(message);
  }

  /**
   * @param message which call failed; it ends up in the log
   */
  public DependencyUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
