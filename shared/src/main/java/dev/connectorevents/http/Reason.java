package dev.connectorevents.http;

import dev.connectorevents.DependencyUnavailableException;

/**
 * Why a request, or an event of a batch, did not succeed.
 *
 * @param detail for humans; never a secret, a class name or request data other than an event type
 */
public record Reason(ProblemCode code, String detail) {

  /** A failed dependency is a 503; anything else is a defect of the service, a 500. */
  public static Reason of(Throwable failure) {
    return failure instanceof DependencyUnavailableException
        ? new Reason(
            ProblemCode.TEMPORARILY_UNAVAILABLE,
            "A service that this one depends on does not answer. Try again.")
        : new Reason(ProblemCode.INTERNAL_ERROR, "The service has a defect.");
  }
}
