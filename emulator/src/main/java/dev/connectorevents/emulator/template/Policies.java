package dev.connectorevents.emulator.template;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads a function's {@code Policies}: documents, and ARNs of the template's managed policies.
 *
 * @param prefix of the names of tables and secrets in another process; empty for our own
 */
record Policies(List<ManagedPolicy> managed, String prefix) {

  /** What all policies of a function allow together. */
  List<Right> of(Section function) {
    List<Right> rights = new ArrayList<>();
    List<?> policies = function.items("Policies");
    for (int i = 0; i < policies.size(); i++) {
      String where = function.path("Policies") + "[" + i + "]";
      rights.addAll(
          policies.get(i) instanceof String arn
              ? managed(where, arn).rights()
              : PolicyDocument.read(function.of(where, policies.get(i)), prefix));
    }
    return rights;
  }

  private ManagedPolicy managed(String where, String arn) {
    return managed.stream()
        .filter(policy -> policy.arn().equals(arn))
        .findFirst()
        .orElseThrow(() ->
            new TemplateMistake(
                where,
                "the template has no managed policy %s, only %s"
                    .formatted(arn, managed.stream().map(ManagedPolicy::arn).toList())));
  }
}
