package dev.connectorevents.emulator.template;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code Fn::Sub}: replaces {@code ${Name}} and {@code ${Name.Attribute}}; {@code ${!Name}} stays
 * literal.
 */
record Substitution(Intrinsics intrinsics, String where) {

  private static final Pattern PLACE = Pattern.compile("\\$\\{([^}]*)}");

  String of(@Nullable Object argument) {
    return switch (argument) {
      case String text -> fill(text, Map.of());
      case List<?> list
          when list.size() == 2
              && list.get(0) instanceof String text
              && list.get(1) instanceof Map<?, ?> own ->
          fill(text, own);
      case null, default ->
          throw new TemplateMistake(where, "Fn::Sub takes a text, not " + argument);
    };
  }

  private String fill(String text, Map<?, ?> own) {
    return PLACE
        .matcher(text)
        .replaceAll(place -> Matcher.quoteReplacement(value(place.group(1).trim(), own)));
  }

  private String value(String name, Map<?, ?> own) {
    if (name.startsWith("!")) {
      return "${" + name.substring(1) + "}";
    }
    if (own.containsKey(name)) {
      return Intrinsics.text(where, intrinsics.resolve(where, own.get(name)));
    }
    int dot = name.indexOf('.');
    return dot < 0
        ? Intrinsics.text(where, intrinsics.names().ref(where, name))
        : intrinsics.names().attribute(where, name.substring(0, dot), name.substring(dot + 1));
  }
}
