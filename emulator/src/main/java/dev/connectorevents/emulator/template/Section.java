package dev.connectorevents.emulator.template;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A map of the template with its place, which every {@link TemplateMistake} names. */
record Section(String where, Map<String, Object> values) {

  static Section of(String where, @Nullable Object value) {
    if (!(value instanceof Map<?, ?> map)) {
      throw new TemplateMistake(where, "a map is expected, not " + value);
    }
    Map<String, Object> values = new LinkedHashMap<>();
    map.forEach((key, each) -> values.put(String.valueOf(key), each));
    return new Section(where, values);
  }

  /** The same place, with these defaults. */
  Section over(Section defaults) {
    Map<String, Object> merged = new LinkedHashMap<>(defaults.values);
    merged.putAll(values);
    return new Section(where, merged);
  }

  boolean has(String name) {
    return values.get(name) != null;
  }

  /** The map of that name; empty when absent. */
  Section section(String name) {
    return of(path(name), values.getOrDefault(name, Map.of()));
  }

  /** All values, which must be maps. */
  Map<String, Section> sections() {
    Map<String, Section> sections = new LinkedHashMap<>();
    values.forEach((name, value) -> sections.put(name, of(path(name), value)));
    return sections;
  }

  /** The list of maps of that name; empty when absent. */
  List<Section> list(String name) {
    List<?> items = items(name);
    return IntStream.range(0, items.size())
        .mapToObj(i -> of(path(name) + "[" + i + "]", items.get(i)))
        .toList();
  }

  /** The list of that name, of whatever values; empty when absent. */
  List<?> items(String name) {
    if (values.getOrDefault(name, List.of()) instanceof List<?> list) {
      return list;
    }
    throw new TemplateMistake(path(name), "a list is expected");
  }

  /** One text, or a list of texts. */
  List<String> texts(String name) {
    return values.get(name) instanceof List<?> list
        ? list.stream().map(each -> Intrinsics.text(path(name), each)).toList()
        : List.of(text(name));
  }

  String text(String name) {
    return required(name, optionalText(name));
  }

  Optional<String> optionalText(String name) {
    return switch (values.get(name)) {
      case null -> Optional.empty();
      case Map<?, ?> map -> throw new TemplateMistake(path(name), "one value is expected: " + map);
      case List<?> list -> throw new TemplateMistake(path(name), "one value is expected: " + list);
      case Object value -> Optional.of(value.toString());
    };
  }

  boolean isTrue(String name) {
    return optionalText(name).filter("true"::equals).isPresent();
  }

  int number(String name) {
    return required(name, optionalNumber(name));
  }

  Optional<Integer> optionalNumber(String name) {
    return parsed(name, "a whole number", Integer::valueOf);
  }

  double decimal(String name) {
    return required(name, parsed(name, "a number", Double::valueOf));
  }

  private <T> T required(String name, Optional<T> value) {
    return value.orElseThrow(() -> new TemplateMistake(where, name + " is missing"));
  }

  private <T> Optional<T> parsed(String name, String kind, Function<String, T> parse) {
    try {
      return optionalText(name).map(parse);
    } catch (NumberFormatException e) {
      throw new TemplateMistake(path(name), kind + " is expected: " + values.get(name));
    }
  }

  String path(String name) {
    return where.isEmpty() ? name : where + "." + name;
  }
}
