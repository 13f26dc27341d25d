package dev.connectorevents.emulator.template;

import java.util.Optional;

/**
 * One `AWS::SecretsManager::Secret`.
 *
 * @param name its Name, or else the logical id; elsewhere that with a prefix
 * @param content the text of its first version, or how that is made
 */
public record SecretDefinition(String name, String arn, Content content) {

  /** Where a secret's first version comes from. */
  public sealed interface Content {
    /** It stands in the template. */
    record Written(String text) implements Content {}

    /**
     * `GenerateSecretString`: random, and perhaps one value in a JSON text.
     *
     * @param json the text and the key under which the random value goes into it
     */
    record Generated(PasswordRules rules, Optional<JsonPlace> json) implements Content {}
  }

  /** `SecretStringTemplate` and `GenerateStringKey`, which only come together. */
  public record JsonPlace(String template, String key) {}

  static SecretDefinition read(String id, Section properties, String prefix) {
    var name =
        properties.optionalText("Name").filter(given -> prefix.isEmpty()).orElse(prefix + id);
    return new SecretDefinition(name, Arn.secret(id), content(properties));
  }

  private static Content content(Section properties) {
    if (properties.has("SecretString")) {
      return new Content.Written(properties.text("SecretString"));
    }
    var generate = properties.section("GenerateSecretString");
    return new Content.Generated(
        PasswordRules.read(generate),
        generate
            .optionalText("SecretStringTemplate")
            .map(template -> new JsonPlace(template, generate.text("GenerateStringKey"))));
  }
}
