package dev.connectorevents.emulator.template;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Replaces intrinsic functions by their values; what it does not know it names and refuses. */
record Intrinsics(Names names, Conditions conditions) {
  /** The value with nothing left to resolve; entries that are `AWS::NoValue` are gone. */
  Object resolve(String where, @Nullable Object value) {
    return switch (value) {
      case Map<?, ?> map when function(map) != null -> call(where, map);
      case Map<?, ?> map -> map(where, map);
      case List<?> list -> list(where, list);
      case null -> "";
      default -> value;
    };
  }

  private static @Nullable String function(Map<?, ?> map) {
    return map.size() == 1
            && map.keySet().iterator().next() instanceof String key
            && (key.equals("Ref") || key.startsWith("Fn::"))
        ? key
        : null;
  }

  private Map<String, Object> map(String where, Map<?, ?> map) {
    var resolved = new LinkedHashMap<String, Object>();
    map.forEach((key, each) -> {
      var value = resolve(where.isEmpty() ? key.toString() : where + "." + key, each);
      if (!value.equals(Names.NO_VALUE)) {
        resolved.put(key.toString(), value);
      }
    });
    return resolved;
  }

  private List<Object> list(String where, List<?> list) {
    var resolved = new ArrayList<Object>();
    for (int i = 0; i < list.size(); i++) {
      var value = resolve(where + "[" + i + "]", list.get(i));
      if (!value.equals(Names.NO_VALUE)) {
        resolved.add(value);
      }
    }
    return resolved;
  }

  private Object call(String where, Map<?, ?> map) {
    var function = String.valueOf(function(map));
    var argument = map.values().iterator().next();
    return switch (function) {
      case "Ref" -> names.ref(where, text(where, argument));
      case "Fn::Sub" -> new Substitution(this, where).of(argument);
      case "Fn::GetAtt" -> {
        var path = operands(where, resolve(where, argument), 2);
        yield names.attribute(where, text(where, path.get(0)), text(where, path.get(1)));
      }
      case "Fn::If" -> {
        var branches = operands(where, argument, 3);
        var holds = conditions.holds(where, text(where, branches.get(0)));
        yield resolve(where, branches.get(holds ? 1 : 2));
      }
      case "Fn::Join" -> {
        var parts = operands(where, resolve(where, argument), 2);
        yield operands(where, parts.get(1), 0).stream()
            .map(part -> text(where, part))
            .collect(Collectors.joining(text(where, parts.get(0))));
      }
      default -> throw new TemplateMistake(where, "the intrinsic " + function + " is not known");
    };
  }

  private static List<?> operands(String where, Object value, int count) {
    if (value instanceof List<?> list && (count == 0 || list.size() == count)) {
      return list;
    }
    throw new TemplateMistake(where, "a list of operands is expected, not " + value);
  }

  static String text(String where, @Nullable Object value) {
    return switch (value) {
      case String text -> text;
      case Number number -> number.toString();
      case Boolean bool -> bool.toString();
      case null, default -> throw new TemplateMistake(where, "a text is expected, not " + value);
    };
  }
}
