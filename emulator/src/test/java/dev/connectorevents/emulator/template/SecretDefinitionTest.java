package dev.connectorevents.emulator.template;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The first value of a secret, as the template defines it. */
class SecretDefinitionTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GenerateSecretString: {} | [!-~]{32}",
        "GenerateSecretString: { PasswordLength: 64, ExcludePunctuation: true } | [A-Za-z0-9]{64}",
      })
  void a_secret_has_a_random_text(String properties, String text) {
    assertThat(secret(properties).secrets().getFirst().text().get()).matches(text);
  }

  private Template secret(String properties) {
    String type = "AWS::SecretsManager::Secret";
    String text = SmallTemplate.TEXT.formatted("x");
    return SmallTemplate.read(
        text.replace(type, type + "\n    Properties: { " + properties + " }"), Map.of());
  }
}
