package dev.connectorevents.emulator.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings("NullAway.Init")
class TemplateTest {
  private static final String TEMPLATE =
      """
      Parameters:
        Stage: { Type: String, Default: test, AllowedValues: [test, prod] }
        Days: { Type: Number, Default: 7, MinValue: 1, MaxValue: 90 }
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

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "plain | plain",
        "12 | 12",
        "true | true",
        "2012-10-17 | 2012-10-17",
        "!Ref Days | 7",
        "!Ref Things | Things",
        "{ Ref: Stage } | test",
        "!Ref AWS::Region | us-east-1",
        "!Ref OneAliaslive | OneAliaslive",
        "!GetAtt OneRole.Arn | arn:aws:local:us-east-1:000000000000:OneRole/Arn",
        "!Ref Secret | arn:aws:secretsmanager:us-east-1:000000000000:secret:Secret",
        "!GetAtt Things.Arn | arn:aws:dynamodb:us-east-1:000000000000:table/Things",
        "!GetAtt [Things, Arn] | arn:aws:dynamodb:us-east-1:000000000000:table/Things",
        "!Sub '${Stage}-${Things.Arn}' | test-arn:aws:dynamodb:us-east-1:000000000000:table/Things",
        "!Sub ['${A}${!B}', { A: !Ref Days }] | 7${B}",
        "!Join ['-', [a, !Ref Stage]] | a-test",
        "!If [IsProd, yes, !Ref Days] | 7",
        "!If [Either, a, b] | a",
        "!If [Both, a, b] | b",
      })
  void an_intrinsic_becomes_its_value(String written, String value) throws IOException {
    assertThat(read(TEMPLATE.formatted(written), Map.of()).functions().getFirst().environment())
        .containsExactlyInAnyOrderEntriesOf(Map.of("TABLE", "Things", "VALUE", value));
  }

  @Test
  void globals_and_conditions_shape_the_functions() throws IOException {
    Template test = read(TEMPLATE.formatted("x"), Map.of());
    assertThat(test.functions()).extracting(FunctionDefinition::name).containsExactly("one-test");
    assertThat(test.functions().getFirst().timeout()).hasSeconds(15);
    assertThat(test.routes()).containsExactly(new Route("GET", "/one", "One"));
    Template prod = read(TEMPLATE.formatted("x"), Map.of("Stage", "prod"));
    assertThat(prod.functions()).extracting(FunctionDefinition::id).contains("OnlyInProd");
  }

  @Test
  void no_value_keeps_the_value_of_globals() throws IOException {
    assertThat(
            read(TEMPLATE.formatted("!If [IsProd, x, !Ref AWS::NoValue]"), Map.of())
                .functions()
                .getFirst()
                .environment())
        .containsEntry("VALUE", "shared");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "!Ref Thigns | Resources.One.Properties.Environment.Variables.VALUE: refers to Thigns",
        "!GetAtt Things.Arm | has no attribute Arm",
        "!GetAtt Things | 2 operands are expected",
        "!Sub '${Nothing}' | refers to Nothing",
        "!Frobnicate x | Fn::Frobnicate",
        "!If [IsPord, a, b] | IsPord",
        "[a, b] | one value is expected",
        "{ Fn::Sub: ~ } | Fn::Sub takes a text",
        "{ ~: x } | one value is expected",
      })
  void a_mistake_is_reported_with_its_place(String written, String message) {
    assertThatExceptionOfType(TemplateMistake.class)
        .isThrownBy(() -> read(TEMPLATE.formatted(written), Map.of()))
        .withMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource({
    "Stage, staging, is not one of",
    "Days, 91, is more than",
    "Days, 0, is less than",
    "Days, many, is not a number",
    "Dyas, 1, there is none called Dyas",
  })
  void a_parameters_value_is_checked(String name, String value, String message) {
    assertThatExceptionOfType(TemplateMistake.class)
        .isThrownBy(() -> read(TEMPLATE.formatted("x"), Map.of(name, value)))
        .withMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource({
    "Handler: a.One, Hanlder: a.One, there is no setting Hanlder here",
    "Handler: a.One, Description: a.One, Handler is missing",
    "Path: /one, Path: one, does not begin with a slash",
    "KeySchema, KeySchemes, there is no setting KeySchemes here",
    "'KeySchema: [{ AttributeName: id, KeyType: HASH }]', BillingMode: x, KeySchema is missing",
    "'[!Ref Stage, prod]', '[!Ref Stage, prod, test]', 2 operands are expected",
    "OnlyInProd:, One:, duplicate key One",
    "AttributeDefinitions, LocalSecondaryIndexes, only global indexes are served here",
    "'{ Handler: a.Two }', '&a { Handler: *a }', CloudFormation has no aliases: *a",
    "'!Equals [!Ref Stage, prod]', '!Not [!Condition IsProd]', IsProd depends on itself",
    "'!Equals [!Ref Stage, prod]', '{ Condition: ~ }', a text is expected",
    "'AllowedValues: [test, prod]', 'AllowedPattern: (', its AllowedPattern: Unclosed group",
    "'AttributeName: id, KeyType', 'Name: id, KeyType', there is no setting Name here",
    "'AttributeName: id, KeyType', 'AttributeName: it, KeyType', the keys of table and indexes are [it]",
    "'AttributeName: id, KeyType', 'KeyType', the keys of table and indexes are [null]",
  })
  void a_broken_resource_is_refused(String right, String wrong, String message) {
    assertThatExceptionOfType(TemplateMistake.class)
        .isThrownBy(() -> read(TEMPLATE.formatted("x").replace(right, wrong), Map.of()))
        .withMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SecretString: fixed | fixed",
        "GenerateSecretString: {} | [!-~]{32}",
        "GenerateSecretString: { PasswordLength: 64, ExcludePunctuation: true } | [A-Za-z0-9]{64}",
        "GenerateSecretString: { PasswordLength: 999, ExcludeCharacters: '\"@/' } | [!#-.0-?A-~]{999}",
      })
  void a_secret_has_its_text_or_a_random_one(String properties, String text) throws IOException {
    assertThat(secret(properties).secrets().getFirst().text().get()).matches(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ExcludeNumbers: true", "SecretStringTemplate: '{}'"})
  void a_rule_for_passwords_that_is_not_served_is_refused(String rule) {
    assertThatExceptionOfType(TemplateMistake.class)
        .isThrownBy(() -> secret("GenerateSecretString: { " + rule + " }"))
        .withMessageContaining(
            "GenerateSecretString: there is no setting " + rule.split(":", 2)[0]);
  }

  private Template secret(String properties) throws IOException {
    String type = "AWS::SecretsManager::Secret";
    String text = TEMPLATE.formatted("x");
    return read(text.replace(type, type + "\n    Properties: { " + properties + " }"), Map.of());
  }

  private Throttling throttling(String settings) throws IOException {
    String api =
        """
          Api:
            Type: AWS::Serverless::HttpApi
            Properties:
              %s
        """;
    return read((TEMPLATE + api).formatted("x", settings), Map.of()).throttling();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "RouteSettings: { GET /one: { ThrottlingRateLimit: 0.5, ThrottlingBurstLimit: 2 } } | 0.5 | 2",
        "RouteSettings: { GET /one: { ThrottlingRateLimit: !Ref Days, ThrottlingBurstLimit: 2 } } | 7 | 2",
        "DefaultRouteSettings: { ThrottlingRateLimit: 9, ThrottlingBurstLimit: 8 } | 9 | 8",
        "RouteSettings: { GET /one: { DetailedMetricsEnabled: true } } | - | -",
        "Description: nothing | - | -",
      })
  void a_route_has_its_own_limit_or_the_default(String settings, Double perSecond, Integer burst)
      throws IOException {
    assertThat(throttling(settings).of(new Route("GET", "/one", "One")))
        .isEqualTo(Optional.ofNullable(perSecond).map(rate -> new RateLimit(rate, burst)));
  }

  @Test
  void a_route_inherits_settings_from_the_default() throws IOException {
    Throttling throttling =
        throttling(
            """
            DefaultRouteSettings: { ThrottlingRateLimit: 9, ThrottlingBurstLimit: 8 }
                  RouteSettings: { GET /one: { ThrottlingBurstLimit: 2 } }
            """);

    assertThat(throttling.byDefault()).contains(new RateLimit(9, 8));
    assertThat(throttling.byRoute()).containsExactly(Map.entry("GET /one", new RateLimit(9, 2)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET /two: { ThrottlingRateLimit: 1 } | RouteSettings: there is no route GET /two",
        "GET /one: { ThrottlingRate: 1 } | RouteSettings.GET /one: there is no setting ThrottlingRate",
        "GET /one: { ThrottlingRateLimit: 1 } | ThrottlingBurstLimit is missing",
        "GET /one: { ThrottlingBurstLimit: 1 } | ThrottlingRateLimit is missing",
        "GET /one: { ThrottlingRateLimit: x, ThrottlingBurstLimit: 1 } | a number is expected: x",
        "GET /one: { ThrottlingRateLimit: 1, ThrottlingBurstLimit: 1.5 } | a whole number is expected",
      })
  void a_mistake_in_the_settings_of_a_route_is_reported(String settings, String message) {
    assertThatExceptionOfType(TemplateMistake.class)
        .isThrownBy(() -> throttling("RouteSettings: { " + settings + " }"))
        .withMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[!Ref Shared] | dynamodb:Query",
        "[!Ref Shared, { Version: 2012-10-17, Statement: [%s] }] | dynamodb:Query dynamodb:GetItem",
        "[!If [IsProd, !Ref OfProd, !Ref AWS::NoValue], !Ref Shared] | dynamodb:Query",
      })
  void a_function_has_the_rights_of_all_policies_that_it_names(String policies, String actions)
      throws IOException {
    String statement = "{ Effect: Allow, Action: dynamodb:GetItem, Resource: !GetAtt Things.Arn }";

    assertThat(policies(policies.formatted(statement)).functions().getFirst().rights())
        .containsExactlyElementsOf(
            Stream.of(actions.split(" "))
                .map(action -> new Right(action, Arn.table("Things")))
                .toList());
  }

  @Test
  void a_managed_policy_whose_condition_does_not_hold_cannot_be_named() {
    assertThatExceptionOfType(TemplateMistake.class)
        .isThrownBy(() -> policies("[!Ref OfProd]"))
        .withMessageContaining(
            "Resources.One.Properties.Policies[0]: the template has no managed policy"
                + " arn:aws:iam::000000000000:policy/OfProd, only"
                + " [arn:aws:iam::000000000000:policy/Shared]");
  }

  private Template policies(String policies) throws IOException {
    String managed =
        """
          %s:
            Condition: %s
            Type: AWS::IAM::ManagedPolicy
            Properties:
              PolicyDocument:
                Version: 2012-10-17
                Statement:
                  - { Effect: Allow, Action: dynamodb:Query, Resource: !GetAtt Things.Arn }
        """;
    String handler = "Handler: a.One";
    String text = TEMPLATE.formatted("x");
    return read(
        text.replace(handler, handler + "\n      Policies: " + policies)
            + managed.formatted("Shared", "IsNotProd")
            + managed.formatted("OfProd", "IsProd"),
        Map.of());
  }

  @Test
  void a_prefix_is_part_of_all_names_of_tables_and_secrets() throws IOException {
    Path file = Path.of("../template.yaml");

    Template template = Template.read(file, Map.of(), "mine-");

    assertThat(template.tables()).isNotEmpty().allMatch(table -> table.name().startsWith("mine-"));
    assertThat(template.secrets())
        .extracting(secret -> secret.name())
        .containsExactly("mine-SigningKeySecret");
    assertThat(template.functions().getFirst().environment())
        .containsEntry("USERS_TABLE", "mine-UsersTable")
        .containsEntry("SIGNING_KEY_SECRET_ARN", "mine-SigningKeySecret");
    assertThat(template.functions().getFirst().rights())
        .contains(
            new Right("dynamodb:GetItem", Arn.table("mine-LoginAttemptsTable")),
            new Right("secretsmanager:GetSecretValue", Arn.secret("mine-SigningKeySecret")));
  }

  private Template read(String text, Map<String, String> parameters) throws IOException {
    Path file = directory.resolve("template.yaml");
    Files.writeString(file, text);
    return Template.read(file, parameters, "");
  }
}
