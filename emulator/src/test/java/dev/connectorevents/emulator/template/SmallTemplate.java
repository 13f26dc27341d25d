package dev.connectorevents.emulator.template;

import java.util.Map;

/**
 * A template that tests change. It has two functions, one of them only in production, a table and a
 * secret.
 */
final class SmallTemplate {

  /**
   * The template's text. {@code %s} stands for the value of the function's variable {@code VALUE}.
   */
  static final String TEXT =
      """
      Parameters:
        Stage: { Type: String, Default: test, AllowedValues: [test, prod] }
        Days: { Type: Number, Default: 7, MinValue: 1, MaxValue: 90 }
        Short: { Type: String, Default: "", MaxLength: 3 }
      Mappings:
        Sizes: { test: { Small: 3 }, prod: { Small: 9 } }
      Conditions:
        IsProd: !Equals [!Ref Stage, prod]
        IsNotProd: !Not [!Condition IsProd]
        Both: !And [!Condition IsProd, !Condition IsNotProd]
      Globals:
        Function:
          Timeout: 15
          Environment: { Variables: { TABLE: !Ref Things, VALUE: shared } }
      Resources:
        One:
          Type: AWS::Serverless::Function
          Properties:
            Handler: a.One
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
