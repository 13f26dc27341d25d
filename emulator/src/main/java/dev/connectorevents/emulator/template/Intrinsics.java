package dev.connectorevents.emulator.template;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Replaces intrinsic functions by their values. */
record Intrinsics(Names names, NamedConditions conditions) {

  /** {@code ${Name}} or {@code ${Name.Attribute}} in the text of {@code Fn::Sub}. */
  private static final Pattern PLACE = Pattern.compile("\\$\\{([^}]*)}");

  /**
   * Resolves a value and all that it contains, and removes entries that are {@code AWS::NoValue}.
   */
  Object resolve(String where, @Nullable Object value) {
    return switch (value) {
      case Map<?, ?> map ->
          intrinsic(map)
              .map(name -> call(where, name, map.values().iterator().next()))
              .orElseGet(() -> resolveMap(where, map));
      case List<?> list -> resolveList(where, list);
      case null -> "";
      default -> value;
    };
  }

  private static Optional<String> intrinsic(Map<?, ?> map) {
    return Optional.of(map)
        .filter(each -> each.size() == 1)
        .map(each -> String.valueOf(each.keySet().iterator().next()))
        .filter(Intrinsics::isIntrinsic);
  }

  private static boolean isIntrinsic(String key) {
    return key.equals("Ref") || key.startsWith("Fn::");
  }

  private Map<String, Object> resolveMap(String where, Map<?, ?> map) {
    if (map.keySet().stream().anyMatch(key -> isIntrinsic(String.valueOf(key)))) {
      throw new TemplateMistake(
          where, "an intrinsic must be the only entry of its map, not one of " + map.keySet());
    }
    Map<String, Object> resolved = new LinkedHashMap<>();
    map.forEach((key, each) -> resolved.put(String.valueOf(key), resolve(where + "." + key, each)));
    resolved.values().removeIf(Names.NO_VALUE::equals);
    return resolved;
  }

  private List<Object> resolveList(String where, List<?> list) {
    List<Object> resolved = new ArrayList<>();
    for (int i = 0; i < list.size(); i++) {
      resolved.add(resolve(where + "[" + i + "]", list.get(i)));
    }
    resolved.removeIf(Names.NO_VALUE::equals);
    return resolved;
  }

  private Object call(String where, String function, @Nullable Object argument) {
    return switch (function) {
      case "Ref" -> names.ref(where, text(where, argument));
      case "Fn::Sub" -> {
        boolean isList = argument instanceof List<?>; // with names of its own
        List<?> both = isList ? operands(where, resolve(where, argument), 2) : List.of();
        Map<?, ?> own = isList && both.get(1) instanceof Map<?, ?> map ? map : Map.of();
        yield PLACE
            .matcher(text(where, isList ? both.get(0) : argument))
            .replaceAll(place ->
                Matcher.quoteReplacement(
                    own.containsKey(place.group(1))
                        ? text(where, own.get(place.group(1)))
                        : substitute(where, place.group(1))));
      }
      case "Fn::Split" -> {
        List<?> operands = operands(where, resolve(where, argument), 2);
        String text = text(where, operands.get(1));
        yield List.of(text.split(Pattern.quote(text(where, operands.get(0))), -1));
      }
      case "Fn::Select" -> {
        List<?> operands = operands(where, resolve(where, argument), 2);
        List<?> values = operands(where, operands.get(1));
        int index = Integer.parseInt(text(where, operands.get(0)));
        if (index >= values.size()) {
          throw new TemplateMistake(where, "there is no value " + index + " in " + values);
        }
        yield values.get(index);
      }
      case "Fn::GetAtt" -> {
        List<?> path = operands(where, resolve(where, argument), 2);
        yield names.attribute(where, text(where, path.get(0)), text(where, path.get(1)));
      }
      case "Fn::FindInMap" -> {
        List<?> path = operands(where, resolve(where, argument), 3);
        yield names.mapped(where, path.stream().map(key -> text(where, key)).toList());
      }
      case "Fn::If" -> {
        List<?> branches = operands(where, argument, 3);
        boolean holds = conditions.holds(where, text(where, branches.get(0)));
        yield resolve(where, branches.get(holds ? 1 : 2));
      }
      default -> throw new TemplateMistake(where, "the intrinsic " + function + " is not known");
    };
  }

  private String substitute(String where, String name) {
    int dot = name.indexOf('.');
    return dot < 0
        ? text(where, names.ref(where, name))
        : names.attribute(where, name.substring(0, dot), name.substring(dot + 1));
  }

  static List<?> operands(String where, @Nullable Object value, int count) {
    List<?> operands = operands(where, value);
    if (operands.size() != count) {
      throw new TemplateMistake(where, count + " operands are expected, not " + value);
    }
    return operands;
  }

  static List<?> operands(String where, @Nullable Object value) {
    if (value instanceof List<?> list && !list.isEmpty()) {
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
