package dev.connectorevents.acceptance.template;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.emulator.template.FunctionDefinition;
import dev.connectorevents.emulator.template.RateLimit;
import dev.connectorevents.emulator.template.Route;
import dev.connectorevents.emulator.template.Template;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The template's limits on logins. Each login runs bcrypt, which is slow. */
class LoginLimitsTest {

  /**
   * The duration of a slow login, in seconds. Such a login runs bcrypt twice, or its instance must
   * start first. One bcrypt takes 0.3 to 0.4 s at the default cost and memory ({@code
   * docs/performance.md}).
   */
  private static final double SECONDS = 1;

  @Test
  void a_login_that_the_route_lets_through_finds_a_free_instance() throws IOException {
    RateLimit limit = limit(Map.of());
    int concurrency = login(Map.of()).reservedConcurrency().orElseThrow();

    // The most that a token bucket lets through in the time that one login takes.
    assertThat(limit.burst() + limit.perSecond() * SECONDS).isLessThanOrEqualTo(concurrency);
  }

  @ParameterizedTest
  @CsvSource({"10, 7, 3", "0, 7, 3", "200, 100, 60"})
  void the_route_has_the_parameters_limits_whatever_is_reserved(
      String concurrency, String perSecond, String burst) throws IOException {
    Map<String, String> parameters =
        Map.of("LoginConcurrency", concurrency, "LoginsPerSecond", perSecond, "LoginBurst", burst);

    assertThat(limit(parameters))
        .isEqualTo(new RateLimit(Double.parseDouble(perSecond), Integer.parseInt(burst)));
  }

  @Test
  void without_reserved_instances_the_route_has_the_same_limits() throws IOException {
    Map<String, String> none = Map.of("LoginConcurrency", "0");

    assertThat(login(none).reservedConcurrency()).isEmpty();
    assertThat(limit(none)).isEqualTo(limit(Map.of()));
  }

  private static RateLimit limit(Map<String, String> parameters) throws IOException {
    Route route = login(parameters).routes().getFirst();
    return Template.read(World.TEMPLATE, parameters).throttling().of(route).orElseThrow();
  }

  private static FunctionDefinition login(Map<String, String> parameters) throws IOException {
    return Template.read(World.TEMPLATE, parameters).functions().stream()
        .filter(function -> function.id().equals("LoginFunction"))
        .findFirst()
        .orElseThrow();
  }
}
