package dev.connectorevents.emulator.secretsmanager;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.emulator.secretsmanager.Secret.Version;
import dev.connectorevents.emulator.template.PasswordRules;
import java.util.List;
import java.util.UUID;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Secrets Manager's operations, from the request's JSON to the answer's.
 *
 * @see <a href="https://docs.aws.amazon.com/secretsmanager/latest/apireference/">API reference</a>
 */
record Operations(Secrets secrets, Rotations rotations) {

  ObjectNode run(String operation, JsonNode request) {
    return switch (operation) {
      case "GetSecretValue" -> getSecretValue(request);
      case "DescribeSecret" -> describe(secrets.find(text(request, "SecretId")));
      case "PutSecretValue" -> putSecretValue(request);
      case "UpdateSecretVersionStage" -> updateStage(request);
      case "RotateSecret" -> rotateSecret(request);
      case "ListSecrets" -> listSecrets();
      case "GetRandomPassword" ->
          object().put("RandomPassword", new RandomPassword(rules(request)).make());
      default ->
          throw new ServiceFault("UnknownOperationException", operation + " is not served here");
    };
  }

  private ObjectNode getSecretValue(JsonNode request) {
    var secret = secrets.find(text(request, "SecretId"));
    var stage = optional(request, "VersionStage");
    var versionId = optional(request, "VersionId");
    if (versionId == null) {
      var wanted = stage == null ? Secret.CURRENT : stage;
      versionId =
          secret
              .holder(wanted)
              .orElseThrow(
                  () -> ServiceFault.notFound("secret value for staging label: " + wanted));
    }
    var version = secret.versions().get(versionId);
    if (version == null
        || version.text().isEmpty()
        || (stage != null && !version.stages().contains(stage))) {
      throw ServiceFault.notFound("secret value for VersionId: " + versionId);
    }
    var answer = named(secret).put("VersionId", versionId).put("SecretString", version.text());
    version.stages().forEach(answer.putArray("VersionStages")::add);
    return answer.put("CreatedDate", version.created());
  }

  private ObjectNode putSecretValue(JsonNode request) {
    var token = optional(request, "ClientRequestToken");
    var versionId = token == null ? UUID.randomUUID().toString() : token;
    var text = text(request, "SecretString");
    var stages = stages(request);
    var changed =
        secrets.change(text(request, "SecretId"), secret -> put(secret, versionId, text, stages));
    var answer = named(changed).put("VersionId", versionId);
    var version = changed.versions().get(versionId);
    if (version != null) {
      version.stages().forEach(answer.putArray("VersionStages")::add);
    }
    return answer;
  }

  private Secret put(Secret secret, String versionId, String text, List<String> stages) {
    var existing = secret.versions().get(versionId);
    if (existing != null && !existing.text().isEmpty()) {
      if (existing.text().equals(text)) {
        return secret;
      }
      throw new ServiceFault(
          "ResourceExistsException",
          "You can't modify an existing version, use a new ClientRequestToken.");
    }
    var kept = existing == null ? List.<String>of() : existing.stages();
    var changed = secret.with(versionId, new Version(text, secrets.now(), kept));
    for (var stage : stages) {
      changed = changed.move(stage, versionId);
    }
    return changed;
  }

  private ObjectNode updateStage(JsonNode request) {
    var stage = text(request, "VersionStage");
    var to = optional(request, "MoveToVersionId");
    var from = optional(request, "RemoveFromVersionId");
    return named(
        secrets.change(text(request, "SecretId"), secret -> moved(secret, stage, from, to)));
  }

  private static Secret moved(
      Secret secret, String stage, @Nullable String from, @Nullable String to) {
    if (to != null && !secret.versions().containsKey(to)) {
      throw ServiceFault.notFound("secret version " + to);
    }
    var holder = secret.holder(stage).orElse(null);
    if (holder != null && !holder.equals(to) && !holder.equals(from)) {
      throw ServiceFault.invalid(
          "The parameter RemoveFromVersionId can't be empty. Staging label %s is currently attached to version %s, so you must explicitly reference that version in RemoveFromVersionId."
              .formatted(stage, holder));
    }
    if (from != null && !from.equals(holder)) {
      throw ServiceFault.invalid(
          "The staging label %s is not attached to version %s.".formatted(stage, from));
    }
    return secret.move(stage, to);
  }

  private ObjectNode rotateSecret(JsonNode request) {
    var secret = secrets.find(text(request, "SecretId"));
    var token = optional(request, "ClientRequestToken");
    var version = rotations.rotate(secret, token == null ? UUID.randomUUID().toString() : token);
    return named(secret).put("VersionId", version);
  }

  private ObjectNode listSecrets() {
    var answer = object();
    var list = answer.putArray("SecretList");
    secrets.all().forEach(secret -> list.add(describe(secret)));
    return answer;
  }

  private ObjectNode describe(Secret secret) {
    var answer = named(secret).put("CreatedDate", secret.created());
    var function = rotations.functionFor(secret);
    function.ifPresent(arn -> answer.put("RotationEnabled", true).put("RotationLambdaARN", arn));
    var versions = answer.putObject("VersionIdsToStages");
    secret.versions().entrySet().stream()
        // As on AWS: a version without a stage is deprecated, and not shown.
        .filter(each -> !each.getValue().stages().isEmpty())
        .forEach(each -> each.getValue().stages().forEach(versions.putArray(each.getKey())::add));
    return answer;
  }

  private static PasswordRules rules(JsonNode request) {
    return new PasswordRules(
        request.path("PasswordLength").asInt(32),
        request.path("ExcludeCharacters").asText(""),
        request.path("ExcludeLowercase").asBoolean(),
        request.path("ExcludeUppercase").asBoolean(),
        request.path("ExcludeNumbers").asBoolean(),
        request.path("ExcludePunctuation").asBoolean(),
        request.path("IncludeSpace").asBoolean());
  }

  private static List<String> stages(JsonNode request) {
    var given = request.path("VersionStages");
    return given.isEmpty()
        ? List.of(Secret.CURRENT)
        : StreamSupport.stream(given.spliterator(), false).map(JsonNode::asText).toList();
  }

  private static ObjectNode named(Secret secret) {
    return object().put("ARN", secret.arn()).put("Name", secret.name());
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  private static String text(JsonNode request, String name) {
    var value = optional(request, name);
    if (value == null) {
      throw ServiceFault.invalid("You must provide a value for the " + name + " parameter.");
    }
    return value;
  }

  private static @Nullable String optional(JsonNode request, String name) {
    return request.path(name).textValue();
  }
}
