package dev.connectorevents.emulator.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A template may use only what the emulator reads, and a few names that change nothing here. */
class UnreadTest {

  private static final String TEMPLATE =
      """
      AWSTemplateFormatVersion: "2010-09-09"
      Transform: AWS::Serverless-2016-10-31
      Parameters:
        Days: { Type: Number, Default: 7 }
      Globals:
        Function: { Timeout: 15 }
      Resources:
        Api:
          Type: AWS::Serverless::HttpApi
          Properties:
            DefaultRouteSettings: { ThrottlingRateLimit: 9, ThrottlingBurstLimit: 8 }
        One:
          Type: AWS::Serverless::Function
          Properties:
            Handler: a.One
            Runtime: java25
            Environment: { Variables: { DAYS: !Ref Days } }
            Policies:
              - Version: "2012-10-17"
                Statement: [{ Effect: Allow, Action: "dynamodb:GetItem", Resource: "*" }]
              - !Ref Shared
            Events:
              Get: { Type: HttpApi, Properties: { ApiId: !Ref Api, Method: GET, Path: /one } }
        Shared:
          Type: AWS::IAM::ManagedPolicy
          Properties:
            PolicyDocument:
              Version: "2012-10-17"
              Statement: [{ Effect: Allow, Action: "dynamodb:Query", Resource: "*" }]
        Things:
          Type: AWS::DynamoDB::Table
          Properties:
            AttributeDefinitions: [{ AttributeName: id, AttributeType: S }]
            KeySchema: [{ AttributeName: id, KeyType: HASH }]
            GlobalSecondaryIndexes:
              - IndexName: by_id
                KeySchema: [{ AttributeName: id, KeyType: HASH }]
                Projection: { ProjectionType: ALL }
            StreamSpecification: { StreamViewType: NEW_IMAGE }
            TimeToLiveSpecification: { AttributeName: end, Enabled: true }
        Secret:
          Type: AWS::SecretsManager::Secret
          Properties:
            GenerateSecretString: { PasswordLength: 64 }
        Rotation:
          Type: AWS::SecretsManager::RotationSchedule
          Properties: { SecretId: !Ref Secret, RotationLambdaARN: !GetAtt One.Arn }
      Outputs:
        Table: { Value: !Ref Things }
      """;

  /**
   * @param right a text of the template
   * @param wrong replaces it; # stands for a line break
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Globals: | Rules: {}#Globals: | the template: there is no setting Rules here",
        "AWS::Serverless-2016-10-31 | AWS::LanguageExtensions | Transform: only AWS::Serverless-2016-10-31 is known here",
        "AWS::Serverless-2016-10-31 | [Mine, Yours] | Transform: one value is expected: [Mine, Yours]",
        "Default: 7 | Default: 7, MinLength: 1 | Parameters.Days: there is no setting MinLength here",
        "Globals: | Globals:#  Api: { Cors: '*' } | Globals: there is no setting Api here, only [Function]",
        "Runtime: java25 | Layers: [a] | Resources.One.Properties: there is no setting Layers here",
        "Runtime: java25 | Runtime: python3.13 | Resources.One.Properties.Runtime: python3.13 is not known here",
        "{ Variables: | { Secrets: {}, Variables: | Resources.One.Properties.Environment: there is no setting Secrets",
        "Type: HttpApi | Type: Api | Resources.One.Properties.Events.Get.Type: only HttpApi and Schedule are known here",
        "Type: HttpApi, Properties: { ApiId: !Ref Api, Method: GET, Path: /one } | Type: Schedule, Properties: { Schedule: rate(1 hour) } | Resources.One.Properties.Events.Get.Properties.Schedule: only a rate in minutes is known here",
        "Path: /one | Path: /one, Auth: {} | Resources.One.Properties.Events.Get.Properties: there is no setting Auth",
        "ApiId: !Ref Api | ApiId: k3x9 | Events.Get.Properties.ApiId: only the template's API is served here",
        "- Version | - Id: x#          Version | Resources.One.Properties.Policies[0]: there is no setting Id here",
        "- Version | - AWSLambdaBasicExecutionRole#        - Version | Policies[0]: the template has no managed policy AWSLambda",
        "- !Ref Shared | - !GetAtt Shared.PolicyName | Policies[1]: the template has no managed policy arn:aws:local:",
        "- !Ref Shared | - [a] | Resources.One.Properties.Policies[1]: a map is expected, not [a]",
        "PolicyDocument: | ManagedPolicyName: a#      PolicyDocument: | Shared.Properties: there is no setting ManagedPolicyName",
        "- Version | - DynamoDBReadPolicy: {}#        - Version | Policies[0]: only policies with Version 2012-10-17 are known",
        "{ Effect: | { NotResource: x, Effect: | Policies[0].Statement[0]: there is no setting NotResource here",
        "{ Effect: | { Condition: { StringEquals: { 'dynamodb:Select': A } }, Effect: | StringEquals.dynamodb:Select: only these conditions are known here",
        "Effect: Allow | Effect: Deny | Statement[0].Effect: only Allow is known here",
        "DefaultRouteSettings: | CorsConfiguration: true#      DefaultRouteSettings: | Api.Properties: there is no setting CorsConfiguration",
        "ThrottlingRateLimit: 9 | Burst: 1, ThrottlingRateLimit: 9 | DefaultRouteSettings: there is no setting Burst here",
        "KeySchema: | TableName: t#      KeySchema: | Resources.Things.Properties: there is no setting TableName here",
        "KeyType: HASH | KeyType: HASH, Name: x | Resources.Things.Properties.KeySchema[0].Name: CreateTable has no such name",
        "ProjectionType: ALL | Type: ALL | GlobalSecondaryIndexes[0].Projection.Type: CreateTable has no such name",
        "{ StreamViewType: | { Enabled: true, StreamViewType: | StreamSpecification.Enabled: CreateTable has no such name",
        "{ AttributeName: end | { Name: x, AttributeName: end | TimeToLiveSpecification: there is no setting Name here",
        "GenerateSecretString: | ReplicaRegions: []#      GenerateSecretString: | Secret.Properties: there is no setting Repl",
        "{ Value: | { Sensitive: true, Value: | Outputs.Table: there is no setting Sensitive here, only [Condition, Value]",
        "Type: AWS::DynamoDB::Table | Type: AWS::S3::Bucket | Resources.Things.Type: AWS::S3::Bucket is not known here",
        "Type: AWS::SecretsManager::Secret | CreationPolicy: {}#    Type: AWS::SecretsManager::Secret | Resources.Secret: there is no setting CreationPolicy",
        "!Ref Days | !ImportValue other | the intrinsic Fn::ImportValue is not known",
        "!Ref Days | !GetAtt Api.ApiId | AWS::Serverless::HttpApi has no attribute ApiId",
        "!Ref Days | !Ref AWS::NotificationARNs | DAYS: refers to AWS::NotificationARNs",
        "!Ref Days | { Ref: Days, Other: x } | DAYS: an intrinsic must be the only entry of its map",
      })
  void what_the_emulator_does_not_know_is_refused_by_name(
      String right, String wrong, String message) {
    assertThat(TEMPLATE).contains(right);
    String planted = Matcher.quoteReplacement(wrong.replace('#', '\n'));
    String template = TEMPLATE.replaceFirst(Pattern.quote(right), planted);

    assertThatExceptionOfType(TemplateMistake.class)
        .isThrownBy(() -> parse(template))
        .withMessageContaining(message);
  }

  @Test
  void a_resource_is_refused_even_if_its_condition_does_not_hold() {
    String bucket =
        """
        Conditions:
          Never: !Equals [a, b]
        Resources:
          Bucket: { Type: AWS::S3::Bucket, Condition: Never }
        """;

    assertThatExceptionOfType(TemplateMistake.class)
        .isThrownBy(() -> parse(bucket))
        .withMessageContaining("Resources.Bucket.Type: AWS::S3::Bucket is not known here");
  }

  @Test
  void a_setting_is_refused_even_if_only_an_unused_default_has_it() {
    String globals = "Globals:\n  Function: { Layers: [a] }\nResources: {}\n";

    assertThatExceptionOfType(TemplateMistake.class)
        .isThrownBy(() -> parse(globals))
        .withMessageContaining("Globals.Function: there is no setting Layers here");
  }

  private static Template parse(String text) {
    return Template.parse("template.yaml", text, Map.of(), "");
  }
}
