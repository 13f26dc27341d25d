package dev.connectorevents.functions.lambda;

import dev.connectorevents.DependencyUnavailableException;
import java.util.Map;

/** What a function without a route does for an operator. */
@FunctionalInterface
public interface OperatorHandler {

  /** What is wrong with an event that cannot be read. */
  String MALFORMED = "The event must be one JSON object in UTF-8, and no name may appear twice.";

  /**
   * Handles an operator's event.
   *
   * @param requestId the invocation's id, for problems
   * @param line the log line, for more members
   * @return the answer's members; those of a problem have a {@code code}
   * @throws DependencyUnavailableException if a dependency fails
   */
  Map<String, Object> handle(String requestId, byte[] event, Map<String, Object> line);
}
