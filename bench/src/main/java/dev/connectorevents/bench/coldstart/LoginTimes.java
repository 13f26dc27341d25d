package dev.connectorevents.bench.coldstart;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a login takes beside the check of its password.
 *
 * @param loginMs median of a login that succeeds
 * @param bcryptMs median of the check alone, at the same cost
 */
record LoginTimes(double loginMs, double bcryptMs) {

  private static final int WARM_UPS = 100;
  private static final int PAIRS = 50;

  double ratio() {
    return loginMs / bcryptMs;
  }

  /** In turns, by two processes on the same CPU, after both are warm. */
  static LoginTimes measure(Candidate login, Candidate bcrypt, Machine machine) throws IOException {
    System.err.println("Logging in, and checking a password alone, in turns ...");
    List<Double> logins = new ArrayList<>();
    List<Double> checks = new ArrayList<>();
    try (Instance service = new Instance(login, machine, List.of());
        Instance peer = new Instance(bcrypt, machine, List.of())) {
      service.awaitReady();
      peer.awaitReady();
      for (int i = 0; i < WARM_UPS + PAIRS; i++) {
        double loginMs = service.invoke();
        double bcryptMs = peer.invoke();
        if (i >= WARM_UPS) {
          logins.add(loginMs);
          checks.add(bcryptMs);
        }
      }
    }
    return new LoginTimes(Quantiles.median(logins), Quantiles.median(checks));
  }
}
