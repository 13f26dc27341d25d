package dev.connectorevents.acceptance.template;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.emulator.template.RateLimit;
import dev.connectorevents.emulator.template.Route;
import dev.connectorevents.emulator.template.Template;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** API Gateway accepts the throttles of the stage, and may write the access log. Its URL works. */
class ApiStageTest {

  private final TemplateText template = TemplateText.ofTheService();

  /**
   * The burst quota of an account, in requests. AWS does not raise it.
   *
   * @see <a href="https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html">API
   *     Gateway's quotas</a>
   */
  private static final int BURST_QUOTA = 5000;

  @Test
  void the_url_has_the_domain_if_there_is_one_and_only_then_the_other_can_be_closed() {
    JsonNode url = template.root().at("/Outputs/ApiUrl/Value/Fn::If");
    assertThat(url.path(0).asText()).as("the condition of ApiUrl").isEqualTo("HasDomain");
    assertThat(template.parametersIn(url.path(1))).as("with a domain").containsOnly("DomainName");
    assertThat(template.parametersIn(template.properties("Api").path("DisableExecuteApiEndpoint")))
        .as("what closes the URL")
        .containsExactlyInAnyOrder("DomainName", "DefaultEndpoint");
  }

  @Test
  void no_burst_may_exceed_5000() {
    List<JsonNode> bursts = template.properties("Api").findValues("ThrottlingBurstLimit");
    assertThat(bursts).isNotEmpty();
    for (JsonNode burst : bursts) {
      String parameter = burst.path("Ref").asText();
      String mapping = "/Mappings/" + burst.at("/Fn::FindInMap/0").asText() + "/1000/Limit";
      JsonNode most =
          burst.isInt()
              ? burst
              : template
                  .root()
                  .at(burst.has("Ref") ? "/Parameters/" + parameter + "/MaxValue" : mapping);
      assertThat(most.intValue()).as("the most of %s", burst).isBetween(1, BURST_QUOTA);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "POST /api/auth/login, 50, 50",
    "POST /api/auth/refresh, 500, 1000",
    "GET /api/auth/me, 50, 100",
    "POST /api/webhook-events, 1000, 1000",
    "POST /api/webhook-events/batch, 200, 200",
    "POST /api/webhook-events/missing, 100, 100",
    "GET /api/webhook-events, 50, 50",
    "GET /api/webhook-events/{id}, 200, 200",
    "GET /api/webhook-events/{id}/payload, 200, 200",
  })
  @Promise({
    "`EventsPerSecond` (1,000)",
    "50: half of `LoginConcurrency` (100)",
    "`MissingPerSecond` (100), each of up to 100 keys"
  })
  void by_default_a_route_has_the_limit_that_the_page_names(
      String route, double perSecond, int burst) throws IOException {
    assertThat(Template.read(World.TEMPLATE, Map.of()).throttling().byRoute().get(route))
        .isEqualTo(new RateLimit(perSecond, burst));
  }

  @Test
  @Promise("More requests than the route's")
  void every_route_has_a_limit_of_its_own() throws IOException {
    Template read = Template.read(World.TEMPLATE, Map.of());

    assertThat(read.throttling().byRoute().keySet())
        .containsExactlyInAnyOrderElementsOf(read.routes().stream().map(Route::key).toList());
  }

  @Test
  void the_access_log_is_covered_by_the_vended_logs_policy_and_named_for_the_stack()
      throws IOException {
    assertThat(template.properties("AccessLogs").at("/LogGroupName/Fn::Sub").asText())
        .startsWith("/aws/vendedlogs/")
        .contains("${AWS::StackName}");
  }
}
