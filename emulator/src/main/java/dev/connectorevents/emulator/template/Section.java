package dev.connectorevents.emulator.template;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A map of the template that knows its place in it, so that every mistake can be named. */
record Section(String where, Map<String, Object> values) {
  static Section of(String where, @Nullable Object value) {
    if (!(value instanceof Map<?, ?> map)) {
      throw new TemplateMistake(where, "a map is expected, not " + value);
    }
    var values = new LinkedHashMap<String, Object>();
    map.forEach((key, each) -> values.put(String.valueOf(key), each));
    return new Section(where, values);
  }

  boolean has(String name) {
    return values.get(name) != null;
  }

  /** The map of that name; an empty one when it is absent. */
  Section section(String name) {
    return has(name) ? of(path(name), values.get(name)) : new Section(path(name), Map.of());
  }

  /** All values, each of which has to be a map. */
  Stream<Map.Entry<String, Section>> sections() {
    return values.keySet().stream().map(name -> Map.entry(name, of(path(name), values.get(name))));
  }

  List<Section> list(String name) {
    if (!has(name)) {
      return List.of();
    }
    if (!(values.get(name) instanceof List<?> list)) {
      throw new TemplateMistake(path(name), "a list is expected");
    }
    return IntStream.range(0, list.size())
        .mapToObj(i -> of(path(name) + "[" + i + "]", list.get(i)))
        .toList();
  }

  /** One text, or a list of them. */
  List<String> texts(String name) {
    return values.get(name) instanceof List<?> list
        ? list.stream().map(each -> Intrinsics.text(path(name), each)).toList()
        : List.of(text(name));
  }

  String text(String name) {
    return optionalText(name).orElseThrow(() -> new TemplateMistake(where, name + " is missing"));
  }

  Optional<String> optionalText(String name) {
    return switch (values.get(name)) {
      case null -> Optional.empty();
      case Map<?, ?> map -> throw new TemplateMistake(path(name), "one value is expected: " + map);
      case List<?> list -> throw new TemplateMistake(path(name), "one value is expected: " + list);
      case Object value -> Optional.of(value.toString());
    };
  }

  Optional<Integer> optionalNumber(String name) {
    try {
      return optionalText(name).map(Integer::valueOf);
    } catch (NumberFormatException e) {
      throw new TemplateMistake(path(name), "a whole number is expected: " + values.get(name));
    }
  }

  int number(String name) {
    return optionalNumber(name).orElseThrow(() -> new TemplateMistake(where, name + " is missing"));
  }

  double decimal(String name) {
    try {
      return Double.parseDouble(text(name));
    } catch (NumberFormatException e) {
      throw new TemplateMistake(path(name), "a number is expected: " + values.get(name));
    }
  }

  String path(String name) {
    return where.isEmpty() ? name : where + "." + name;
  }
}
