package dev.connectorevents.emulator.iam;

import dev.connectorevents.emulator.template.Right;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.SdkExecutionAttribute;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.secretsmanager.model.SecretsManagerException;

/**
 * Refuses a function's call without the right to it, as the called service does on AWS. The
 * resource {@code execution.interceptors} adds it to every client of the process: functions create
 * their own clients.
 */
public final class AccessCheck implements ExecutionInterceptor {

  @Override
  public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
    FunctionRole.current().ifPresent(role -> check(role, context.request(), attributes));
  }

  private static void check(FunctionRole role, SdkRequest request, ExecutionAttributes attributes) {
    String operation = attributes.getAttribute(SdkExecutionAttribute.OPERATION_NAME);
    for (Right needed : NeededRights.of(request, operation)) {
      if (!role.allows(needed)) {
        throw denied(request, role.refusal(needed));
      }
    }
  }

  private static AwsServiceException denied(SdkRequest request, String message) {
    boolean isDynamoDb = request instanceof DynamoDbRequest;
    AwsServiceException.Builder exception =
        isDynamoDb ? DynamoDbException.builder() : SecretsManagerException.builder();
    return exception
        .statusCode(400)
        .awsErrorDetails(
            AwsErrorDetails.builder()
                .errorCode("AccessDeniedException")
                .errorMessage(message)
                .serviceName(isDynamoDb ? "DynamoDb" : "SecretsManager")
                .build())
        .build();
  }
}
