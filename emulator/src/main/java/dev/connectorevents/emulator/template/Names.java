package dev.connectorevents.emulator.template;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The values of {@code Ref}, {@code Fn::GetAtt} and {@code Fn::FindInMap} on this machine.
 *
 * @param prefix of the names of tables and secrets in another process; empty for our own
 */
record Names(
    Map<String, Object> parameters,
    Map<String, Object> mappings,
    Section resources,
    String prefix) {

  static final Object NO_VALUE = new Object();

  /** The id of the template's HTTP API. */
  static final String API = "local";

  /** The logical id of the API that SAM creates if the template declares none. */
  static final String IMPLICIT_API = "ServerlessHttpApi";

  private static final Map<String, Object> PSEUDO_PARAMETERS =
      Map.of(
          "AWS::Region",
          Arn.REGION,
          "AWS::AccountId",
          Arn.ACCOUNT,
          "AWS::StackName",
          "emulator",
          "AWS::URLSuffix",
          "amazonaws.com",
          "AWS::NoValue",
          NO_VALUE);

  /** What SAM creates for a function or an API. */
  private static final String MADE_BY_SAM =
      "Role|\\.?Version|\\.?Alias.*|ApiGatewayDefaultStage|Stage";

  Object ref(String where, String name) {
    return Optional.ofNullable(parameters.get(name))
        .or(() -> Optional.ofNullable(PSEUDO_PARAMETERS.get(name)))
        .orElseGet(() -> resource(where, name));
  }

  Object mapped(String where, List<String> keys) {
    @Nullable Object value = mappings;
    for (String key : keys) {
      value = value instanceof Map<?, ?> map ? map.get(key) : null;
    }
    if (value == null) {
      throw new TemplateMistake(where, "no mapping has " + keys);
    }
    return value;
  }

  private String resource(String where, String id) {
    return switch (type(where, id)) {
      // A real ARN ends in random characters. Secrets Manager takes the name instead.
      case "AWS::SecretsManager::Secret" -> prefix.isEmpty() ? Arn.secret(id) : prefix + id;
      case "AWS::DynamoDB::Table" -> prefix + id;
      case "AWS::Serverless::HttpApi" -> API;
      case "AWS::IAM::ManagedPolicy" -> Arn.policy(id);
      default -> id;
    };
  }

  String attribute(String where, String id, String attribute) {
    String type = type(where, id);
    return switch (type + "." + attribute) {
      case "AWS::DynamoDB::Table.Arn" -> Arn.table(prefix + id);
      case "AWS::DynamoDB::Table.StreamArn" -> Arn.stream(prefix + id);
      case "AWS::Serverless::Function.Arn", "AWS::Serverless::Function.Alias" -> Arn.function(id);
      default ->
          switch (type) {
            case "AWS::DynamoDB::Table",
                "AWS::Serverless::Function",
                "AWS::Serverless::HttpApi",
                "AWS::SecretsManager::Secret" ->
                throw new TemplateMistake(where, type + " has no attribute " + attribute);
            default -> Arn.of("local", id + "/" + attribute);
          };
    };
  }

  private String type(String where, String id) {
    if (resources.has(id)) {
      return resources.section(id).text("Type");
    }
    boolean isMadeBySam =
        resources.values().keySet().stream()
            .anyMatch(
                owner -> id.startsWith(owner) && id.substring(owner.length()).matches(MADE_BY_SAM));
    if (isMadeBySam || id.equals(IMPLICIT_API)) {
      return "made by SAM";
    }
    throw new TemplateMistake(where, "refers to " + id + ", which the template does not declare");
  }
}
