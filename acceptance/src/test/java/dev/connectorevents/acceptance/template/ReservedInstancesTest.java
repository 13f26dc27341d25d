package dev.connectorevents.acceptance.template;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.emulator.template.FunctionDefinition;
import dev.connectorevents.emulator.template.RateLimit;
import dev.connectorevents.emulator.template.Route;
import dev.connectorevents.emulator.template.Template;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The instances that are reserved, and the limit on logins: each runs bcrypt, which is slow. */
class ReservedInstancesTest {

  /**
   * The duration of a slow login, in seconds. Such a login runs bcrypt twice, or its instance must
   * start first. One bcrypt takes 0.3 to 0.4 s at the default cost and memory ({@code
   * docs/how-we-know.md}).
   */
  private static final double SECONDS = 1;

  /** The reservation, and the instances that a new account may run where nothing is reserved. */
  @ParameterizedTest
  @CsvSource({
    "0, 10",
    "10, 10",
    "20, 20",
    "50, 50",
    "100, 100",
    "200, 200",
    "500, 500",
    "1000, 1000"
  })
  void a_login_that_the_route_lets_through_finds_a_free_instance(String concurrency, int instances)
      throws IOException {
    Map<String, String> parameters = Map.of("LoginConcurrency", concurrency);
    RateLimit limit = limit(parameters);

    // The most that a token bucket lets through in the time that one login takes.
    assertThat(limit.burst() + limit.perSecond() * SECONDS).isEqualTo(instances);
    assertThat(login(parameters).reservedConcurrency())
        .isEqualTo(concurrency.equals("0") ? Optional.empty() : Optional.of(instances));
  }

  @ParameterizedTest
  @CsvSource({"0,", "100, 10"})
  void an_operators_right_has_instances_of_its_own_and_no_more(
      String concurrency, Integer instances) throws IOException {
    assertThat(functions(Map.of("LoginConcurrency", concurrency)))
        .filteredOn(it -> !it.id().equals("LoginFunction"))
        .filteredOn(it -> it.reservedConcurrency().isPresent())
        .allMatch(it -> it.reservedConcurrency().equals(Optional.of(instances)))
        .extracting(FunctionDefinition::id)
        .containsExactlyInAnyOrderElementsOf(
            instances == null
                ? Set.of()
                : Set.of(
                    "ManageUsersFunction",
                    "FindEventsFunction",
                    "EraseEventsFunction",
                    "RestoreEventsFunction"));
  }

  private static RateLimit limit(Map<String, String> parameters) throws IOException {
    Route route = login(parameters).routes().getFirst();
    return Template.read(World.TEMPLATE, parameters).throttling().of(route).orElseThrow();
  }

  private static FunctionDefinition login(Map<String, String> parameters) throws IOException {
    return functions(parameters).stream()
        .filter(function -> function.id().equals("LoginFunction"))
        .findFirst()
        .orElseThrow();
  }

  private static List<FunctionDefinition> functions(Map<String, String> parameters)
      throws IOException {
    return Template.read(World.TEMPLATE, parameters).functions();
  }
}
