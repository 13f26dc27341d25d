package dev.connectorevents.emulator.template;

import java.util.Map;
import java.util.Optional;

/**
 * Knows what the names of a template stand for on this machine: `Ref` and `Fn::GetAtt`.
 *
 * @param prefix of the names of tables and secrets that are made elsewhere; empty for those in here
 */
record Names(Map<String, Object> parameters, Section resources, String prefix) {
  static final Object NO_VALUE = new Object();

  Object ref(String where, String name) {
    var parameter = parameters.get(name);
    if (parameter != null) {
      return parameter;
    }
    return pseudo(name)
        .or(() -> resource(name))
        .orElseThrow(
            () -> new TemplateMistake(where, "refers to " + name + ", which is not in here"));
  }

  private static Optional<Object> pseudo(String name) {
    return switch (name) {
      case "AWS::Region" -> Optional.of(Arn.REGION);
      case "AWS::AccountId" -> Optional.of(Arn.ACCOUNT);
      case "AWS::StackName" -> Optional.of("emulator");
      case "AWS::StackId" -> Optional.of(Arn.of("cloudformation", "stack/emulator"));
      case "AWS::Partition" -> Optional.of("aws");
      case "AWS::URLSuffix" -> Optional.of("amazonaws.com");
      case "AWS::NoValue" -> Optional.of(NO_VALUE);
      default -> Optional.empty();
    };
  }

  private Optional<Object> resource(String id) {
    if (!resources.has(id)) {
      return madeBySam(id) ? Optional.of(id) : Optional.empty();
    }
    return Optional.of(
        switch (type(id)) {
          // Elsewhere an ARN ends in random characters; Secrets Manager takes the name for it.
          case "AWS::SecretsManager::Secret" -> prefix.isEmpty() ? Arn.secret(id) : prefix + id;
          case "AWS::DynamoDB::Table" -> prefix + id;
          case "AWS::Serverless::HttpApi" -> "local";
          case "AWS::SNS::Topic" -> Arn.of("sns", id);
          default -> id;
        });
  }

  String attribute(String where, String id, String attribute) {
    if (!resources.has(id) && !madeBySam(id)) {
      throw new TemplateMistake(where, "refers to " + id + ", which is not in here");
    }
    return switch (type(id) + "." + attribute) {
      case "AWS::DynamoDB::Table.Arn" -> Arn.table(prefix + id);
      case "AWS::DynamoDB::Table.StreamArn" ->
          Arn.of("dynamodb", "table/" + prefix + id + "/stream/local");
      case "AWS::Serverless::Function.Arn" -> Arn.function(id);
      case "AWS::SecretsManager::Secret.Id" -> String.valueOf(ref(where, id));
      case "AWS::Serverless::HttpApi.ApiEndpoint" -> "http://localhost";
      case String known
          when known.startsWith("AWS::DynamoDB::Table.")
              || known.startsWith("AWS::Serverless::Function.")
              || known.startsWith("AWS::SecretsManager::Secret.") ->
          throw new TemplateMistake(where, type(id) + " has no attribute " + attribute);
      default -> Arn.of("local", id + "/" + attribute);
    };
  }

  /** What SAM adds beside a function or an API when it expands the template. */
  private boolean madeBySam(String id) {
    return id.equals("ServerlessHttpApi")
        || resources.values().keySet().stream()
            .filter(id::startsWith)
            .anyMatch(owner ->
                id.substring(owner.length())
                    .matches("Role|\\.?Version|\\.?Alias.*|ApiGatewayDefaultStage|Stage"));
  }

  private String type(String id) {
    return resources.has(id) ? resources.section(id).text("Type") : "made by SAM";
  }
}
