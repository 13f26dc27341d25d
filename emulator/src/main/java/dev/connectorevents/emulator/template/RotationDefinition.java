package dev.connectorevents.emulator.template;

/**
 * One `AWS::SecretsManager::RotationSchedule`: which function rotates a secret. When it does so is
 * left to whoever asks for it, since nothing runs for days here.
 */
public record RotationDefinition(String secretArn, String functionArn) {

  static RotationDefinition read(String id, Section properties) {
    return new RotationDefinition(
        properties.text("SecretId"), properties.text("RotationLambdaARN"));
  }
}
