package dev.connectorevents.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.connectorevents.Promise;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventTypePatternTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          *                     | shopify.orders/create | true
          github.push           | github.push           | true
          github.push           | github.Push           | false
          stripe.charge.*       | stripe.chargeXfailed  | false
          wise.transfers#*      | wise.transfers#state-change | true
          wise.transfers        | wise.transfers#state-change | false
          stripe.v2.core.account[* | stripe.v2.core.account[requirements].updated | true
          posthog.$*            | posthog.$identify     | true
          a.b=*                 | a.b=1                 | true
          """)
  void a_star_stands_for_any_rest(String pattern, String type, boolean matches) {
    assertThat(pattern(pattern).matches(new EventType(type))).isEqualTo(matches);
  }

  @Test
  void a_pattern_is_its_text() {
    assertThat(pattern("shopify.*")).hasToString("shopify.*");
  }

  static Stream<String> patternsThatAreTooLong() {
    return Stream.of(
        "a." + "b".repeat(254),
        "a." + "b".repeat(254) + "*",
        "a." + "b".repeat(252) + "/*",
        "a." + "b".repeat(252) + " *");
  }

  @ParameterizedTest
  @MethodSource("patternsThatAreTooLong")
  @ValueSource(
      strings = {
        "",
        "Shopify.*",
        "Shopify.orders",
        "shopify.orders, *",
        "shopify.\"*",
        "shopify.orders\\*",
        "shopify.örders*",
        "shopify.orders\n*",
        "shopify.*,github.*",
        "-shopify.*",
      })
  @Promise("A pattern that no event type can match is refused.")
  void a_pattern_that_no_event_type_can_match_is_refused(String text) {
    assertThat(EventTypePattern.parse(text)).isEmpty();
    assertThatIllegalArgumentException().isThrownBy(() -> new EventTypePattern(text));
  }

  @Test
  void a_beginning_has_at_most_255_characters_and_leaves_room_after_a_slash_or_a_space() {
    assertThat(EventTypePattern.parse("a." + "b".repeat(253) + "*")).isPresent();
    assertThat(EventTypePattern.parse("a." + "b".repeat(251) + "/*")).isPresent();
    assertThat(EventTypePattern.parse("a." + "b".repeat(251) + " *")).isPresent();
  }

  /**
   * Tries all texts of at most five characters from a small alphabet as patterns. Matches each
   * pattern against all event types of at most five characters from that alphabet.
   */
  @Test
  @Promise({
    "`*` stands only at the end, after the provider's dot or later.",
    "those that begin with `github.push`, and `github.push` itself"
  })
  void of_all_short_texts_those_are_patterns_that_an_event_type_can_match() {
    List<String> types = texts("a./ ", 5).filter(it -> EventType.parse(it).isPresent()).toList();
    assertThat(types).hasSizeGreaterThan(20);
    texts("a./ *", 5)
        .forEach(text -> {
          boolean isWritten = text.equals("*") || text.matches("[^*.]+\\.[^*]*\\*?");
          List<String> matched = types.stream().filter(type -> matchesSlowly(text, type)).toList();
          Optional<EventTypePattern> parsed = EventTypePattern.parse(text);
          assertThat(parsed.isPresent()).as(text).isEqualTo(isWritten && !matched.isEmpty());
          parsed.ifPresent(pattern ->
              assertThat(types)
                  .filteredOn(type -> pattern.matches(new EventType(type)))
                  .as(text)
                  .isEqualTo(matched));
        });
  }

  private static Stream<String> texts(String alphabet, int length) {
    return length == 0
        ? Stream.of("")
        : texts(alphabet, length - 1)
            .flatMap(text ->
                text.length() < length - 1
                    ? Stream.of(text)
                    : Stream.concat(
                        Stream.of(text), alphabet.chars().mapToObj(it -> text + (char) it)));
  }

  /** Whether the pattern matches the type, checked by a regular expression. */
  private static boolean matchesSlowly(String pattern, String type) {
    return Pattern.matches("\\Q" + pattern.replace("*", "\\E.*\\Q") + "\\E", type);
  }

  @ParameterizedTest
  @CsvSource({
    "*, shopify.*",
    "shopify.*, shopify.orders/*",
    "shopify.orders*, shopify.orders/*",
    "shopify.orders/create*, shopify.orders/create",
    "*, shopify.orders/create",
  })
  @Promise("The most specific pattern decides")
  void an_exact_type_beats_any_star_and_a_longer_beginning_a_shorter_one(
      String general, String special) {
    assertThat(EventTypePattern.BY_SPECIFICITY.compare(pattern(general), pattern(special)))
        .isNegative();
  }

  private static EventTypePattern pattern(String text) {
    return EventTypePattern.parse(text).orElseThrow(() -> new AssertionError(text));
  }
}
