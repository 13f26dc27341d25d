package dev.connectorevents.emulator.template;

import java.util.function.Supplier;

/**
 * One {@code AWS::SecretsManager::Secret}.
 *
 * @param name its Name or its logical id; in another process the logical id with a prefix
 * @param text of its first version; a generated text differs at each call
 */
public record SecretDefinition(String name, String arn, Supplier<String> text) {

  static SecretDefinition read(String id, Section properties, String prefix) {
    Vocabulary.SECRET.check(properties);
    String name = prefix.isEmpty() ? properties.optionalText("Name").orElse(id) : prefix + id;
    return new SecretDefinition(name, Arn.secret(id), text(properties));
  }

  private static Supplier<String> text(Section properties) {
    if (properties.has("SecretString")) {
      String text = properties.text("SecretString");
      return () -> text;
    }
    return RandomPassword.read(properties.section("GenerateSecretString"))::make;
  }
}
