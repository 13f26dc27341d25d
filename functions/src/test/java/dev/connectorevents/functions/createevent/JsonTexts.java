package dev.connectorevents.functions.createevent;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Generates JSON texts with the spacing and the escapes that senders may use. */
record JsonTexts(RandomGenerator random) {

  private static final List<String> NUMBERS =
      List.of("0", "-0", "1.0", "1E400", "-1.50e-07", "1e+9", "0.10", "9".repeat(1_200));

  private static final List<String> PIECES =
      List.of(
          "\\n",
          "\\/",
          "\\\"",
          "\\\\",
          "\\u00e9",
          "\\ud83d\\ude00",
          "\\ud800",
          "\\u0000", //
          "a",
          "Z",
          "0",
          " ",
          "é",
          "ß",
          "你",
          "😀",
          "{",
          "}",
          "[",
          "]",
          ":",
          ",",
          "_meta");

  /** Up to five members of an object, none of them called {@code _meta}. */
  List<String> members() {
    return upTo(5, () -> member(3)).filter(text -> !text.startsWith("\"_meta\"")).toList();
  }

  /** An object with these members and any spacing. */
  String object(List<String> members) {
    String space = spacing();
    return "{" + space + String.join("," + space, members) + space + "}";
  }

  String spacing() {
    return upTo(3, () -> any(List.of(" ", "\t", "\n", "\r"))).collect(Collectors.joining());
  }

  <T> T any(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  private String member(int depth) {
    return string() + spacing() + ":" + spacing() + value(depth);
  }

  private String value(int depth) {
    return switch (random.nextInt(depth == 0 ? 3 : 5)) {
      case 0 -> string();
      case 1 -> random.nextBoolean() ? any(NUMBERS) : number();
      case 2 -> any(List.of("true", "false", "null"));
      case 3 -> upTo(3, () -> value(depth - 1)).collect(Collectors.joining(" ,", "[", "]"));
      default -> object(upTo(3, () -> member(depth - 1)).toList());
    };
  }

  private String number() {
    return new BigDecimal(BigInteger.valueOf(random.nextLong()), random.nextInt(-40, 40))
        .toString();
  }

  private String string() {
    return upTo(4, () -> any(PIECES)).collect(Collectors.joining("", "\"", "\""));
  }

  private <T> Stream<T> upTo(int most, Supplier<T> made) {
    return Stream.generate(made).limit(random.nextInt(most + 1));
  }
}
