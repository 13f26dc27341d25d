package dev.connectorevents.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EmailTest {

  @ParameterizedTest
  @CsvSource({
    "connector@example.com, connector@example.com",
    "'  Connector@EXAMPLE.com\t', connector@example.com",
    "a+b@localhost, a+b@localhost",
    "JOSÉ@example.com, josé@example.com",
  })
  void an_address_is_trimmed_and_lower_cased(String typed, String address) {
    assertThat(Email.parse(typed)).hasValue(new Email(address)).get().hasToString(address);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "@",
        "a@",
        "@b",
        "a@b@c",
        "no address",
        "a b@c",
        "a@b\n\nc",
        "a@\ud800",
        "a\u009bb@c",
        "a\u0085@b",
        "a\u2028@b",
        "a\u202e@b",
        "a\u00a0b@c",
        "a\u200b@b"
      })
  void a_text_that_is_not_an_address_is_refused(String typed) {
    assertThat(Email.parse(typed)).isEmpty();
  }

  @Test
  void an_address_has_at_most_254_characters() {
    assertThat(Email.parse("a".repeat(252) + "@b")).isPresent();
    assertThat(Email.parse("a".repeat(253) + "@b")).isEmpty();
  }

  @Test
  void only_the_normalized_form_is_an_email() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Email("Connector@example.com"));
  }
}
