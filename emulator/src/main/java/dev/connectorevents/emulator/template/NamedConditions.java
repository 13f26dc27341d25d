package dev.connectorevents.emulator.template;

import java.util.List;
import java.util.Map;

/** The template's `Conditions`, which depend on parameters only. */
record NamedConditions(Section declared, Names names) {

  boolean holds(String where, String name) {
    if (!declared.has(name)) {
      throw new TemplateMistake(where, "there is no condition called " + name);
    }
    return decide(declared.section(name));
  }

  private boolean decide(Section condition) {
    String where = condition.where();
    if (condition.values().size() != 1) {
      throw new TemplateMistake(where, "a condition has one function, not " + condition.values());
    }
    Map.Entry<String, Object> function = condition.values().entrySet().iterator().next();
    if (function.getKey().equals("Condition")) {
      return holds(where, function.getValue().toString());
    }
    List<?> operands = Intrinsics.operands(where, function.getValue());
    return switch (function.getKey()) {
      case "Fn::Equals" -> {
        List<?> both = Intrinsics.operands(where, operands, 2);
        yield value(where, both.get(0)).equals(value(where, both.get(1)));
      }
      case "Fn::Not" -> !decide(Section.of(where, operands.getFirst()));
      case "Fn::And" -> operands.stream().allMatch(each -> decide(Section.of(where, each)));
      case "Fn::Or" -> operands.stream().anyMatch(each -> decide(Section.of(where, each)));
      default -> throw new TemplateMistake(where, "unknown condition " + function.getKey());
    };
  }

  private String value(String where, Object operand) {
    return new Intrinsics(names, this).resolve(where, operand).toString();
  }
}
