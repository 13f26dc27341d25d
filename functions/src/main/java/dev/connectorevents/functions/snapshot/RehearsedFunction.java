package dev.connectorevents.functions.snapshot;

import dev.connectorevents.functions.lambda.ApiGatewayFunction;
import dev.connectorevents.functions.wiring.Wiring;
import dev.connectorevents.http.Handler;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A function behind the API: it rehearses before Lambda takes a snapshot of it, and starts to read
 * the signing key after each restore.
 */
public abstract class RehearsedFunction extends ApiGatewayFunction {

  // Keeps it reachable: CRaC's registry has only weak references. The runtime keeps the function.
  private final Rehearsal rehearsal;

  /**
   * @param environment the function's variables
   * @param route makes the function's handler, and the one that rehearses
   * @param script called only for a rehearsal, which most cold starts do not need
   */
  protected RehearsedFunction(
      Map<String, String> environment,
      Function<Wiring, Handler> route,
      Supplier<RehearsalScript> script) {
    Wiring wiring = new Wiring(environment);
    super(route.apply(wiring));
    rehearsal =
        Rehearsal.registered(
            environment,
            wiring,
            canned -> new ApiGatewayFunction(route.apply(canned)),
            script,
            wiring::readAhead);
  }

  Rehearsal rehearsal() {
    return rehearsal;
  }
}
