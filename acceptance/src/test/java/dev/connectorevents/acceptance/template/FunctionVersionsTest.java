package dev.connectorevents.acceptance.template;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Each function is deployed with its code, and gets a new version for each changed parameter. */
class FunctionVersionsTest extends TemplateRules {

  private static final String CODE = "functions/target/functions.zip";

  @Override
  Stream<TemplateRule> rules() {
    return Stream.of(
        new TemplateRule(
            "every function names its code",
            FunctionVersionsTest::everyFunctionNamesItsCode,
            new Mistake("MeFunction", "CodeUri: " + CODE, "", "CodeUri of MeFunction"),
            new Mistake(
                "Function",
                "Runtime: java25",
                "Runtime: java25\n    CodeUri: " + CODE,
                "Globals have a CodeUri")),
        new TemplateRule(
            "every parameter in an environment is in the version description",
            FunctionVersionsTest::everyParameterIsInTheVersionDescription,
            new Mistake("LoginFunction", "bcrypt ${BcryptCost}", "bcrypt", "of LoginFunction"),
            new Mistake(
                "MeFunction",
                "Events:",
                "Environment: { Variables: { MODE: !Sub 'is ${Deployment}' } }\n      Events:",
                "of MeFunction"),
            new Mistake(
                "Function",
                "ENDPOINT_URL: \"\"",
                "ENDPOINT_URL: !If [HasKmsKey, a, b]",
                "of CreateBatchFunction")));
  }

  /**
   * {@code sam build} writes a copy of the template to another folder. There it corrects the paths
   * of functions, but not those of Globals.
   */
  private static void everyFunctionNamesItsCode(TemplateText template) {
    assertThat(template.globals().has("CodeUri")).as("Globals have a CodeUri").isFalse();
    template
        .functions()
        .forEach((id, function) ->
            assertThat(function.path("CodeUri").asText()).as("CodeUri of %s", id).isEqualTo(CODE));
  }

  /** A changed parameter publishes a new version only if the version's description changes. */
  private static void everyParameterIsInTheVersionDescription(TemplateText template) {
    template
        .functions()
        .forEach((id, function) -> {
          if (function.has("AutoPublishAlias")) {
            assertThat(template.parametersIn(function.path("VersionDescription")))
                .as("parameters in the VersionDescription of %s", id)
                .containsAll(environmentParameters(template, function));
          }
        });
  }

  private static Set<String> environmentParameters(TemplateText template, JsonNode function) {
    Set<String> parameters =
        new TreeSet<>(template.parametersIn(template.globals().path("Environment")));
    parameters.addAll(template.parametersIn(function.path("Environment")));
    return parameters;
  }
}
