package dev.connectorevents.emulator.template;

import java.util.Map;

/** A template with a function, a table and a secret, which tests change. */
final class SmallTemplate {

  /** {@code %s} is the value of the function's environment variable {@code VALUE}. */
  static final String TEXT =
      """
      Parameters:
        Stage: { Type: String, Default: test, AllowedValues: [test, prod] }
        Days: { Type: Number, Default: 7, MinValue: 1, MaxValue: 90 }
        Short: { Type: String, Default: "", MaxLength: 3 }
      Conditions:
        IsProd: !Equals [!Ref Stage, prod]
        IsNotProd: !Not [!Condition IsProd]
        Both: !And [!Condition IsProd, !Condition IsNotProd]
        Either: !Or [!Condition IsProd, !Condition IsNotProd]
      Globals:
        Function:
          Timeout: 15
          Environment: { Variables: { TABLE: !Ref Things, VALUE: shared } }
      Resources:
        One:
          Type: AWS::Serverless::Function
          Properties:
            Handler: a.One
            FunctionName: !Sub one-${Stage}
            Environment: { Variables: { VALUE: %s } }
            Events:
              Get: { Type: HttpApi, Properties: { Method: get, Path: /one } }
        OnlyInProd:
          Type: AWS::Serverless::Function
          Condition: IsProd
          Properties: { Handler: a.Two }
        Things:
          Type: AWS::DynamoDB::Table
          Properties:
            AttributeDefinitions: [{ AttributeName: id, AttributeType: S }]
            KeySchema: [{ AttributeName: id, KeyType: HASH }]
        Secret:
          Type: AWS::SecretsManager::Secret
      """;

  private SmallTemplate() {}

  static Template read(String text, Map<String, String> parameters) {
    return Template.parse("template.yaml", text, parameters, "");
  }
}
