package dev.connectorevents.acceptance.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Named.named;

import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.Nightly;
import dev.connectorevents.user.Email;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Inputs of 128 KiB, and at night of 512, which fuzzing does not reach. A parser that needs
 * quadratic time or memory exceeds the budget.
 */
class LargeInputsTest {

  private static final int SIZE = Nightly.choose(1 << 17, 1 << 19);

  private static Stream<Named<String>> json() {
    return Stream.of(
        named("nested arrays", "[".repeat(SIZE)),
        named("nested objects", "{\"a\":".repeat(SIZE / 5)),
        named("members", "{" + members("\"%d\":{}") + "}"),
        named("the same member", "{" + members("\"a\":{}") + "}"),
        named("texts", "{" + members("\"%d\":\"\"") + "}"),
        named("wrong members", "{" + members("\"status\":0") + "}"),
        named("elements", "[" + members("%d") + "]"),
        named("empty objects", "[" + members("{}") + "]"),
        named("a long number", "1".repeat(SIZE)),
        named("large numbers", "[" + members("1E999999999") + "]"),
        named("a long fraction", "{\"a\":0." + "1".repeat(SIZE) + "}"),
        named("escapes", "{\"a\":\"" + "\\u0000".repeat(SIZE / 6) + "\"}"),
        named("quotes", "{\"a\":\"" + "\\\"".repeat(SIZE / 2) + "\"}"),
        named("letters that become two in upper case", text("\u00df")),
        named("letters that become two in lower case", text("\u0130")),
        named("capital sigmas", text("\u03a3")),
        named("a long name", "{\"" + "a".repeat(SIZE) + "\":1}"),
        named("spaces", " ".repeat(SIZE)),
        named("line breaks in an object", "{" + "\n".repeat(SIZE) + "}"),
        named("no UTF-8", "{\"a\":\"" + "\u00ff".repeat(SIZE) + "\"}"));
  }

  /** A JSON text of the letter, in UTF-8. */
  private static String text(String letter) {
    return "\"" + new String(letter.repeat(SIZE / 2).getBytes(UTF_8), ISO_8859_1) + "\"";
  }

  private static String members(String format) {
    return IntStream.range(0, SIZE / (format.length() + 4))
        .mapToObj(i -> format.replace("%d", String.valueOf(i)))
        .collect(joining(","));
  }

  @ParameterizedTest
  @MethodSource("json")
  @Promise("No input may cause an exception or a 500")
  void a_large_input_costs_no_more_than_its_size_allows(String json) throws IOException {
    String event = "{\"event_type\":\"shop.order\",\"payload\":%s}".formatted(json);
    String body = json.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    for (String each :
        List.of(
            json,
            event,
            "{\"event_type\":\"shop.order\",\"payload\":{\"_meta\":%s}}".formatted(json),
            "{\"event_type\":%1$s,\"idempotency_key\":%1$s,\"sent_at\":%1$s}".formatted(json),
            "{\"events\":" + json + "}",
            "{\"events\":[" + event + "]}",
            "{\"headers\":%s}".formatted(json),
            "{\"version\":\"2.0\",\"body\":\"%s\"}".formatted(body))) {
      byte[] input = each.getBytes(ISO_8859_1);
      new EventFuzzTest().an_event_is_valid_or_refused(input);
      new BatchFuzzTest().a_batch_is_valid_or_refused(input);
      new GatewayEventFuzzTest().an_event_is_a_request_or_broken(input);
      new TokenFuzzTest().nobody_makes_a_token_without_the_key(input);
      new ListFuzzTest().a_query_is_valid_or_refused(input);
      Budget.spend(input, () -> Email.parse(new String(input, UTF_8)));
    }
    for (String each : List.of(json, "{\"where\":" + json + "}")) {
      new OperatorEventFuzzTest().an_event_is_carried_out_or_refused(each.getBytes(ISO_8859_1));
    }
  }
}
