package dev.connectorevents.acceptance.template;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Each function is deployed with its code. A changed parameter publishes a new version of each
 * function of the API that reads it.
 */
class FunctionVersionsTest {

  private final TemplateText template = TemplateText.ofTheService();

  /**
   * Lambda's limit for the description of a version, in characters.
   *
   * @see <a
   *     href="https://docs.aws.amazon.com/lambda/latest/api/API_PublishVersion.html">PublishVersion</a>
   */
  private static final int MAX_DESCRIPTION = 256;

  /** An alias that the description names, since its version waits for it. */
  private static final Pattern ALIAS = Pattern.compile("\\$\\{\\w+\\.Alias}");

  /** That of an alias {@code live} of a function with the longest name, 64 characters. */
  private static final int LONGEST_ARN =
      "arn:aws-us-gov:lambda:us-gov-west-1:123456789012:function:".length() + 64 + ":live".length();

  private static final String CODE = "functions/target/functions.zip";

  /** Lambda publishes no version of a function that is as at the last publication. */
  @Test
  void a_higher_DeployNumber_changes_every_function_of_the_API_and_its_version() {
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

  @Test
  void a_version_description_has_at_most_256_characters() {
    template
        .functions()
        .forEach((id, function) -> {
          JsonNode description = function.path("VersionDescription");
          JsonNode sub = description.path("Fn::Sub");
          String text = (sub.isArray() ? sub.path(0) : sub).asText();
          long longest = text.length(); // a name that stands for an alias's end is longer than it
          for (String name : template.parametersIn(description)) {
            longest +=
                longest(template.root().path("Parameters").path(name))
                    - "${}".length()
                    - name.length();
          }
          longest += ALIAS.matcher(text).results().count() * LONGEST_ARN;
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
  @Test
  void every_function_names_its_code() {
    assertThat(template.globals().has("CodeUri")).as("Globals have a CodeUri").isFalse();
    template
        .functions()
        .forEach((id, function) ->
            assertThat(function.path("CodeUri").asText()).as("CodeUri of %s", id).isEqualTo(CODE));
  }

  /** A changed parameter publishes a new version only if the version's description changes. */
  @Test
  void every_parameter_in_an_environment_is_in_the_version_description() {
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
