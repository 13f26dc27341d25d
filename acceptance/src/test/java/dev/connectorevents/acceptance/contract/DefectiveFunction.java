package dev.connectorevents.acceptance.contract;

import dev.connectorevents.functions.lambda.ApiGatewayFunction;
import java.util.Map;

/** A function of this service with a defect. */
public final class DefectiveFunction extends ApiGatewayFunction {

  public DefectiveFunction(Map<String, String> environment) {
    super(request -> {
      throw new IllegalStateException("a defect");
    });
  }
}
