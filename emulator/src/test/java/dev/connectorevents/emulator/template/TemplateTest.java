package dev.connectorevents.emulator.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How the emulator reads a template, and which mistakes in it the emulator refuses. */
class TemplateTest {

  @Test
  void globals_and_conditions_shape_the_functions() {
    Template test = SmallTemplate.read(SmallTemplate.TEXT.formatted("x"), Map.of());
    assertThat(test.functions()).extracting(FunctionDefinition::id).containsExactly("One");
    assertThat(test.functions().getFirst().timeout()).hasSeconds(15);
    assertThat(test.routes()).containsExactly(new Route("GET", "/one", "One"));
    Template prod = SmallTemplate.read(SmallTemplate.TEXT.formatted("x"), Map.of("Stage", "prod"));
    assertThat(prod.functions()).extracting(FunctionDefinition::id).contains("OnlyInProd");
  }

  @ParameterizedTest
  @CsvSource({
    "Stage, staging, is not one of",
    "Days, 91, is more than",
    "Days, 0, is less than",
    "Days, many, is not a number",
    "Short, four, is longer than its MaxLength",
    "Dyas, 1, there is none called Dyas",
  })
  void a_parameters_value_is_checked(String name, String value, String message) {
    assertThatExceptionOfType(TemplateMistake.class)
        .isThrownBy(
            () -> SmallTemplate.read(SmallTemplate.TEXT.formatted("x"), Map.of(name, value)))
        .withMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource({
    "Handler: a.One, Description: a.One, Handler is missing",
    "Path: /one, Path: one, does not begin with a slash",
    "Method: get, Method: any, only GET and POST are served here",
    "Path: /one, 'Path: \"/one/{rest+}\"', only {name} is served here",
    "'Method: get, ', '', Method is missing",
    "'KeySchema: [{ AttributeName: id, KeyType: HASH }]', BillingMode: x, KeySchema is missing",
    "'[!Ref Stage, prod]', '[!Ref Stage, prod, test]', 2 operands are expected",
    "OnlyInProd:, One:, duplicate key One",
    "'!Equals [!Ref Stage, prod]', '!%20 [!Ref Stage, prod]', Tag must not contain leading or trailing spaces",
    "'{ Handler: a.Two }', '&a { Handler: *a }', CloudFormation has no aliases: *a",
    "'!Equals [!Ref Stage, prod]', '!Not [!Condition IsProd]', IsProd depends on itself",
    "'!Equals [!Ref Stage, prod]', '{ Condition: ~ }', a text is expected",
    "'AllowedValues: [test, prod]', 'AllowedPattern: (', its AllowedPattern: Unclosed group",
    "'AttributeName: id, KeyType', 'Name: id, KeyType', KeySchema[0].Name: CreateTable has no such name",
    "'AttributeName: id, KeyType', 'AttributeName: it, KeyType', the keys of table and indexes are [it]",
    "'AttributeName: id, KeyType', 'KeyType', the keys of table and indexes are [null]",
  })
  void a_template_that_cannot_be_served_is_refused(String right, String wrong, String message) {
    assertThatExceptionOfType(TemplateMistake.class)
        .isThrownBy(() ->
            SmallTemplate.read(SmallTemplate.TEXT.formatted("x").replace(right, wrong), Map.of()))
        .withMessageContaining(message);
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
}
