package dev.connectorevents.acceptance.template;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Each function is deployed with its code. A changed parameter publishes a new version of each
 * function of the API that reads it.
 */
class FunctionVersionsTest extends TemplateRules {

  /**
   * Lambda's limit for the description of a version, in characters.
   *
   * @see <a
   *     href="https://docs.aws.amazon.com/lambda/latest/api/API_PublishVersion.html">PublishVersion</a>
   */
  private static final int MAX_DESCRIPTION = 256;

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
                "of CreateBatchFunction")),
        new TemplateRule(
            "a higher DeployNumber changes every function of the API and its version",
            FunctionVersionsTest::theDeployNumberChangesFunctionsAndVersions,
            new Mistake(
                "MeFunction", "user. Deploy ${DeployNumber}", "user", "Description of MeFunction"),
            new Mistake(
                "ReadEventFunction",
                "VersionDescription: !Sub deploy ${DeployNumber}",
                "VersionDescription: reads",
                "VersionDescription of ReadEventFunction")),
        new TemplateRule(
            "a version description has at most 256 characters",
            FunctionVersionsTest::everyVersionDescriptionFits,
            new Mistake(
                "CreateEventFunction",
                "events ${EventRetentionDays} days",
                "events for ${EventRetentionDays} days, but those of a rule for the days of that rule",
                "of CreateEventFunction")));
  }

  /** Lambda publishes no version of a function that is as at the last publication. */
  private static void theDeployNumberChangesFunctionsAndVersions(TemplateText template) {
    template
        .functions()
        .forEach((id, function) -> {
          if (function.has("AutoPublishAlias")) {
            for (String description : List.of("Description", "VersionDescription")) {
              assertThat(template.parametersIn(function.path(description)))
                  .as("%s of %s", description, id)
                  .contains("DeployNumber");
            }
          }
        });
  }

  private static void everyVersionDescriptionFits(TemplateText template) {
    template
        .functions()
        .forEach((id, function) -> {
          JsonNode description = function.path("VersionDescription");
          int longest = description.path("Fn::Sub").asText().length();
          for (String name : template.parametersIn(description)) {
            longest +=
                longest(template.root().path("Parameters").path(name))
                    - "${}".length()
                    - name.length();
          }
          assertThat(longest)
              .as("longest description of %s", id)
              .isLessThanOrEqualTo(MAX_DESCRIPTION);
        });
  }

  private static int longest(JsonNode parameter) {
    return parameter.has("MaxLength")
        ? parameter.path("MaxLength").intValue()
        : parameter.path("MaxValue").asText().length();
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
