package dev.connectorevents.user;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RoleTest {

  @ParameterizedTest
  @CsvSource({"CONNECTOR, connector", "CONSUMER, consumer"})
  void a_role_is_written_in_lower_case(Role role, String text) {
    assertThat(role.text()).isEqualTo(text);
    assertThat(Role.parse(text)).hasValue(role);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Connector", "CONSUMER", " consumer", "operator"})
  void any_other_text_is_no_role(String text) {
    assertThat(Role.parse(text)).isEmpty();
  }
}
