package dev.connectorevents.http;

import dev.connectorevents.DependencyUnavailableException;
import java.util.Map;

/**
 * Why a request, or an event of a batch, did not succeed.
 *
 * @param detail for humans; never a secret, a class name or request data other than an event type
 * @param members more members of the problem (RFC 9457, 3.2)
 */
public record Reason(ProblemCode code, String detail, Map<String, String> members) {

  public Reason {
    members = Map.copyOf(members);
  }

  public Reason(ProblemCode code, String detail) {
    this(code, detail, Map.of());
  }

  /** A failed dependency is a 503; anything else is a defect of the service, a 500. */
  public static Reason of(Throwable failure) {
    return failure instanceof DependencyUnavailableException
        ? new Reason(
            ProblemCode.TEMPORARILY_UNAVAILABLE,
            "A service that this one depends on does not answer. Try again.")
        : new Reason(ProblemCode.INTERNAL_ERROR, "The service has a defect.");
  }
}
