package dev.connectorevents.acceptance.template;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.acceptance.service.World;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** API Gateway accepts the throttles of the stage, and may write the access log. Its URL works. */
class ApiStageTest extends TemplateRules {

  /**
   * The burst quota of an account, in requests. AWS does not raise it.
   *
   * @see <a href="https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html">API
   *     Gateway's quotas</a>
   */
  private static final int BURST_QUOTA = 5000;

  @Override
  Stream<TemplateRule> rules() {
    return Stream.of(
        new TemplateRule(
            "no burst may exceed 5000",
            ApiStageTest::noBurstExceedsTheQuota,
            new Mistake("BatchesPerSecond", "5000", "10000", "{\"Ref\":\"BatchesPerSecond\"}"),
            new Mistake("Api", "BurstLimit: 1000", "BurstLimit: 5001", "the most of 5001")),
        new TemplateRule(
            "ApiUrl has the domain if there is one, and only then the other URL can be closed",
            ApiStageTest::theUrlWorks,
            new Mistake("ApiUrl", "https://${DomainName}", "https://${Api}", "with a domain"),
            new Mistake("ApiUrl", "If [HasDomain", "If [HasKmsKey", "the condition of ApiUrl"),
            new Mistake(
                "Api", "[ClosesDefaultEndpoint, true", "[HasDomain, true", "what closes the URL")));
  }

  private static void theUrlWorks(TemplateText template) {
    JsonNode url = template.root().at("/Outputs/ApiUrl/Value/Fn::If");
    assertThat(url.path(0).asText()).as("the condition of ApiUrl").isEqualTo("HasDomain");
    assertThat(template.parametersIn(url.path(1))).as("with a domain").containsOnly("DomainName");
    assertThat(template.parametersIn(template.properties("Api").path("DisableExecuteApiEndpoint")))
        .as("what closes the URL")
        .containsExactlyInAnyOrder("DomainName", "DefaultEndpoint");
  }

  private static void noBurstExceedsTheQuota(TemplateText template) {
    List<JsonNode> bursts = template.properties("Api").findValues("ThrottlingBurstLimit");
    assertThat(bursts).isNotEmpty();
    for (JsonNode burst : bursts) {
      String parameter = burst.path("Ref").asText();
      JsonNode most =
          burst.isInt() ? burst : template.root().at("/Parameters/" + parameter + "/MaxValue");
      assertThat(most.intValue()).as("the most of %s", burst).isBetween(1, BURST_QUOTA);
    }
  }

  @Test
  void the_access_log_is_covered_by_the_vended_logs_policy_and_named_for_the_stack()
      throws IOException {
    assertThat(
            TemplateText.read(World.TEMPLATE)
                .properties("AccessLogs")
                .at("/LogGroupName/Fn::Sub")
                .asText())
        .startsWith("/aws/vendedlogs/")
        .contains("${AWS::StackName}");
  }
}
