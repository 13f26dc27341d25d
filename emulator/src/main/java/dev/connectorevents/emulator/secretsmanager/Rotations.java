package dev.connectorevents.emulator.secretsmanager;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.connectorevents.emulator.template.RotationDefinition;
import java.util.List;
import java.util.Optional;

/**
 * Rotates a secret as Secrets Manager does: a version that is pending and has no value yet, then
 * the function's four steps. Unlike there the caller waits for them, and hears of a failure.
 *
 * @see <a
 *     href="https://docs.aws.amazon.com/secretsmanager/latest/userguide/rotate-secrets_lambda-functions.html">
 *     Rotation by Lambda function</a>
 */
record Rotations(Secrets secrets, List<RotationDefinition> definitions, Rotator rotator) {
  private static final List<String> STEPS =
      List.of("createSecret", "setSecret", "testSecret", "finishSecret");

  /** The function that rotates a secret. */
  Optional<String> functionFor(Secret secret) {
    return definitions.stream()
        .filter(each -> each.secretArn().equals(secret.arn()))
        .map(RotationDefinition::functionArn)
        .findFirst();
  }

  /**
   * Rotates it now.
   *
   * @param token names the new version; a rotation that failed is taken up under its own name
   * @return the new version
   */
  String rotate(Secret secret, String token) {
    var functionArn =
        functionFor(secret)
            .orElseThrow(() ->
                new ServiceFault(
                    "InvalidRequestException",
                    "No Lambda rotation function ARN is associated with this secret."));
    var changed = secrets.change(secret.arn(), each -> stage(each, token));
    var version = changed.holder(Secret.PENDING).orElseThrow();
    for (var step : STEPS) {
      var event =
          JsonNodeFactory.instance
              .objectNode()
              .put("Step", step)
              .put("SecretId", secret.arn())
              .put("ClientRequestToken", version);
      rotator
          .invoke(functionArn, event.toString())
          .ifPresent(error -> {
            throw new ServiceFault(
                "InvalidRequestException",
                "The rotation failed at %s: %s. Rotate again to take it up."
                    .formatted(step, error));
          });
    }
    return version;
  }

  private Secret stage(Secret secret, String token) {
    var pending = secret.holder(Secret.PENDING);
    if (pending.isPresent() && !pending.equals(secret.holder(Secret.CURRENT))) {
      return secret;
    }
    return secret.versions().containsKey(token)
        ? secret
        : secret
            .with(token, new Secret.Version("", secrets.now(), List.of()))
            .move(Secret.PENDING, token);
  }
}
