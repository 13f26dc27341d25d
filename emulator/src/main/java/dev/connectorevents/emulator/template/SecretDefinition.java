package dev.connectorevents.emulator.template;

import java.util.function.Supplier;

/**
 * One {@code AWS::SecretsManager::Secret}.
 *
 * @param name its logical id; in another process with a prefix
 * @param text of its first version; differs at each call
 */
public record SecretDefinition(String name, String arn, Supplier<String> text) {

  static SecretDefinition read(String id, Section properties, String prefix) {
    RandomPassword password = RandomPassword.read(properties.section("GenerateSecretString"));
    return new SecretDefinition(prefix + id, Arn.secret(id), password::make);
  }
}
