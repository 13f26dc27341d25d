package dev.connectorevents.emulator.template;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A map of the template with its place, which every {@link TemplateMistake} names. Its methods note
 * what was read.
 */
final class Section {

  private final String where;
  private final Map<String, Object> values;
  private final Unread unread;

  private Section(String where, Map<String, Object> values, Unread unread) {
    this.where = where;
    this.values = values;
    this.unread = unread;
    unread.given(where, values.keySet());
  }

  static Section of(String where, @Nullable Object value, Unread unread) {
    if (!(value instanceof Map<?, ?> map)) {
      throw new TemplateMistake(where, "a map is expected, not " + value);
    }
    Map<String, Object> values = new LinkedHashMap<>();
    map.forEach((key, each) -> values.put(String.valueOf(key), each));
    return new Section(where, values, unread);
  }

  /** A value of this section, which must be a map. */
  Section of(String where, @Nullable Object value) {
    return of(where, value, unread);
  }

  String where() {
    return where;
  }

  /** The same place, with the values of all intrinsics. */
  Section resolved(Intrinsics intrinsics) {
    return of(where, intrinsics.resolve(where, values));
  }

  /** The same place, with these defaults. As in SAM, maps are merged key by key. */
  Section over(Section defaults) {
    return new Section(where, merged(defaults.values(), values), unread);
  }

  private static Map<String, Object> merged(Map<?, ?> defaults, Map<?, ?> own) {
    Map<String, Object> merged = new LinkedHashMap<>();
    defaults.forEach((name, value) -> merged.put(String.valueOf(name), value));
    own.forEach((name, value) ->
        merged.merge(
            String.valueOf(name),
            value,
            (other, mine) ->
                other instanceof Map<?, ?> inherited && mine instanceof Map<?, ?> map
                    ? merged(inherited, map)
                    : mine));
    return merged;
  }

  /** All values. */
  Map<String, Object> values() {
    values.keySet().forEach(name -> unread.read(where, name));
    return values;
  }

  Optional<Object> value(String name) {
    unread.read(where, name);
    return Optional.ofNullable(values.get(name));
  }

  boolean has(String name) {
    return value(name).isPresent();
  }

  /** The map of that name; empty when absent. */
  Section section(String name) {
    return of(path(name), value(name).orElse(Map.of()));
  }

  /** All values, which must be maps. */
  Map<String, Section> sections() {
    Map<String, Section> sections = new LinkedHashMap<>();
    values().forEach((name, value) -> sections.put(name, of(path(name), value)));
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
    if (value(name).orElse(List.of()) instanceof List<?> list) {
      return list;
    }
    throw new TemplateMistake(path(name), "a list is expected");
  }

  /** One text, or a list of texts. */
  List<String> texts(String name) {
    return value(name).orElse("") instanceof List<?> list
        ? list.stream().map(each -> Intrinsics.text(path(name), each)).toList()
        : List.of(text(name));
  }

  String text(String name) {
    return required(name, optionalText(name));
  }

  Optional<String> optionalText(String name) {
    return value(name)
        .map(value -> {
          if (value instanceof Map || value instanceof List) {
            throw new TemplateMistake(path(name), "one value is expected: " + value);
          }
          return value.toString();
        });
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
