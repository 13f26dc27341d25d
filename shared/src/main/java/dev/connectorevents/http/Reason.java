package dev.connectorevents.http;

import dev.connectorevents.DependencyUnavailableException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Why a request, or an event of a batch, did not succeed.
 *
 * @param detail for humans; never a secret, a class name or request data other than an event type
 * @param members more members of the problem (RFC 9457, 3.2)
 */
public record Reason(ProblemCode code, String detail, Map<String, ?> members) {

  /** Most faults that one answer lists: its size must stay below Lambda's limit. */
  public static final int MAX_FAULTS = 100;

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

  /** A 422 for a body that breaks these rules. */
  public static Reason invalid(List<Fault> faults) {
    return invalid("The body", faults, MAX_FAULTS);
  }

  /**
   * A 422 for broken rules.
   *
   * @param subject what has the faults, as the beginning of a sentence
   * @param room how many faults the answer still has room for
   */
  public static Reason invalid(String subject, List<Fault> faults, int room) {
    String count = faults.size() == 1 ? "1 fault" : faults.size() + " faults";
    String places;
    if (faults.size() <= room) {
      places = "The member errors has the place and the rule of each.";
    } else if (room > 0) {
      places =
          "The member errors has the place and the rule of the first %d: an answer lists at most %d."
              .formatted(room, MAX_FAULTS);
    } else {
      places =
          "An answer lists at most %d, and this one has as many. Send the event again to see them."
              .formatted(MAX_FAULTS);
    }
    return new Reason(
        ProblemCode.VALIDATION_FAILED,
        "%s has %s. %s".formatted(subject, count, places),
        faults.isEmpty() || room == 0
            ? Map.of()
            : Map.of("errors", faults.stream().limit(room).map(Reason::error).toList()));
  }

  private static Map<String, String> error(Fault fault) {
    Map<String, String> error = new LinkedHashMap<>();
    error.put("pointer", fault.pointer());
    error.put("detail", fault.detail());
    return error;
  }
}
