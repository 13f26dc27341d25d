package dev.connectorevents.emulator.template;

/**
 * One {@code AWS::SecretsManager::RotationSchedule}, without its schedule: the emulator rotates a
 * secret only on request.
 */
public record RotationDefinition(String secretArn, String functionArn) {
  static RotationDefinition read(String id, Section properties) {
    return new RotationDefinition(
        properties.text("SecretId"), properties.text("RotationLambdaARN"));
  }
}
