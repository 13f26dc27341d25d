package dev.connectorevents.emulator.template;

import java.util.List;
import java.util.Map;

/** Decides the template's conditions, as CloudFormation does from the parameters alone. */
record Conditions(Section declared, Names names) {
  boolean holds(String where, String name) {
    if (!declared.has(name)) {
      throw new TemplateMistake(where, "there is no condition called " + name);
    }
    return decide(declared.path(name), declared.section(name).values());
  }

  private boolean decide(String where, Object condition) {
    if (!(condition instanceof Map<?, ?> map) || map.size() != 1) {
      throw new TemplateMistake(where, "not a condition: " + condition);
    }
    var entry = map.entrySet().iterator().next();
    return switch (String.valueOf(entry.getKey())) {
      case "Condition" -> holds(where, String.valueOf(entry.getValue()));
      case "Fn::Equals" -> {
        var both = operands(where, entry.getValue());
        var intrinsics = new Intrinsics(names, this);
        yield both.size() == 2
            && text(intrinsics.resolve(where, both.get(0)))
                .equals(text(intrinsics.resolve(where, both.get(1))));
      }
      case "Fn::Not" -> !decide(where, operands(where, entry.getValue()).getFirst());
      case "Fn::And" ->
          operands(where, entry.getValue()).stream().allMatch(each -> decide(where, each));
      case "Fn::Or" ->
          operands(where, entry.getValue()).stream().anyMatch(each -> decide(where, each));
      case String unknown -> throw new TemplateMistake(where, "unknown condition " + unknown);
    };
  }

  private static List<?> operands(String where, Object value) {
    if (value instanceof List<?> list && !list.isEmpty()) {
      return list;
    }
    throw new TemplateMistake(where, "a list of operands is expected, not " + value);
  }

  private static String text(Object value) {
    return String.valueOf(value);
  }
}
