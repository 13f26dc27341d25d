package dev.connectorevents.acceptance.storm;

import java.util.Optional;

/**
 * A broken promise of the service.
 *
 * @param call the call that showed the violation; empty if only the tables show it
 */
record Violation(Rule rule, Optional<ClientCall> call, String detail) {

  static Violation of(Rule rule, ClientCall call) {
    String body = call.body().substring(0, Math.min(call.body().length(), 400));
    return new Violation(
        rule,
        Optional.of(call),
        "%s as %s got %d %s".formatted(call.route(), call.account().email(), call.status(), body));
  }

  static Violation of(Rule rule, Attempt attempt) {
    return new Violation(
        rule,
        Optional.of(attempt.call()),
        "event %d under %s got %d %s"
            .formatted(
                attempt.event().number(),
                attempt.event().key(),
                attempt.status(),
                attempt.answer()));
  }

  static Violation of(Rule rule, TableRow row) {
    return new Violation(
        rule, Optional.empty(), "event %d is %s".formatted(row.number(), row.id()));
  }

  static Violation of(Rule rule, TombstoneRow tombstone) {
    return new Violation(rule, Optional.empty(), tombstone.toString());
  }

  @Override
  public String toString() {
    return rule + ": " + detail;
  }
}
