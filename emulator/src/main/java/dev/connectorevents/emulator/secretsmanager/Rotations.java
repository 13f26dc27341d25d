package dev.connectorevents.emulator.secretsmanager;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.connectorevents.emulator.function.FunctionInvoker;
import dev.connectorevents.emulator.template.RotationDefinition;
import java.util.List;
import java.util.Optional;

/**
 * Rotates secrets: calls the function that the template names, once for each step.
 *
 * @see <a
 *     href="https://docs.aws.amazon.com/secretsmanager/latest/userguide/rotate-secrets_lambda-functions.html">
 *     Rotation by Lambda function</a>
 */
record Rotations(Secrets secrets, List<RotationDefinition> definitions, FunctionInvoker invoker) {

  private static final List<String> STEPS =
      List.of("createSecret", "setSecret", "testSecret", "finishSecret");

  /** The ARN of the function that rotates a secret. */
  Optional<String> functionFor(Secret secret) {
    return definitions.stream()
        .filter(each -> each.secretArn().equals(secret.arn()))
        .map(RotationDefinition::functionArn)
        .findFirst();
  }

  /**
   * Rotates a secret now.
   *
   * @param token names the new version, unless a failed rotation has left one: that one continues
   * @return the new version
   */
  String rotate(Secret secret, String token) {
    String function =
        functionFor(secret)
            .orElseThrow(
                () -> fault("No Lambda rotation function ARN is associated with this secret."));
    Secret staged = secrets.change(secret.arn(), each -> stage(each, token));
    String version = staged.versionIdWith(Secret.PENDING).orElseThrow();
    for (String step : STEPS) {
      String event =
          JsonNodeFactory.instance
              .objectNode()
              .put("Step", step)
              .put("SecretId", secret.arn())
              .put("ClientRequestToken", version)
              .toString();
      invoker
          .invoke(function, event.getBytes(UTF_8))
          .error()
          .ifPresent(error -> {
            throw fault(
                "The rotation failed at %s: %s. Rotate again to continue it."
                    .formatted(step, error));
          });
    }
    return version;
  }

  private Secret stage(Secret secret, String token) {
    Optional<String> pending = secret.versionIdWith(Secret.PENDING);
    boolean isUnfinished =
        pending.isPresent() && !pending.equals(secret.versionIdWith(Secret.CURRENT));
    return isUnfinished || secret.versions().containsKey(token)
        ? secret
        : secret
            .with(token, new Secret.Version("", secrets.now(), List.of()))
            .move(Secret.PENDING, token);
  }

  private static ServiceFault fault(String message) {
    return new ServiceFault("InvalidRequestException", message);
  }
}
