package dev.connectorevents.acceptance.template;

import static dev.connectorevents.acceptance.template.Mistake.SHARED_POLICY;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.connectorevents.acceptance.service.World;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs each {@link TemplateCheck} on the service's template, and on copies with mistakes that the
 * check must find.
 */
class TemplateCheckTest {

  private static final String DOCUMENT =
      "Resources." + SHARED_POLICY + ".Properties.PolicyDocument";

  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource
  void the_services_template_is_right(TemplateCheck check) throws IOException {
    check.of(World.TEMPLATE);
  }

  static Stream<Arguments> mistakes() {
    return Stream.of(
        arguments(
            TemplateCheck.IT_STARTS,
            new Mistake(
                "LoginFunction",
                "Path: /api/auth/login",
                "Path: /api/auth/logn",
                "Resources.Api.Properties.RouteSettings: there is no route POST /api/auth/login")),
        arguments(
            TemplateCheck.IT_STARTS,
            new Mistake(
                "Api",
                "POST /api/auth/refresh:",
                "POST /api/auth/refrsh:",
                "Resources.Api.Properties.RouteSettings: there is no route POST /api/auth/refrsh")),
        arguments(
            TemplateCheck.EVERY_ROUTE_IS_THROTTLED,
            new Mistake(
                "Api",
                "GET /api/auth/me: { ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100 }",
                "",
                "GET /api/auth/me")),
        arguments(
            TemplateCheck.EVERY_ROUTE_HAS_A_FILE,
            new Mistake(
                "MeFunction",
                "Events:",
                "Events:\n        You: { Type: HttpApi, Properties: { Method: GET, Path: /you } }",
                "GET /you")),
        arguments(
            TemplateCheck.IT_STARTS,
            new Mistake(
                "MeFunction",
                "functions.me.MeFunction",
                "functions.me.MeFuntion",
                "MeFunction (Handler dev.connectorevents.functions.me.MeFuntion): there is no"
                    + " class")),
        arguments(
            TemplateCheck.IT_STARTS,
            new Mistake(
                "LoginFunction",
                "BCRYPT_COST: !Ref BcryptCost",
                "BCRYPT_COTS: !Ref BcryptCost",
                "LoginFunction (Handler dev.connectorevents.functions.login.LoginFunction): it does"
                    + " not start: java.lang.IllegalStateException: the environment variable"
                    + " BCRYPT_COST is not set")),
        arguments(
            TemplateCheck.EVERY_VARIABLE_IS_READ,
            new Mistake(
                "CreateEventFunction",
                "Variables: {",
                "Variables: { BCRYPT_COST: !Ref BcryptCost,",
                "CreateEventFunction or another function reads BCRYPT_COST")),
        arguments(
            TemplateCheck.EVERY_VARIABLE_IS_READ,
            new Mistake(
                "RefreshFunction",
                "functions.refresh.RefreshFunction",
                "functions.me.MeFunction",
                "RefreshFunction or another function reads SESSION_LIFETIME_DAYS")),
        arguments(
            TemplateCheck.EVERY_VARIABLE_IS_READ,
            new Mistake(
                "Function",
                "TOKEN_ISSUER: !Ref AWS::StackName",
                "TOKEN_ISSUER: !Ref AWS::StackName\n        TOKEN_ISUER: x",
                "reads TOKEN_ISUER")),
        arguments(
            TemplateCheck.EVERY_VARIABLE_IS_READ,
            new Mistake("Function", "ENDPOINT_URL: \"\"", "ENDPOINT: \"\"", "reads ENDPOINT")),
        arguments(
            TemplateCheck.IT_STARTS,
            new Mistake(
                "EventsTable",
                "{ AttributeName: brand_key, KeyType: HASH }",
                "{ AttributeName: brand, KeyType: HASH }",
                "Resources.EventsTable.Properties.AttributeDefinitions: the keys of table and"
                    + " indexes are [brand, created_at, id, lane]")),
        arguments(
            TemplateCheck.IT_STARTS,
            new Mistake(
                "CreateEventFunction",
                "Resource: !GetAtt EventsTable.Arn",
                "NotResource: !GetAtt UsersTable.Arn",
                "Resources.CreateEventFunction.Properties.Policies[1].Statement[0]: only Effect"
                    + " Allow")),
        arguments(
            TemplateCheck.IT_STARTS,
            new Mistake(
                "CreateEventFunction",
                "Version: \"2012-10-17\"\n          Statement",
                "Statement",
                "Resources.CreateEventFunction.Properties.Policies[1]: only policies with Version"
                    + " 2012-10-17")),
        arguments(
            TemplateCheck.IT_STARTS,
            new Mistake(
                SHARED_POLICY,
                "Version: \"2012-10-17\"",
                "Version: \"2008-10-17\"",
                DOCUMENT + ": only policies with Version 2012-10-17")),
        arguments(
            TemplateCheck.IT_STARTS,
            new Mistake(
                "MeFunction",
                "- !Ref " + SHARED_POLICY,
                "- !Ref UsersTable",
                "Resources.MeFunction.Properties.Policies[0]: the template has no managed policy"
                    + " UsersTable")),
        unknownCondition(
            "Action: dynamodb:GetItem",
            "Condition:\n              StringEquals: { dynamodb:Select: COUNT }\n"
                + "            Action: dynamodb:GetItem",
            "StringEquals.dynamodb:Select"),
        unknownCondition(
            "Action: dynamodb:GetItem",
            "Condition:\n              StringLike: { kms:ViaService: \"*\" }\n"
                + "            Action: dynamodb:GetItem",
            "StringLike.kms:ViaService"));
  }

  private static Arguments unknownCondition(String right, String wrong, String place) {
    return arguments(
        TemplateCheck.IT_STARTS,
        new Mistake(
            SHARED_POLICY,
            right,
            wrong,
            DOCUMENT
                + ".Statement[0].Condition."
                + place
                + ": only these conditions are known here"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void a_mistake_is_found_and_its_place_named(TemplateCheck check, Mistake mistake)
      throws IOException {
    Path template = mistake.plantedIn(directory);

    assertThatThrownBy(() -> check.of(template)).hasMessageContaining(mistake.message());
  }
}
