package dev.connectorevents.acceptance.template;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.acceptance.service.EventFiles;
import dev.connectorevents.emulator.Emulator;
import dev.connectorevents.emulator.EmulatorOptions;
import dev.connectorevents.emulator.SdkSettings;
import dev.connectorevents.emulator.function.FunctionFault;
import dev.connectorevents.emulator.function.LocalFunction;
import dev.connectorevents.emulator.template.FunctionDefinition;
import dev.connectorevents.emulator.template.Route;
import dev.connectorevents.emulator.template.Template;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** Checks of the service's template. {@code RightsTest} checks the rights in it. */
enum TemplateCheck {
  IT_STARTS {
    @Override
    void of(Path template) throws IOException {
      Emulator.start(new EmulatorOptions(template, 0, Optional.empty(), Map.of())).close();
    }
  },

  EVERY_ROUTE_HAS_A_FILE {
    @Override
    void of(Path template) throws IOException {
      EventFiles.requireOneForEachRoute(Template.read(template, Map.of()));
    }
  },

  EVERY_ROUTE_IS_THROTTLED {
    @Override
    void of(Path template) throws IOException {
      Template read = Template.read(template, Map.of());
      assertThat(read.throttling().byRoute().keySet())
          .as("routes with RouteSettings")
          .containsAll(read.routes().stream().map(Route::key).toList());
    }
  },

  /**
   * Finds superfluous environment variables. The start of a function does not find them, because a
   * function ignores unknown variables.
   */
  EVERY_VARIABLE_IS_READ {
    @Override
    void of(Path template) throws IOException {
      URI nowhere = URI.create("http://127.0.0.1:1");
      Map<String, String> ambient = new SdkSettings(nowhere, nowhere).environment();
      List<FunctionDefinition> functions = Template.read(template, Map.of()).functions();
      for (FunctionDefinition function : functions) {
        for (String variable : new TreeSet<>(function.environment().keySet())) {
          // A variable that all functions have is in Globals. Not every function needs to read it.
          boolean isGlobal =
              functions.stream().allMatch(each -> each.environment().containsKey(variable));
          assertThat(isGlobal ? functions : List.of(function))
              .as("%s or another function reads %s", function.id(), variable)
              .anyMatch(each -> reads(each, ambient, variable));
        }
      }
    }
  };

  abstract void of(Path template) throws IOException;

  /**
   * Whether the function does not start, and names the variable, if the variable is missing or its
   * value is nonsense.
   */
  private static boolean reads(
      FunctionDefinition function, Map<String, String> ambient, String variable) {
    Map<String, String> without = new HashMap<>(function.environment());
    without.remove(variable);
    Map<String, String> withNonsense = new HashMap<>(function.environment());
    withNonsense.put(variable, "no value of " + variable);
    return complains(function, ambient, without, variable)
        || complains(function, ambient, withNonsense, variable);
  }

  private static boolean complains(
      FunctionDefinition function,
      Map<String, String> ambient,
      Map<String, String> environment,
      String variable) {
    try {
      LocalFunction.start(
          new FunctionDefinition(
              function.id(),
              function.handler(),
              environment,
              function.timeout(),
              function.memoryMb(),
              function.reservedConcurrency(),
              function.rights(),
              function.routes()),
          ambient,
          line -> {});
      return false;
    } catch (FunctionFault e) {
      return String.valueOf(e.getMessage()).contains(variable);
    }
  }
}
