package dev.connectorevents.emulator.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rate limits that a template sets for its routes. */
class ThrottlingSettingsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "RouteSettings: { GET /one: { ThrottlingRateLimit: 0.5, ThrottlingBurstLimit: 2 } } | 0.5 | 2",
        "RouteSettings: { GET /one: { ThrottlingRateLimit: !Ref Days, ThrottlingBurstLimit: 2 } } | 7 | 2",
        "DefaultRouteSettings: { ThrottlingRateLimit: 9, ThrottlingBurstLimit: 8 } | 9 | 8",
        "RouteSettings: { GET /one: {} } | - | -",
        "Description: nothing | - | -",
      })
  void a_route_has_its_own_limit_or_the_default(String settings, Double perSecond, Integer burst) {
    assertThat(throttling(settings).of(new Route("GET", "/one", "One")))
        .isEqualTo(Optional.ofNullable(perSecond).map(rate -> new RateLimit(rate, burst)));
  }

  @Test
  void a_route_inherits_settings_from_the_default() {
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

  private Throttling throttling(String settings) {
    String api =
        """
          Api:
            Type: AWS::Serverless::HttpApi
            Properties:
              %s
        """;
    return SmallTemplate.read((SmallTemplate.TEXT + api).formatted("x", settings), Map.of())
        .throttling();
  }
}
