package dev.connectorevents.json;

import dev.connectorevents.http.Fault;
import dev.connectorevents.http.ProblemCode;
import dev.connectorevents.http.Reason;
import java.util.List;
import java.util.Map;

/**
 * The result of reading a body.
 *
 * @param <T> what a body becomes that keeps all rules
 */
public sealed interface Body<T> {

  /** One JSON object, checked by the rules. */
  sealed interface Checked<T> extends Body<T> {}

  /** The body gets a 400, a 415 or a 422. */
  sealed interface Refused<T> extends Body<T> {
    Reason reason();
  }

  /** All rules hold. */
  record Read<T>(T value) implements Checked<T> {}

  /**
   * Well-formed JSON that breaks rules.
   *
   * @param faults all of them
   * @param names members that keep their rules and tell, in the log, what was refused
   */
  record Invalid<T>(List<Fault> faults, Map<String, String> names)
      implements Checked<T>, Refused<T> {

    public Invalid {
      faults = List.copyOf(faults);
      names = Map.copyOf(names);
    }

    public Invalid(List<Fault> faults) {
      this(faults, Map.of());
    }

    @Override
    public Reason reason() {
      return Reason.invalid(faults);
    }
  }

  /**
   * Not one JSON object, nested too deep, or with a name twice.
   *
   * @param detail what is wrong and where; quotes nothing of what was sent
   */
  record Malformed<T>(String detail) implements Refused<T> {

    @Override
    public Reason reason() {
      return new Reason(ProblemCode.MALFORMED_JSON, detail);
    }
  }

  /**
   * The request's headers say that the body is not plain JSON in UTF-8.
   *
   * @param detail what to send instead
   */
  record Unsupported<T>(String detail) implements Refused<T> {

    @Override
    public Reason reason() {
      return new Reason(ProblemCode.UNSUPPORTED_MEDIA_TYPE, detail);
    }
  }
}
