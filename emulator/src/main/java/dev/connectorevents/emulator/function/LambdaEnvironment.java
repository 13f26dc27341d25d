package dev.connectorevents.emulator.function;

import dev.connectorevents.emulator.template.FunctionDefinition;
import java.util.HashMap;
import java.util.Map;

/** A function's environment: the template's variables and Lambda's own. */
public final class LambdaEnvironment {
  private LambdaEnvironment() {}

  /**
   * All variables.
   *
   * @param ambient those that depend on the account: region, credentials, endpoints
   */
  public static Map<String, String> of(FunctionDefinition function, Map<String, String> ambient) {
    Map<String, String> environment = new HashMap<>(ambient);
    environment.putAll(function.environment());
    environment.put("AWS_LAMBDA_FUNCTION_NAME", function.id());
    environment.put("AWS_LAMBDA_FUNCTION_VERSION", "$LATEST");
    environment.put("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", String.valueOf(function.memoryMb()));
    environment.put("AWS_LAMBDA_LOG_GROUP_NAME", "/aws/lambda/" + function.id());
    environment.put("AWS_LAMBDA_LOG_STREAM_NAME", "local");
    environment.put("AWS_LAMBDA_INITIALIZATION_TYPE", "on-demand");
    environment.put("_HANDLER", function.handler());
    return Map.copyOf(environment);
  }
}
