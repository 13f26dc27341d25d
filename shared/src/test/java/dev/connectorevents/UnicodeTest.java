package dev.connectorevents;

import static org.assertj.core.api.Assertions.assertThat;

import java.text.Normalizer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UnicodeTest {

  @Test
  void pairs_of_surrogates_are_folded_wherever_they_are() {
    for (int before = 28; before < 36; before++) {
      String text = "x".repeat(before) + "\ud801\udc00x".repeat(3); // a capital of Deseret

      assertThat(Unicode.foldCase(text)).isEqualTo("x".repeat(before) + "\ud801\udc28x".repeat(3));
    }
  }

  @Test
  void half_a_pair_at_the_end_stays() {
    assertThat(Unicode.foldCase("X\ud801")).isEqualTo("x\ud801");
  }

  @Test
  @Promise("Both sides are brought to NFC, upper case, lower case and NFC again.")
  void composed_and_decomposed_texts_are_folded_to_one_form() {
    String decomposed = Normalizer.normalize("\u1f82".repeat(50), Normalizer.Form.NFD);

    assertThat(Unicode.foldCase(decomposed)).isEqualTo(Unicode.foldCase("\u1f8a".repeat(50)));
  }

  @Test
  @Promise("if more than 30 of its characters in a row are accents")
  void a_text_with_more_accents_in_a_row_than_any_language_has_is_not_folded() {
    String most = "E" + "\u0301".repeat(30);

    assertThat(Unicode.foldCase(most)).isEqualTo("\u00e9" + "\u0301".repeat(29));
    assertThat(Unicode.foldCase(most + "\u0301")).isEqualTo(most + "\u0301");
  }

  @Test
  @Promise("if more than 30 of its characters in a row are accents")
  void whatever_NFC_composes_with_the_character_before_counts_as_an_accent() {
    IntStream composed =
        IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
            .mapToObj(Character::toString)
            .map(character -> Normalizer.normalize(character, Normalizer.Form.NFD))
            .flatMapToInt(decomposed -> decomposed.codePoints().skip(1))
            .distinct();

    assertThat(composed.mapToObj(Character::toString).map(accent -> "E" + accent.repeat(31)))
        .isNotEmpty()
        .allMatch(text -> Unicode.foldCase(text).equals(text));
  }

  @Test
  void no_character_becomes_an_at_sign_or_a_digit_or_takes_one_away() {
    for (int each = 0x80; each <= Character.MAX_CODE_POINT; each++) {
      String folded = Unicode.foldCase("@" + Character.toString(each) + "7");

      if (folded.chars().filter(c -> c == '@' || ('0' <= c && c <= '9')).count() != 2) {
        throw new AssertionError(Integer.toHexString(each) + " is folded to " + folded);
      }
    }
    assertThat(Unicode.keptByFolding("a1@x")).isEqualTo('@');
    assertThat(Unicode.keptByFolding("@")).isEqualTo('@');
    assertThat(Unicode.keptByFolding("a05")).isEqualTo('0');
    assertThat(Unicode.keptByFolding("a9")).isEqualTo('9');
    assertThat(Unicode.keptByFolding("Zo\u00eb")).isNegative();
  }
}
