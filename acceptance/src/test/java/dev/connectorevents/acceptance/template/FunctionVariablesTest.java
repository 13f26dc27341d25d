package dev.connectorevents.acceptance.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.emulator.template.FunctionDefinition;
import dev.connectorevents.emulator.template.Template;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Starts each function with the variables that the template gives it. */
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class FunctionVariablesTest {

  private static final Map<String, String> SDK =
      Map.of("aws.region", "us-east-1", "aws.accessKeyId", "key", "aws.secretAccessKey", "secret");

  /** Only emulators set them. */
  private static final Set<String> EMPTY_ON_AWS = Set.of("ENDPOINT_URL", "ONLY_SHARD");

  /** Variables of all functions, which these do not need. */
  private static final Map<String, Set<String>> UNUSED =
      Map.of(
          "FindEventsFunction", Set.of("USERS_TABLE", "SIGNING_KEY_SECRET_ARN", "TOKEN_ISSUER"),
          "EraseEventsFunction", Set.of("USERS_TABLE", "SIGNING_KEY_SECRET_ARN", "TOKEN_ISSUER"),
          "RestoreEventsFunction", Set.of("USERS_TABLE", "SIGNING_KEY_SECRET_ARN", "TOKEN_ISSUER"),
          "NumberEventsFunction", Set.of("USERS_TABLE", "SIGNING_KEY_SECRET_ARN", "TOKEN_ISSUER"),
          "BeatFeedFunction", Set.of("USERS_TABLE", "SIGNING_KEY_SECRET_ARN", "TOKEN_ISSUER"),
          "RotateSigningKeyFunction", Set.of("USERS_TABLE", "TOKEN_ISSUER"));

  /** Other tests' services in this JVM may rely on theirs. */
  private final Properties before = (Properties) System.getProperties().clone();

  static List<FunctionDefinition> functions() throws IOException {
    return Template.read(World.TEMPLATE, Map.of()).functions();
  }

  @BeforeEach
  void chooseARegionAndCredentials() {
    SDK.forEach(System::setProperty);
  }

  @AfterEach
  void forgetThem() {
    System.setProperties(before);
  }

  @ParameterizedTest
  @MethodSource("functions")
  void a_function_starts_with_its_variables_and_names_a_missing_one(FunctionDefinition function)
      throws ReflectiveOperationException {
    Set<String> needed = new TreeSet<>(function.environment().keySet());
    needed.removeAll(EMPTY_ON_AWS);
    needed.removeAll(UNUSED.getOrDefault(function.id(), Set.of()));
    Map<String, String> environment = new HashMap<>(function.environment());
    environment.keySet().retainAll(needed);
    assertThat(start(function, environment)).isNotNull();
    if (function.id().equals("NumberEventsFunction")) {
      assertThat(function.environment()).containsKeys("ENDPOINT_URL", "ONLY_SHARD");
    }
    assertThat(EMPTY_ON_AWS)
        .allSatisfy(name -> assertThat(function.environment().getOrDefault(name, "")).isEmpty());

    for (String variable : needed) {
      Map<String, String> incomplete = new HashMap<>(environment);
      incomplete.remove(variable);
      assertThatThrownBy(() -> start(function, incomplete))
          .as("without %s", variable)
          .hasRootCauseInstanceOf(IllegalStateException.class)
          .hasRootCauseMessage("the environment variable " + variable + " is not set");
    }
  }

  private static Object start(FunctionDefinition function, Map<String, String> environment)
      throws ReflectiveOperationException {
    return Class.forName(function.handler()).getConstructor(Map.class).newInstance(environment);
  }
}
