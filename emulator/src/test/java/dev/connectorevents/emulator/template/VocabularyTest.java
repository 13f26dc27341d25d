package dev.connectorevents.emulator.template;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A template may use only the resource types, properties and values that the emulator knows. Some
 * of them have no effect in the emulator.
 */
class VocabularyTest {

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
        "Globals: | Mappings: {}#Globals: | the template: there is no setting Mappings here",
        "Globals: | Rules: {}#Globals: | the template: there is no setting Rules here",
        "AWS::Serverless-2016-10-31 | AWS::LanguageExtensions | Transform: AWS::LanguageExtensions is not known",
        "AWS::Serverless-2016-10-31 | [Mine, Yours] | Transform: one value is expected: [Mine, Yours]",
        "Default: 7 | Default: 7, MinLength: 1 | Parameters.Days: there is no setting MinLength here",
        "Type: Number | Type: List<Number> | Parameters.Days.Type: List<Number> is not known here",
        "Globals: | Globals:#  Api: { Cors: '*' } | Globals: there is no setting Api here, only [Function]",
        "Timeout: 15 | Layers: [a] | Globals.Function: there is no setting Layers here",
        "Runtime: java25 | Layers: [a] | Resources.One.Properties: there is no setting Layers here",
        "Runtime: java25 | VpcConfig: {} | Resources.One.Properties: there is no setting VpcConfig here",
        "Runtime: java25 | PackageType: Image | Resources.One.Properties: there is no setting PackageType here",
        "Runtime: java25 | Runtime: python3.13 | Resources.One.Properties.Runtime: python3.13 is not known here",
        "{ Variables: | { Secrets: {}, Variables: | Resources.One.Properties.Environment: there is no setting Secrets",
        "Type: HttpApi | Type: Api | Resources.One.Properties.Events.Get.Type: Api is not known here, only [HttpApi]",
        "Type: HttpApi | Type: Schedule | Resources.One.Properties.Events.Get.Type: Schedule is not known here",
        "Type: HttpApi | Type: HttpApi, Auth: x | Resources.One.Properties.Events.Get: there is no setting Auth",
        "Path: /one | Path: /one, Auth: {} | Resources.One.Properties.Events.Get.Properties: there is no setting Auth",
        "ApiId: !Ref Api | ApiId: k3x9 | Events.Get.Properties.ApiId: only the template's API is served here",
        "- Version | - Id: x#          Version | Resources.One.Properties.Policies[0]: there is no setting Id here",
        "- Version | - AWSLambdaBasicExecutionRole#        - Version | Policies[0]: the template has no managed policy AWSLambda",
        "- !Ref Shared | - !Ref Things | Policies[1]: the template has no managed policy Things, only [arn:aws:iam::",
        "- !Ref Shared | - !GetAtt Shared.PolicyName | Policies[1]: the template has no managed policy arn:aws:local:",
        "- !Ref Shared | - [a] | Resources.One.Properties.Policies[1]: a map is expected, not [a]",
        "PolicyDocument: | ManagedPolicyName: a#      PolicyDocument: | Shared.Properties: there is no setting ManagedPolicyName",
        "PolicyDocument: | Roles: [a]#      PolicyDocument: | Resources.Shared.Properties: there is no setting Roles here",
        "PolicyDocument: | PolicyDocument:#        Id: x | Shared.Properties.PolicyDocument: there is no setting Id",
        "- Version | - DynamoDBReadPolicy: {}#        - Version | Policies[0]: there is no setting DynamoDBReadPolicy",
        "{ Effect: | { NotResource: x, Effect: | Policies[0].Statement[0]: only Effect Allow, Action",
        "DefaultRouteSettings: | CorsConfiguration: true#      DefaultRouteSettings: | Api.Properties: there is no setting CorsConfiguration",
        "ThrottlingRateLimit: 9 | ThrottlingRate: 9 | DefaultRouteSettings: there is no setting ThrottlingRate here",
        "KeySchema: | TableName: t#      KeySchema: | Resources.Things.Properties: there is no setting TableName here",
        "KeySchema: | ProvisionedThroughput: {}#      KeySchema: | there is no setting ProvisionedThroughput here",
        "AttributeType: S | AttributeType: S, Name: x | AttributeDefinitions[0]: there is no setting Name here",
        "KeyType: HASH | KeyType: HASH, Name: x | Resources.Things.Properties.KeySchema[0]: there is no setting Name",
        "IndexName: | ProvisionedThroughput: {}#          IndexName: | GlobalSecondaryIndexes[0]: there is no setting Prov",
        "ProjectionType: ALL | Type: ALL | GlobalSecondaryIndexes[0].Projection: there is no setting Type here",
        "{ StreamViewType: | { Enabled: true, StreamViewType: | StreamSpecification: there is no setting Enabled here",
        "{ AttributeName: end | { Name: x, AttributeName: end | TimeToLiveSpecification: there is no setting Name here",
        "GenerateSecretString: | ReplicaRegions: []#      GenerateSecretString: | Secret.Properties: there is no setting Repl",
        "PasswordLength: 64 | RequireEachIncludedType: true | GenerateSecretString: there is no setting RequireEach",
        "{ SecretId: | { HostedRotationLambda: {}, SecretId: | Rotation.Properties: there is no setting HostedRotation",
        "{ Value: | { Sensitive: true, Value: | Outputs.Table: there is no setting Sensitive here, only [Value]",
        "Type: AWS::DynamoDB::Table | Type: AWS::S3::Bucket | Resources.Things.Type: AWS::S3::Bucket is not known here",
        "Type: AWS::DynamoDB::Table | Type: AWS::Serverless::SimpleTable | AWS::Serverless::SimpleTable is not known here",
        "Type: AWS::Serverless::HttpApi | Type: AWS::Serverless::Api | AWS::Serverless::Api is not known here, only [AWS::D",
        "Type: AWS::SecretsManager::Secret | CreationPolicy: {} | Resources.Secret: there is no setting CreationPolicy",
        "!Ref Days | !FindInMap [a, b, c] | the intrinsic Fn::FindInMap is not known",
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

  @ParameterizedTest
  @CsvSource({
    "TEMPLATE, 'Parameters:', ''",
    "PARAMETER, 'Days: { ', '    '",
    "OUTPUT, 'Table: { ', '    '",
    "RESOURCE, 'Type: AWS::DynamoDB::Table', '    '",
    "FUNCTION, 'Handler: a.One', '      '",
    "FUNCTION, 'Function: { ', '    '",
    "HTTP_API, 'DefaultRouteSettings:', '      '",
    "ROUTE_SETTINGS, 'DefaultRouteSettings: { ', '        '",
    "TABLE, 'KeySchema:', '      '",
    "INDEX, 'IndexName:', '          '",
    "SECRET, 'GenerateSecretString:', '      '",
    "ROTATION, 'Properties: { SecretId', '      '",
  })
  void what_has_no_effect_is_accepted(Vocabulary part, String place, String indent) {
    boolean isInline = place.contains("{");
    String settings =
        part.withoutEffect.stream()
            .filter(name -> !TEMPLATE.contains(name + ":"))
            .map(name -> name + ": {}" + (isInline ? ", " : "\n" + indent))
            .collect(joining());
    int at = TEMPLATE.indexOf(place) + (isInline ? place.indexOf('{') + 2 : 0);

    Template template = parse(TEMPLATE.substring(0, at) + settings + TEMPLATE.substring(at));

    assertThat(settings).isNotEmpty();
    assertIsAsWithoutThem(template);
  }

  @Test
  void a_resource_without_effect_is_accepted() {
    String resources =
        Vocabulary.RESOURCE_TYPE.withoutEffect.stream()
            .map(type -> "  %s:\n    Type: %s\n".formatted(type.replace("::", ""), type))
            .collect(joining());

    assertIsAsWithoutThem(parse(TEMPLATE.replace("Resources:\n", "Resources:\n" + resources)));
  }

  @ParameterizedTest
  @EnumSource
  void the_documentation_names_the_whole_vocabulary(Vocabulary part) throws IOException {
    assertThat(Files.readAllLines(Path.of("../docs/running-locally.md")))
        .contains(
            "| %s | %s | %s |".formatted(part.owner, code(part.used), code(part.withoutEffect)));
  }

  private static void assertIsAsWithoutThem(Template template) {
    Template without = parse(TEMPLATE);
    assertThat(template.functions()).isEqualTo(without.functions());
    assertThat(template.tables()).isEqualTo(without.tables());
    assertThat(template.rotations()).isEqualTo(without.rotations());
    assertThat(template.throttling()).isEqualTo(without.throttling());
    assertThat(template.secrets()).hasSameSizeAs(without.secrets());
  }

  private static String code(Collection<String> names) {
    return names.stream().map(name -> "`" + name + "`").collect(joining(", "));
  }

  private static Template parse(String text) {
    return Template.parse("template.yaml", text, Map.of(), "");
  }
}
