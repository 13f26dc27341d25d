package dev.connectorevents.emulator.template;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The template's {@code Conditions}, which depend on parameters only.
 *
 * @param decided by name; empty while a condition is being decided
 */
record NamedConditions(Section declared, Names names, Map<String, Optional<Boolean>> decided) {

  NamedConditions(Section declared, Names names) {
    this(declared, names, new HashMap<>());
  }

  boolean holds(String where, String name) {
    if (!declared.has(name)) {
      throw new TemplateMistake(where, "there is no condition called " + name);
    }
    Optional<Boolean> known = decided.putIfAbsent(name, Optional.empty());
    if (known == null) {
      known = Optional.of(decide(declared.section(name)));
      decided.put(name, known);
    }
    return known.orElseThrow(
        () -> new TemplateMistake(where, "the condition " + name + " depends on itself"));
  }

  private boolean decide(Section condition) {
    String where = condition.where();
    if (condition.values().size() != 1) {
      throw new TemplateMistake(where, "a condition has one function, not " + condition.values());
    }
    Map.Entry<String, Object> function = condition.values().entrySet().iterator().next();
    if (function.getKey().equals("Condition")) {
      return holds(where, Intrinsics.text(where, function.getValue()));
    }
    List<?> operands = Intrinsics.operands(where, function.getValue());
    return switch (function.getKey()) {
      case "Fn::Equals" -> {
        List<?> both = Intrinsics.operands(where, operands, 2);
        yield value(where, both.get(0)).equals(value(where, both.get(1)));
      }
      case "Fn::Not" -> !decide(condition.of(where, operands.getFirst()));
      case "Fn::And" -> operands.stream().allMatch(each -> decide(condition.of(where, each)));
      default -> throw new TemplateMistake(where, "unknown condition " + function.getKey());
    };
  }

  private String value(String where, Object operand) {
    return new Intrinsics(names, this).resolve(where, operand).toString();
  }
}
