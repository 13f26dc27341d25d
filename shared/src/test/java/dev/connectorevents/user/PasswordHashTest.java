package dev.connectorevents.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.connectorevents.Promise;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PasswordHashTest {

  private static final int COST = 4;

  @ParameterizedTest
  @ValueSource(strings = {"x", "correct horse battery staple", "пароль", "🔑🔑🔑"})
  void a_hash_matches_its_password_and_no_other(String password) {
    PasswordHash hash = PasswordHash.of(password, COST);

    assertThat(hash.matches(password)).isTrue();
    assertThat(hash.matches(password + "x")).isFalse();
    assertThat(hash.matches("")).isFalse();
  }

  @Test
  void the_hash_tells_its_cost() {
    PasswordHash hash = PasswordHash.of("secret", 5);

    assertThat(hash.value()).startsWith("$2a$05$").hasSize(60);
    assertThat(hash.cost()).isEqualTo(5);
  }

  @ParameterizedTest
  @ValueSource(strings = {"03", "16", "31", "99"})
  void a_cost_that_no_hash_of_ours_has_is_no_hash(String cost) {
    String value = PasswordHash.unmatchable(15).value().replace("$15$", "$" + cost + "$");

    assertThatIllegalArgumentException().isThrownBy(() -> new PasswordHash(value));
  }

  @Test
  void two_hashes_of_one_password_differ() {
    assertThat(PasswordHash.of("secret", COST)).isNotEqualTo(PasswordHash.of("secret", COST));
  }

  @Test
  void every_byte_of_a_password_of_72_bytes_counts() {
    String longest = "a".repeat(72);
    PasswordHash hash = PasswordHash.of(longest, COST);

    assertThat(hash.matches(longest)).isTrue();
    assertThat(hash.matches("a".repeat(71) + "b")).isFalse();
  }

  @Test
  @Promise("At login, a longer one is wrong.")
  void a_password_over_72_bytes_is_wrong_even_where_bcrypt_would_not_notice() {
    PasswordHash hash = PasswordHash.of("a".repeat(72), COST);

    assertThat(hash.matches("a".repeat(73))).isFalse();
    assertThat(hash.matches("a".repeat(1_000_000))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 73, 1000})
  @Promise("Operators cannot set a longer one.")
  void a_password_of_another_length_cannot_be_set(int bytes) {
    assertThatIllegalArgumentException().isThrownBy(() -> PasswordHash.of("a".repeat(bytes), COST));
  }

  @ParameterizedTest
  @ValueSource(strings = {"secret\0secret", "\0", "se\ud800cret", "se\udfffcret"})
  void a_text_that_bcrypt_confuses_with_another_is_wrong_and_cannot_be_set(String text) {
    assertThat(PasswordHash.of("secret", COST).matches(text)).isFalse();
    assertThat(PasswordHash.of("se?cret", COST).matches(text)).isFalse();
    assertThatIllegalArgumentException().isThrownBy(() -> PasswordHash.of(text, COST));
  }

  @Test
  void an_unmatchable_hash_is_well_formed_and_matches_nothing() {
    PasswordHash hash = PasswordHash.unmatchable(COST);

    assertThat(hash.value()).startsWith("$2a$04$").hasSize(60);
    assertThat(hash.matches("")).isFalse();
    assertThat(hash.matches("secret")).isFalse();
  }

  @Test
  void a_hash_is_never_printed() {
    PasswordHash hash = PasswordHash.of("secret", COST);

    assertThat(hash).hasToString("PasswordHash[…]");
  }
}
