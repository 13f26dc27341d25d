package dev.connectorevents.acceptance.contract;

import dev.connectorevents.functions.lambda.ApiGatewayFunction;
import java.util.Map;

/** A function of this service whose handler throws, so that it answers {@code internal_error}. */
public final class DefectiveFunction extends ApiGatewayFunction {

  public DefectiveFunction(Map<String, String> environment) {
    super(request -> {
      throw new IllegalStateException("a defect");
    });
  }
}
