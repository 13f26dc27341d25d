package dev.connectorevents.functions.operators;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.http.Problem;
import dev.connectorevents.json.Body;
import java.util.Map;

/** What a function without a route does for an operator. */
@FunctionalInterface
public interface OperatorHandler {

  /**
   * Handles an operator's event.
   *
   * @param requestId the invocation's id, for problems
   * @param line the log line, for more members
   * @return the answer's members; those of a problem have a {@code code}
   * @throws DependencyUnavailableException if a dependency fails
   * @throws IllegalStateException if the event came through an API
   */
  Map<String, Object> handle(String requestId, byte[] event, Map<String, Object> line);

  /** Answers what was read of an event. */
  @FunctionalInterface
  interface Answerer<T> {
    Map<String, Object> answer(String requestId, T request, Map<String, Object> line);
  }

  /** A handler that refuses what breaks the reader's rules. */
  static <T> OperatorHandler of(OperatorEvent.Reader<T> reader, Answerer<T> answerer) {
    return (requestId, event, line) ->
        switch (OperatorEvent.read(event, reader)) {
          case Body.Read<T>(T request) -> answerer.answer(requestId, request, line);
          case Body.Refused<?> refused -> Problem.body(requestId, refused.reason());
        };
  }
}
