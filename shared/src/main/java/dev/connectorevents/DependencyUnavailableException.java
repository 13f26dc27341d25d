package dev.connectorevents;

/**
 * A store cannot do now what the service needs: a call to DynamoDB or Secrets Manager failed, its
 * answer is incomplete, or other writes keep coming first. A later try may succeed.
 */
public final class DependencyUnavailableException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /**
   * @param message what is missing, or what keeps failing; goes to the log
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
