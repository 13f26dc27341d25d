package dev.connectorevents.user;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RoleTest {

  @ParameterizedTest
  @CsvSource({"CONNECTOR, connector", "CONSUMER, consumer"})
  void operators_and_the_table_name_a_role_in_lower_case(Role role, String text) {
    assertThat(role.text()).isEqualTo(text);
    assertThat(Role.parse(text)).hasValue(role);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Connector", "CONSUMER", " consumer", "operator"})
  void another_text_names_no_role(String text) {
    assertThat(Role.parse(text)).isEmpty();
  }

  @Test
  void a_message_lists_every_role() {
    assertThat(Role.names()).isEqualTo("connector, consumer");
  }
}
