package dev.connectorevents.functions.createevent;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.event.Value;
import dev.connectorevents.http.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The members of a request's body, read by their rules; keeps every fault it meets. */
final class Members {

  private final Map<String, Value> members;
  private final List<Fault> faults = new ArrayList<>();

  Members(Map<String, Value> members) {
    this.members = members;
  }

  List<Fault> faults() {
    return List.copyOf(faults);
  }

  void fault(String pointer, String rule) {
    faults.add(new Fault(pointer, rule));
  }

  /** What {@code read} makes of a member; its absence is a fault. */
  <T> Optional<T> required(String name, String rule, Function<Value, Optional<T>> read) {
    if (!members.containsKey(name)) {
      fault(Fault.pointer("", name), "required: " + rule);
    }
    return Optional.ofNullable(optional(name, rule, read));
  }

  /**
   * What {@code read} makes of a member, or null if there is none; nothing made of it is a fault.
   */
  <T> @Nullable T optional(String name, String rule, Function<Value, Optional<T>> read) {
    Value member = members.get(name);
    if (member == null) {
      return null;
    }
    Optional<T> value = read.apply(member);
    if (value.isEmpty()) {
      fault(Fault.pointer("", name), rule);
    }
    return value.orElse(null);
  }

  /**
   * Text that can be stored as it is: an escape such as {@code \ud800} alone stands for nothing.
   */
  static Optional<String> text(Value value) {
    return value instanceof Value.Text(String text) && UTF_8.newEncoder().canEncode(text)
        ? Optional.of(text)
        : Optional.empty();
  }

  /** A whole number from 0 to {@code max}. */
  static Optional<Long> number(Value value, long max) {
    if (!(value instanceof Value.Whole(String digits))) {
      return Optional.empty();
    }
    try {
      return Optional.of(Long.parseLong(digits)).filter(number -> number >= 0 && number <= max);
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
