package dev.connectorevents;

import static org.assertj.core.api.Assertions.assertThat;

import java.text.Normalizer;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UnicodeTest {

  @Test
  void pairs_of_surrogates_are_folded_wherever_they_are() {
    for (int before = 28; before < 36; before++) {
      String text = "x".repeat(before) + "\ud801\udc00".repeat(3); // a capital of Deseret

      assertThat(Unicode.foldCase(text)).isEqualTo("x".repeat(before) + "\ud801\udc28".repeat(3));
    }
  }

  @Test
  void a_text_may_be_much_longer_than_its_folded_form() {
    String decomposed = Normalizer.normalize("\u1f82".repeat(50), Normalizer.Form.NFD);

    String folded = Unicode.foldCase("\u1f8a".repeat(50));

    assertThat(Unicode.canFoldTo(decomposed, folded)).isTrue();
    assertThat(Unicode.foldCase(decomposed)).isEqualTo(folded);
    assertThat(Unicode.canFoldTo("x".repeat(16 * 100 + 1), folded)).isFalse();
  }

  /** Texts that are too long for a folded form are not folded at all. */
  @Test
  void no_character_stands_for_more_than_four_times_its_length_and_no_case_is_shorter() {
    IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
        .filter(character -> Character.getType(character) != Character.SURROGATE)
        .mapToObj(Character::toString)
        .forEach(character -> {
          String parts = Normalizer.normalize(character, Normalizer.Form.NFD);
          if (parts.length() > 4 * character.length()
              || (parts.length() < character.length() && !isAlone(parts))
              || character.toUpperCase(Locale.ROOT).length() < character.length()
              || character.toLowerCase(Locale.ROOT).length() < character.length()) {
            throw new AssertionError(character.codePoints().boxed().toList());
          }
        });
  }

  /** An ideograph is no part of another character. */
  private static boolean isAlone(String character) {
    return Character.isIdeographic(character.codePointAt(0));
  }
}
