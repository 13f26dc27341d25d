package dev.connectorevents.emulator.secretsmanager;

import dev.connectorevents.emulator.secretsmanager.Secret.Version;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Secrets Manager's operations. Their answers become JSON.
 *
 * @see <a href="https://docs.aws.amazon.com/secretsmanager/latest/apireference/">API reference</a>
 */
record Operations(Secrets secrets, Rotations rotations) {

  Map<String, ?> run(String operation, OperationParameters parameters) {
    return switch (operation) {
      case "GetSecretValue" -> getSecretValue(parameters);
      case "DescribeSecret" -> describe(find(parameters));
      case "PutSecretValue" -> putSecretValue(parameters);
      case "UpdateSecretVersionStage" -> updateStage(parameters);
      case "RotateSecret" -> rotate(parameters);
      case "ListSecrets" ->
          Map.of("SecretList", secrets.all().stream().map(this::describe).toList());
      default ->
          throw new ServiceFault("UnknownOperationException", operation + " is not served here");
    };
  }

  private Map<String, ?> getSecretValue(OperationParameters parameters) {
    Secret secret = find(parameters);
    String stage = parameters.versionStage();
    String versionId = parameters.versionId();
    if (versionId == null) {
      String wanted = Objects.requireNonNullElse(stage, Secret.CURRENT);
      versionId =
          secret
              .versionIdWith(wanted)
              .orElseThrow(
                  () -> ServiceFault.notFound("secret value for staging label: " + wanted));
    }
    Version version = secret.versions().get(versionId);
    if (version == null
        || version.text().isEmpty()
        || (stage != null && !version.stages().contains(stage))) {
      throw ServiceFault.notFound("secret value for VersionId: " + versionId);
    }
    Map<String, Object> answer = named(secret);
    answer.put("VersionId", versionId);
    answer.put("SecretString", version.text());
    answer.put("VersionStages", version.stages());
    answer.put("CreatedDate", version.created());
    return answer;
  }

  private Map<String, ?> putSecretValue(OperationParameters parameters) {
    String versionId = newVersionId(parameters);
    String text = OperationParameters.required("SecretString", parameters.secretString());
    List<String> stages =
        Objects.requireNonNullElse(parameters.versionStages(), List.of(Secret.CURRENT));
    Secret changed =
        secrets.change(find(parameters).arn(), secret -> put(secret, versionId, text, stages));
    Map<String, Object> answer = named(changed);
    answer.put("VersionId", versionId);
    answer.put("VersionStages", stages);
    return answer;
  }

  private Secret put(Secret secret, String versionId, String text, List<String> stages) {
    Version existing = secret.versions().get(versionId);
    if (existing != null && !existing.text().isEmpty()) {
      if (existing.text().equals(text)) {
        return secret;
      }
      throw new ServiceFault(
          "ResourceExistsException",
          "You can't modify an existing version, use a new ClientRequestToken.");
    }
    List<String> kept = existing == null ? List.of() : existing.stages();
    Secret changed = secret.with(versionId, new Version(text, secrets.now(), kept));
    for (String stage : stages) {
      changed = changed.move(stage, versionId);
    }
    return changed;
  }

  private Map<String, ?> updateStage(OperationParameters parameters) {
    String stage = OperationParameters.required("VersionStage", parameters.versionStage());
    String from = parameters.removeFromVersionId();
    String to = parameters.moveToVersionId();
    return named(secrets.change(find(parameters).arn(), secret -> moved(secret, stage, from, to)));
  }

  private static Secret moved(
      Secret secret, String stage, @Nullable String from, @Nullable String to) {
    if (to != null && !secret.versions().containsKey(to)) {
      throw ServiceFault.notFound("secret version " + to);
    }
    String holder = secret.versionIdWith(stage).orElse(null);
    if (holder != null && !holder.equals(to) && !holder.equals(from)) {
      throw ServiceFault.invalid(
          "Staging label %s is attached to version %s. RemoveFromVersionId must name that version."
              .formatted(stage, holder));
    }
    if (from != null && !from.equals(holder)) {
      throw ServiceFault.invalid(
          "Staging label %s is not attached to version %s.".formatted(stage, from));
    }
    return secret.move(stage, to);
  }

  private Map<String, ?> rotate(OperationParameters parameters) {
    Secret secret = find(parameters);
    Map<String, Object> answer = named(secret);
    answer.put("VersionId", rotations.rotate(secret, newVersionId(parameters)));
    return answer;
  }

  private Map<String, ?> describe(Secret secret) {
    Map<String, Object> answer = named(secret);
    answer.put("CreatedDate", secret.created());
    rotations
        .functionFor(secret)
        .ifPresent(arn -> {
          answer.put("RotationEnabled", true);
          answer.put("RotationLambdaARN", arn);
        });
    Map<String, List<String>> stages = new LinkedHashMap<>();
    secret.versions().forEach((id, version) -> stages.put(id, version.stages()));
    // As on AWS, a version without a stage is deprecated and not listed.
    stages.values().removeIf(List::isEmpty);
    answer.put("VersionIdsToStages", stages);
    return answer;
  }

  private Secret find(OperationParameters parameters) {
    return secrets.find(OperationParameters.required("SecretId", parameters.secretId()));
  }

  private static String newVersionId(OperationParameters parameters) {
    return Objects.requireNonNullElseGet(
        parameters.clientRequestToken(), () -> UUID.randomUUID().toString());
  }

  private static Map<String, Object> named(Secret secret) {
    return new LinkedHashMap<>(Map.of("ARN", secret.arn(), "Name", secret.name()));
  }
}
