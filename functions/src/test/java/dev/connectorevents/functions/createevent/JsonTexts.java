package dev.connectorevents.functions.createevent;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Generates JSON texts with the spacing and the escapes that senders may use. */
final class JsonTexts {

  private JsonTexts() {}

  /** Up to five members of an object, none of them called {@code _meta}. */
  static Arbitrary<List<String>> members() {
    return member(value(3)).list().ofMaxSize(5);
  }

  /** An object with these members and any spacing. */
  static Arbitrary<String> object(List<String> members) {
    return spacing().map(space -> "{" + space + String.join("," + space, members) + space + "}");
  }

  static Arbitrary<String> spacing() {
    return Arbitraries.strings().withChars(' ', '\t', '\n', '\r').ofMaxLength(3);
  }

  private static Arbitrary<String> member(Arbitrary<String> value) {
    return Combinators.combine(string(), spacing(), spacing(), value)
        .as((name, before, after, any) -> name + before + ":" + after + any)
        .filter(text -> !text.startsWith("\"_meta\""));
  }

  private static Arbitrary<String> value(int depth) {
    Arbitrary<String> scalar = Arbitraries.oneOf(string(), number(), literal());
    if (depth == 0) {
      return scalar;
    }
    Arbitrary<String> inner = Arbitraries.lazy(() -> value(depth - 1));
    Arbitrary<String> array =
        inner.list().ofMaxSize(3).map(elements -> "[" + String.join(" ,", elements) + "]");
    Arbitrary<String> object = member(inner).list().ofMaxSize(3).flatMap(JsonTexts::object);
    return Arbitraries.oneOf(scalar, array, object);
  }

  private static Arbitrary<String> literal() {
    return Arbitraries.of("true", "false", "null");
  }

  private static Arbitrary<String> number() {
    Arbitrary<String> odd =
        Arbitraries.of("0", "-0", "1.0", "1E400", "-1.50e-07", "1e+9", "0.10", "9".repeat(1_200));
    return Arbitraries.oneOf(odd, Arbitraries.bigDecimals().map(Object::toString));
  }

  private static Arbitrary<String> string() {
    Arbitrary<String> escape =
        Arbitraries.of(
            "\\n", "\\/", "\\\"", "\\\\", "\\u00e9", "\\ud83d\\ude00", "\\ud800", "\\u0000");
    Arbitrary<String> plain =
        Arbitraries.of(
            "a", "Z", "0", " ", "é", "ß", "你", "😀", "{", "}", "[", "]", ":", ",", "_meta");
    return Arbitraries.oneOf(escape, plain)
        .list()
        .ofMaxSize(4)
        .map(pieces -> "\"" + String.join("", pieces) + "\"");
  }
}
