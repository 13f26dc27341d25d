package dev.connectorevents.emulator.template;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** The values of the template's parameters, checked as CloudFormation does. */
final class Parameters {

  private Parameters() {}

  static Map<String, Object> settle(Section declared, Map<String, String> overrides) {
    for (String name : overrides.keySet()) {
      if (!declared.has(name)) {
        throw new TemplateMistake(
            "Parameters",
            "there is none called %s; there are %s"
                .formatted(name, String.join(", ", new TreeSet<>(declared.sections().keySet()))));
      }
    }
    Map<String, Object> values = new HashMap<>();
    declared
        .sections()
        .forEach((name, parameter) ->
            values.put(name, settle(parameter, Optional.ofNullable(overrides.get(name)))));
    return values;
  }

  private static String settle(Section parameter, Optional<String> override) {
    Optional<String> byDefault = parameter.optionalText("Default");
    String value =
        override
            .or(() -> byDefault)
            .orElseThrow(() -> mistake(parameter, "it has no default and no value was given"));
    checkText(parameter, value);
    return switch (parameter.text("Type")) {
      case "String" -> value;
      case "Number" -> {
        checkRange(parameter, value);
        yield value;
      }
      default ->
          throw new TemplateMistake(
              parameter.path("Type"), "only String and Number are known here");
    };
  }

  private static void checkRange(Section parameter, String value) {
    BigDecimal number = number(parameter, value);
    parameter
        .optionalText("MinValue")
        .filter(least -> number.compareTo(number(parameter, least)) < 0)
        .ifPresent(least -> {
          throw mistake(parameter, value + " is less than its MinValue, " + least);
        });
    parameter
        .optionalText("MaxValue")
        .filter(most -> number.compareTo(number(parameter, most)) > 0)
        .ifPresent(most -> {
          throw mistake(parameter, value + " is more than its MaxValue, " + most);
        });
  }

  private static void checkText(Section parameter, String value) {
    if (parameter.has("AllowedValues") && !parameter.texts("AllowedValues").contains(value)) {
      throw mistake(parameter, value + " is not one of " + parameter.texts("AllowedValues"));
    }
    parameter
        .optionalText("MaxLength")
        .filter(most -> value.length() > number(parameter, most).intValueExact())
        .ifPresent(most -> {
          throw mistake(parameter, value + " is longer than its MaxLength, " + most);
        });
    parameter
        .optionalText("AllowedPattern")
        .filter(pattern -> !compiled(parameter, pattern).matcher(value).matches())
        .ifPresent(pattern -> {
          String rule = parameter.optionalText("Description").map(": "::concat).orElse("");
          throw mistake(parameter, value + " does not match " + pattern + rule);
        });
  }

  private static Pattern compiled(Section parameter, String pattern) {
    try {
      return Pattern.compile(pattern);
    } catch (PatternSyntaxException e) {
      throw mistake(parameter, "its AllowedPattern: " + e.getMessage());
    }
  }

  private static BigDecimal number(Section parameter, String text) {
    try {
      return new BigDecimal(text);
    } catch (NumberFormatException e) {
      throw mistake(parameter, text + " is not a number");
    }
  }

  private static TemplateMistake mistake(Section parameter, String what) {
    return new TemplateMistake(parameter.where(), what);
  }
}
