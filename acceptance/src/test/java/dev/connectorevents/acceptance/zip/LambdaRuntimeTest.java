package dev.connectorevents.acceptance.zip;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.emulator.runtime.FunctionProcess;
import dev.connectorevents.emulator.runtime.LambdaRuntime.Initialization;
import dev.connectorevents.emulator.runtime.RequiresLambdaRuntime;
import dev.connectorevents.emulator.template.FunctionDefinition;
import dev.connectorevents.emulator.template.Template;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A function that cannot run on Lambda cannot run in a {@link FunctionProcess} either, and the
 * error says why.
 */
@RequiresLambdaRuntime
class LambdaRuntimeTest {

  private static final Map<String, String> AMBIENT = Map.of("AWS_REGION", "us-east-1");

  @TempDir private Path folder;

  @Test
  void a_class_that_is_not_in_the_zip_is_missed_at_the_first_call() throws IOException {
    FunctionDefinition me = meFunction();

    assertFails(
        with(me, me.handler() + "2", me.environment()),
        "Failed[",
        "Class not found: " + me.handler() + "2");
  }

  @Test
  void a_function_without_its_environment_does_not_start_and_says_what_it_lacks()
      throws IOException {
    FunctionDefinition me = meFunction();

    assertFails(
        with(me, me.handler(), Map.of()),
        "NotStarted[",
        "the environment variable TOKEN_ISSUER is not set");
  }

  private void assertFails(FunctionDefinition function, String... why) throws IOException {
    ProcessBuilder runtime =
        BuiltZip.unpack(folder).process(function, Initialization.ON_DEMAND, AMBIENT, List.of());
    try (FunctionProcess process = FunctionProcess.start(function, runtime)) {
      assertThatIllegalStateException()
          .isThrownBy(() -> process.invoke("{}"))
          .withMessageContainingAll(why);
    }
  }

  private static FunctionDefinition meFunction() throws IOException {
    return Template.read(World.TEMPLATE, Map.of()).functions().stream()
        .filter(function -> function.id().equals("MeFunction"))
        .findFirst()
        .orElseThrow();
  }

  private static FunctionDefinition with(
      FunctionDefinition function, String handler, Map<String, String> environment) {
    return new FunctionDefinition(
        function.id(),
        handler,
        environment,
        function.timeout(),
        function.memoryMb(),
        function.reservedConcurrency(),
        function.rights(),
        function.routes(),
        function.rate());
  }
}
