package dev.connectorevents.emulator.template;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Settles the template's parameters as CloudFormation does before it creates anything. */
final class Parameters {
  private Parameters() {}

  static Map<String, Object> settle(Section declared, Map<String, String> overrides) {
    for (var name : overrides.keySet()) {
      if (!declared.has(name)) {
        throw new TemplateMistake("Parameters", "there is none called " + name);
      }
    }
    var values = new HashMap<String, Object>();
    declared
        .sections()
        .forEach(each -> values.put(each.getKey(), settle(each.getValue(), overrides, each)));
    return Map.copyOf(values);
  }

  private static Object settle(
      Section parameter, Map<String, String> overrides, Map.Entry<String, Section> named) {
    var override = overrides.get(named.getKey());
    var value = override != null ? override : parameter.optionalText("Default").orElse(null);
    if (value == null) {
      throw new TemplateMistake(parameter.where(), "it has no default and no value was given");
    }
    check(parameter, value);
    return switch (parameter.text("Type")) {
      case "CommaDelimitedList" -> value.isEmpty() ? List.of() : List.of(value.split(",", -1));
      default -> value;
    };
  }

  private static void check(Section parameter, String value) {
    if (parameter.text("Type").equals("Number")) {
      var number = number(parameter, value);
      if (parameter.has("MinValue")
          && number.compareTo(number(parameter, parameter.text("MinValue"))) < 0) {
        throw new TemplateMistake(parameter.where(), value + " is less than its MinValue");
      }
      if (parameter.has("MaxValue")
          && number.compareTo(number(parameter, parameter.text("MaxValue"))) > 0) {
        throw new TemplateMistake(parameter.where(), value + " is more than its MaxValue");
      }
    }
    if (parameter.values().get("AllowedValues") instanceof List<?> allowed
        && allowed.stream().noneMatch(each -> each.toString().equals(value))) {
      throw new TemplateMistake(parameter.where(), value + " is not one of " + allowed);
    }
    var pattern = parameter.optionalText("AllowedPattern");
    if (pattern.isPresent() && !value.matches(pattern.get())) {
      throw new TemplateMistake(parameter.where(), value + " does not match " + pattern.get());
    }
  }

  private static BigDecimal number(Section parameter, String text) {
    try {
      return new BigDecimal(text);
    } catch (NumberFormatException e) {
      throw new TemplateMistake(parameter.where(), text + " is not a number");
    }
  }
}
