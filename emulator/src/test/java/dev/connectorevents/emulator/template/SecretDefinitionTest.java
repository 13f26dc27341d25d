package dev.connectorevents.emulator.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The first value of a secret, fixed or random, as the template defines it. */
class SecretDefinitionTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SecretString: fixed | fixed",
        "GenerateSecretString: {} | [!-~]{32}",
        "GenerateSecretString: { PasswordLength: 64, ExcludePunctuation: true } | [A-Za-z0-9]{64}",
        "GenerateSecretString: { PasswordLength: 999, ExcludeCharacters: '\"@/' } | [!#-.0-?A-~]{999}",
      })
  void a_secret_has_its_text_or_a_random_one(String properties, String text) {
    assertThat(secret(properties).secrets().getFirst().text().get()).matches(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ExcludeNumbers: true", "SecretStringTemplate: '{}'"})
  void an_unsupported_password_rule_is_refused(String rule) {
    assertThatExceptionOfType(TemplateMistake.class)
        .isThrownBy(() -> secret("GenerateSecretString: { " + rule + " }"))
        .withMessageContaining(
            "GenerateSecretString: there is no setting " + rule.split(":", 2)[0]);
  }

  private Template secret(String properties) {
    String type = "AWS::SecretsManager::Secret";
    String text = SmallTemplate.TEXT.formatted("x");
    return SmallTemplate.read(
        text.replace(type, type + "\n    Properties: { " + properties + " }"), Map.of());
  }
}
