package dev.connectorevents.local.contract;

import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.emulator.iam.FunctionRole;
import dev.connectorevents.emulator.iam.NeededRights;
import dev.connectorevents.emulator.template.Right;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.SdkExecutionAttribute;

/**
 * Notes the functions' calls to AWS. Each line is the beginning of a row of the acceptance tests'
 * table of failing calls. The SDK finds this class through the test resource {@code
 * execution.interceptors}.
 */
public final class SeenCalls implements ExecutionInterceptor {

  public static final SeenLines CALLS = new SeenLines("calls");

  private static final Pattern TABLE = Pattern.compile(":table/(\\w+)");

  @Override
  public void beforeTransmission(
      Context.BeforeTransmission context, ExecutionAttributes attributes) {
    String operation = attributes.getAttribute(SdkExecutionAttribute.OPERATION_NAME);
    if (System.getProperty(Endpoint.PROPERTY) == null) { // another endpoint has other table names
      FunctionRole.current()
          .ifPresent(role ->
              NeededRights.of(context.request(), operation).stream()
                  .limit(1) // a transaction is one call, and has the name of its first table
                  .map(right -> operation + subject(right, context.request()))
                  .map(call -> "| %s | %s |".formatted(role.function().id(), call))
                  .forEach(CALLS::add));
    }
  }

  /**
   * The table of a call, or the version stage of a secret, with a space before it. Empty if the
   * call has neither.
   */
  private static String subject(Right right, SdkRequest request) {
    Matcher table = TABLE.matcher(right.resource());
    return table.find()
        ? " " + table.group(1)
        : request.getValueForField("VersionStage", String.class).map(" "::concat).orElse("");
  }
}
