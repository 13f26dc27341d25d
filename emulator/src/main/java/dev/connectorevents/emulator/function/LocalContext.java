package dev.connectorevents.emulator.function;

import com.amazonaws.services.lambda.runtime.ClientContext;
import com.amazonaws.services.lambda.runtime.CognitoIdentity;
import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.LambdaLogger;
import dev.connectorevents.emulator.template.Arn;
import dev.connectorevents.emulator.template.FunctionDefinition;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The context of one call.
 *
 * @param log receives each line
 */
record LocalContext(
    FunctionDefinition function, String requestId, long deadlineNanos, Consumer<String> log)
    implements Context {

  @Override
  public String getAwsRequestId() {
    return requestId;
  }

  @Override
  public String getLogGroupName() {
    return "/aws/lambda/" + function.id();
  }

  @Override
  public String getLogStreamName() {
    return "local";
  }

  @Override
  public String getFunctionName() {
    return function.id();
  }

  @Override
  public String getFunctionVersion() {
    return "$LATEST";
  }

  @Override
  public String getInvokedFunctionArn() {
    return Arn.function(function.id());
  }

  @Override
  @SuppressWarnings("NullAway") // the interface has no annotations; Lambda returns null, too
  public @Nullable CognitoIdentity getIdentity() {
    return null;
  }

  @Override
  @SuppressWarnings("NullAway")
  public @Nullable ClientContext getClientContext() {
    return null;
  }

  @Override
  public int getRemainingTimeInMillis() {
    return (int) Math.max(0, Duration.ofNanos(deadlineNanos - System.nanoTime()).toMillis());
  }

  @Override
  public int getMemoryLimitInMB() {
    return function.memoryMb();
  }

  @Override
  public LambdaLogger getLogger() {
    return new LambdaLogger() {
      @Override
      public void log(String message) {
        log.accept(message.stripTrailing());
      }

      @Override
      public void log(byte[] message) {
        log(new String(message, StandardCharsets.UTF_8));
      }
    };
  }
}
